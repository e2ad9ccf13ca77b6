/**
 * `docs/configuration.md` and the JSON Schemas of the configuration files, from the schema that files are held to.
 */
import * as z from "zod/mini";
import { configFile, rootFile } from "../../src/config/file-schema.ts";
import { withPackSettings } from "./pack-settings.ts";

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  /** One of several forms. */
  readonly anyOf?: readonly Shape[];
  readonly additionalProperties?: Shape | false;
}

/** As editors take it, two spaces deep. */
export async function configSchema(): Promise<string> {
  return schemaText(withPackSettings(await configFile()), "ringfence.schema.json");
}

export async function rootSchema(): Promise<string> {
  return schemaText(await rootFile(), "ringfence-root.schema.json");
}

export async function configPage(): Promise<string> {
  const [config, root] = [shapeOf(withPackSettings(await configFile())), shapeOf(await rootFile())];
  return `${[HEAD, keys(config, ""), ROOT, keys(root, ""), TAIL].join("\n\n")}\n`;
}

const HEAD = `<!-- Written by \`bun run docs\` from src/config/options.ts and file-schema.ts; edit those, not this one. -->

# Configuration

Everything has a default, and a host needs no file. Files are JSON with comments (\`ringfence.json\`), YAML (\`.yaml\`, \`.yml\`) or
TOML (\`.toml\`); [ringfence.schema.json](ringfence.schema.json) is their JSON Schema, for \`$schema\`. The layers, a later one
over an earlier one:

1. built-in
2. the machine: \`/etc/ringfence/ringfence.json\`, which only root may be able to write, nor any directory above it; it can \`lock\` keys, and \`profile\` with what its name means
3. the user: \`$XDG_CONFIG_HOME/ringfence/ringfence.json\` (\`~/.config\` without it)
4. \`--config FILE\`
5. the command line

A layer has one file: a directory with two of these names is refused. A leading \`~\` of a path is the home directory. A value of a later layer replaces that of an earlier one. What denies, asks, hooks or excepts is added up, also under one name of \`profiles\`, \`clients\`, \`agents\`, \`providers\` and \`skills\`. A key that is not
known is an error, and so is one that stands twice in the same object. \`ringfence check\` shows the result with the origin of every value, rules that match nothing or are
always beaten, and names of tools that are not there. No tool changes a file that is in use here, nor any \`.ringfence.json\`.

\`\`\`jsonc
{
  "roots": ["/srv/project", "/usr/share/doc:ro"],
  "mode": "accept_edits",
  "rules": [
    { "deny": "group:change(generated/**)", "reason": "written by a tool", "match": ["write_file(generated/a.ts)"] },
    { "ask": "write_file(**/*.sql)" },
    { "allow": "write_file(notes/**)" },
  ],
  "clients": { "claude-code": { "tools": { "deny": ["group:desktop"] } } },
  "budgets": { "session": { "bytes_out": 50000000 } },
}
\`\`\`

What rules mean stands in [policy.md](policy.md). The keys:`;

const ROOT = `## In a root

A root may hold a \`.ringfence.json\` ([schema](ringfence-root.schema.json)). Whoever can write there can only take something
away: a wider mode has no effect, and there is no key that allows anything.`;

const TAIL = `## For a program of one's own

\`runHost\` takes the same settings in camelCase (\`readOnly\`, \`stateDir\`; \`tools\` is \`toolList\` there, and \`packs\` is \`packSettings\`) and reads no files.`;

function schemaText(schema: z.core.$ZodType, name: string): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  const whole = { $schema, $id: name, ...rest };
  return `${JSON.stringify(withoutBounds(whole), null, 2)}\n`;
}

/** zod writes the bounds of safe integers on every integer. */
function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== Number.MAX_SAFE_INTEGER);
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutBounds(one)]));
}

function shapeOf(schema: z.core.$ZodType): Shape {
  return z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" }) as Shape;
}

function keys(shape: Shape, prefix: string): string {
  return ["| key | value | what it is |", "| --- | --- | --- |", ...rows(shape, prefix)].join("\n");
}

function rows(shape: Shape, prefix: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, one]) => {
    const key = prefix + name;
    const own = `| \`${key}\` | ${typeOf(one)} | ${(one.description ?? "").replaceAll("|", "\\|")} |`;
    if (one.properties) return [own, ...rows(one, `${key}.`)];
    if (one.anyOf) return [own, ...one.anyOf.flatMap((form) => rows(form, `${key}.`))];
    if (one.items?.properties) return [own, ...rows(one.items, `${key}[].`)];
    if (one.additionalProperties && one.additionalProperties.properties)
      return [own, ...rows(one.additionalProperties, `${key}.NAME.`)];
    return [own];
  });
}

function typeOf({ type, enum: values, const: only, items, anyOf }: Shape): string {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(", or ");
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (type === "array") return `list of ${items?.type ?? "value"}s`;
  return type ?? "";
}
