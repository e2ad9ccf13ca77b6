/**
 * `completion/complete`: paths in the templates of resources, in arguments of prompts and in parameters of tools
 * (`ref/tool`, an addition of ours), and the values of parameters that have few.
 *
 * A path is named only if a list of its directory would show it, and the rules leave it to the tool that would get it;
 * what holds secrets is never named.
 */
import { isObject, limits } from "../base/index.ts";
import type { JsonSchema } from "../contract/index.ts";
import { readJob } from "../pipeline/index.ts";
import { readEscapes, readName, showName, spillUri, templateValue } from "../scope/index.ts";
import { invalidParams } from "../wire/index.ts";
import { listingRules, type SurfaceRequest } from "./resources.ts";
import { promptArgument } from "./prompts.ts";
import { shownInput } from "./shown-input.ts";

interface Completion {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

interface AskedValue extends SurfaceRequest {
  readonly argument: string;
  readonly value: string;
}

const NONE: Completion = { values: [], hasMore: false };
const MAX_VALUES = 100;
/** A longer beginning is of no path. */
const MAX_VALUE_CHARS: number = limits.MAX_PATH_BYTES * 3;
/** Parameters of tools that hold one path, or are lists of them. */
const PATHS: ReadonlySet<string> = new Set("path paths source destination cwd a b files".split(" "));

export async function complete(asked: SurfaceRequest): Promise<string> {
  const { request, context } = asked;
  const { ref, argument } = request.params as { ref?: Partial<Ref>; argument?: Partial<Argument> };
  refuseOddContext(request.params["context"]);
  const { name, value } = argument ?? {};
  if (typeof name !== "string" || typeof value !== "string")
    throw invalidParams("params.argument must have a name and a value");
  const { values, hasMore } =
    value.length > MAX_VALUE_CHARS ? NONE : await completeRef({ ...asked, argument: name, value }, ref ?? {});
  return context.revision.result({ completion: { values, hasMore } });
}

/** What a client says of the other arguments changes nothing here, but must be what the protocol says. */
function refuseOddContext(given: unknown): void {
  if (given === undefined) return;
  const { arguments: others = {} } = Object(given) as { arguments?: unknown };
  if (isObject(given) && isObject(others) && Object.values(others).every((value) => typeof value === "string")) return;
  throw invalidParams("params.context.arguments must hold strings");
}

interface Ref {
  readonly type: unknown;
  readonly name: unknown;
  readonly uri: unknown;
}

interface Argument {
  readonly name: unknown;
  readonly value: unknown;
}

async function completeRef(asked: AskedValue, { type, name, uri }: Partial<Ref>): Promise<Completion> {
  switch (type) {
    case "ref/resource":
      return await completeTemplate(asked, uri);
    case "ref/prompt":
      return await completePrompt(asked, name);
    case "ref/tool":
      return await completeParameter(asked, name);
    default:
      throw invalidParams("params.ref.type must be ref/resource, ref/prompt or ref/tool");
  }
}

async function completeTemplate(asked: AskedValue, uri: unknown): Promise<Completion> {
  const { host, argument, value } = asked;
  if (uri === `${spillUri("{id}")}{?offset}`) {
    if (argument !== "id") return NONE;
    const ids = [...host.spilled.keys()].filter((id) => id.startsWith(value)).reverse();
    return { values: ids.slice(0, MAX_VALUES), hasMore: ids.length > MAX_VALUES };
  }
  const match = typeof uri === "string" ? /^ringfence:\/\/root\/(\d{1,4})\/\{\+path\}$/.exec(uri) : null;
  const index = Number(match?.[1]);
  const root = match && host.config.roots[index];
  if (!root) throw invalidParams("params.ref.uri is no template of this server");
  const rel = readEscapes(value);
  if (argument !== "path" || rel === undefined || rel.startsWith("/")) return NONE;
  const base = index === 0 ? "" : `${root.path}/`;
  const beginning = showName(`${base}${index === 0 && rel.startsWith("~") ? "./" : ""}${rel}`);
  const { values, hasMore } = await completePaths(asked, "read_file", beginning);
  // In an address a name means itself, and is never written with a "./" before it.
  const known = values.map((path) => (readName(path) ?? path).slice(base.length).replace(/^\.\//, ""));
  return { values: known.map(templateValue), hasMore };
}

async function completePrompt(asked: AskedValue, name: unknown): Promise<Completion> {
  const tool = await promptArgument(asked.host, name, asked.argument);
  return tool === undefined ? NONE : await completePaths(asked, tool, asked.value);
}

/** An element of a list is completed as one value. */
async function completeParameter(asked: AskedValue, name: unknown): Promise<Completion> {
  const { host, argument, value } = asked;
  if (typeof name !== "string") throw invalidParams("params.ref.name must be a string");
  const { tool, row, schema: input } = await shownInput(host, name);
  const { properties = {} } = input;
  const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
  if (!schema)
    throw invalidParams(`the tool ${row?.row.name ?? tool.name} has no parameter ${JSON.stringify(argument)}`);
  const few = valuesOf(schema);
  if (few) {
    const values = few.filter((one) => one.startsWith(value));
    return { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES };
  }
  const ours = row ? (row.row.parameters[argument]?.to ?? "") : argument;
  return PATHS.has(ours) && !tool.local ? await completePaths(asked, tool.name, value) : NONE;
}

function valuesOf(schema: JsonSchema): readonly string[] | undefined {
  // A schema of somebody else may be anything.
  const values: unknown = schema.enum ?? schema.items?.enum;
  if (Array.isArray(values)) return values.filter((one) => typeof one === "string");
  return schema.type === "boolean" ? ["true", "false"] : undefined;
}

/** Under the rules of the list, which names them, and of the tool, which would get one. On record, as any look is. */
async function completePaths(asked: AskedValue, toolName: string, beginning: string): Promise<Completion> {
  const { host, request, context } = asked;
  const rules = await listingRules(asked, toolName);
  if (!rules) return NONE;
  const how = { under: rules.list, signal: context.signal };
  const { paths, hasMore } = await readJob(host, "complete", { beginning, of: rules.of }, how);
  host.audit.record("completed_path", { request: request.id, tool: toolName, names: paths.length });
  return { values: paths, hasMore };
}
