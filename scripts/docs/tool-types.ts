/**
 * The types of the tools for the client: the arguments and structured results of the built-in tools, and the parameters
 * of methods, as TypeScript, made from their zod schemas as they go over the wire. Written by `bun run docs` and
 * compared by `--check`, so that the client's types cannot differ from what the host takes, and the client needs
 * neither zod nor the tools.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describeTool, type JsonSchema } from "../../src/contract/index.ts";
import { methods, paramsSchema } from "../../src/methods/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { REPOSITORY } from "../checks/read-sources.ts";

const FILE = "types/tools.d.ts";
const OXFMT = join(REPOSITORY, "node_modules", "oxfmt", "bin", "oxfmt");

/** By path: what stands there. */
export function toolTypesPage(): Readonly<Record<string, () => string>> {
  return { [FILE]: () => formatted(typesText()) };
}

/** The gate wants every source as oxfmt leaves it. */
function formatted(text: string): string {
  const args = [OXFMT, "--stdin-filepath", FILE];
  const result = spawnSync(process.execPath, args, { cwd: REPOSITORY, input: text, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`Cannot format the types of the tools:\n${result.stderr}`);
  return result.stdout;
}

interface Described {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** Every tool but those of declared commands, which differ from host to host and are called by name without types. */
function described(): Described[] {
  const options = { structured: true, showsAtOnce: false };
  return [...builtinTools, ...commandTools({}, true)].map(
    (tool) => describeTool(tool, options) as unknown as Described,
  );
}

function typesText(): string {
  const known = new Map<string, string>();
  const tools = described();
  const parts = tools.flatMap((tool) => {
    const [given, result] = [`${typeName(tool.name)}Arguments`, `${typeName(tool.name)}Result`];
    const members = objectBody(tool.outputSchema, "");
    const same = known.get(members);
    known.set(members, same ?? result);
    return [
      declaration(given, `${tool.title}: the arguments of \`${tool.name}\`.`, objectBody(tool.inputSchema, "")),
      same === undefined
        ? declaration(result, `The structured result of \`${tool.name}\`.`, members)
        : `/** The structured result of \`${tool.name}\`. */\nexport type ${result} = ${same};`,
    ];
  });
  const map = (suffix: string): string =>
    tools.map(({ name }) => `  readonly ${name}: ${typeName(name)}${suffix};`).join("\n");
  return (
    [
      HEADER,
      `/** By the name of a tool: its arguments. */\nexport interface ToolArguments {\n${map("Arguments")}\n}`,
      `/** By the name of a tool: its structured result. Later versions may add members. */\nexport interface ToolResults {\n${map("Result")}\n}`,
      "/** The name of a built-in tool. */\nexport type ToolName = keyof ToolArguments;",
      methodsText(),
      ...parts,
    ].join("\n\n") + "\n"
  );
}

const HEADER = `/**
 * The built-in tools by name: what each takes and what it answers; and what the methods of the host take.
 *
 * Written by \`bun run docs\` from the schemas of src/packs and src/methods; edit those files, not this one.
 */`;

function methodsText(): string {
  const members = methods.map(({ name, params }) => {
    const required = Object.keys(params.shape).filter((key) => !params.shape[key]?.safeParse(undefined).success);
    const body = objectBody({ properties: paramsSchema(params), required }, "  ");
    return `  readonly "${name}": ${body === "{}" ? "Readonly<Record<string, never>>" : body};`;
  });
  return `/** By the name of a method: its parameters. */\nexport interface MethodParams {\n${members.join("\n")}\n}`;
}

function declaration(name: string, doc: string, body: string): string {
  return body === "{}"
    ? `/** ${doc} */\nexport type ${name} = Readonly<Record<string, ${name.endsWith("Result") ? "unknown" : "never"}>>;`
    : `/** ${doc} */\nexport interface ${name} ${body}`;
}

function typeName(tool: string): string {
  return tool.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function objectBody({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isNeeded = required.includes(name);
    const doc =
      schema.description === undefined
        ? ""
        : `${inner}/** ${schema.description.replaceAll("*/", String.raw`*\/`)} */\n`;
    const type = typeOf(schema, inner);
    return `${doc}${inner}readonly ${name}${isNeeded ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "array":
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case "object":
      if (schema.properties) return objectBody(schema, indent);
      return `Readonly<Record<string, ${typeOf((schema["additionalProperties"] ?? {}) as JsonSchema, indent)}>>`;
    case "integer":
      return "number";
    case undefined:
      return schema.anyOf?.map((one) => typeOf(one, indent)).join(" | ") ?? "unknown";
    default:
      return schema.type;
  }
}
