/**
 * Other names and obvious slips: `file_path` for `path`, `"5"` for 5, one object for a list of one, `"true"`, a list
 * that was sent as its JSON text. What is changed here is only the form; a value never becomes a string.
 */
import { nearestNames } from "../text/index.ts";
import type { JsonSchema } from "./wire-schema.ts";

/** Names that models use for the same thing, taken when the tool has the parameter on the right. First match wins. */
const COMMON_ALIASES: Readonly<Record<string, readonly string[]>> = {
  file_path: ["path"],
  filepath: ["path"],
  filename: ["path"],
  file: ["path", "files"],
  directory: ["path"],
  dir: ["path"],
  folder: ["path"],
  dir_path: ["path"],
  absolute_path: ["path"],
  old_string: ["old_text"],
  old_str: ["old_text"],
  old: ["old_text"],
  search: ["old_text", "pattern"],
  find: ["old_text"],
  new_string: ["new_text"],
  new_str: ["new_text"],
  new: ["new_text"],
  replace: ["new_text"],
  replacement: ["new_text"],
  text: ["content"],
  contents: ["content"],
  data: ["content"],
  body: ["content"],
  from: ["source"],
  src: ["source"],
  source_path: ["source"],
  old_path: ["source"],
  to: ["destination"],
  dst: ["destination"],
  dest: ["destination"],
  target: ["destination"],
  destination_path: ["destination"],
  new_path: ["destination"],
  regex: ["pattern"],
  query: ["pattern"],
  glob: ["include", "pattern"],
  start_line: ["offset"],
  line_offset: ["offset"],
  max_lines: ["limit"],
  max_results: ["limit"],
  head_limit: ["limit"],
  paths: ["files", "path"],
  all: ["replace_all"],
  expected_hash: ["if_hash"],
};

export interface Repaired {
  readonly value: unknown;
  readonly problem?: string;
  readonly nearest?: string;
}

export function repairArguments(
  given: unknown,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
): Repaired {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { value: given };
  return repairObject(given as Record<string, unknown>, schema, aliases, "");
}

function repairObject(
  given: Record<string, unknown>,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  at: string,
): Repaired {
  const properties = schema.properties ?? {};
  const value: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(given)) {
    const known = canonicalName(name, properties, aliases);
    if (known === undefined) return unknownName(name, Object.keys(properties), at);
    if (Object.hasOwn(value, known) || (known !== name && Object.hasOwn(given, known)))
      return { value, problem: `${at}${known} is given twice, once as ${name}` };
    const property = properties[known];
    const repaired = property ? repairValue(item, property, aliases, `${at}${known}`) : { value: item };
    if (repaired.problem !== undefined) return repaired;
    value[known] = repaired.value;
  }
  return { value };
}

function canonicalName(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  aliases: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (own !== undefined) return own;
  const snake = name
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll("-", "_")
    .replace(/^_/, "");
  if (Object.hasOwn(properties, snake)) return snake;
  const common = Object.hasOwn(COMMON_ALIASES, snake) ? COMMON_ALIASES[snake] : undefined;
  return common?.find((candidate) => Object.hasOwn(properties, candidate));
}

function unknownName(name: string, known: readonly string[], at: string): Repaired {
  const [nearest] = nearestNames(name, known, 1);
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const hint =
    nearest === undefined
      ? `It takes ${known.join(", ") || "no arguments"}.`
      : `Did you mean ${at}${nearest}? It takes ${known.join(", ")}.`;
  const [, list, index] = /^([^[]+)\[(\d+)\]/.exec(at) ?? [];
  const place = list === undefined ? "" : ` (number ${Number(index) + 1} of ${list})`;
  const problem = `there is no argument ${JSON.stringify(at + shown)}${place}`;
  return { value: undefined, problem, nearest: hint };
}

function repairValue(
  value: unknown,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  at: string,
): Repaired {
  if (value === null || value === undefined) return { value };
  const kinds = schema.anyOf?.map((one) => one.type) ?? [schema.type];
  if (kinds.includes(jsonType(value)) && !schema.anyOf && schema.type !== "array" && schema.type !== "object")
    return { value };
  switch (schema.type) {
    case "integer":
    case "number":
      return {
        value: typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value,
      };
    case "boolean":
      return { value: value === "true" ? true : value === "false" ? false : value };
    case "array":
      return repairList(value, schema, aliases, at);
    case "object":
      return isObject(value) && schema.properties
        ? repairObject(value, schema, aliases, `${at}.`)
        : { value };
    case undefined:
    default:
      return { value };
  }
}

function repairList(
  value: unknown,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  at: string,
): Repaired {
  const list = asList(value, schema);
  if (!list) return { value };
  const out: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const lifted = liftString(item, schema.items);
    const repaired = schema.items
      ? repairValue(lifted, schema.items, aliases, `${at}[${index}]`)
      : { value: lifted };
    if (repaired.problem !== undefined) return repaired;
    out.push(repaired.value);
  }
  return { value: out };
}

function asList(value: unknown, schema: JsonSchema): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === "string" && value.trimStart().startsWith("[")) {
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) return parsed as unknown[];
    } catch {
      // Not JSON text; one item, then.
    }
  }
  const fits =
    schema.items?.type === jsonType(value) || (schema.items?.type === "object" && typeof value === "string");
  return fits ? [value] : undefined;
}

/** A list of strings where objects with one required string are wanted: `["a.ts"]` for `[{path: "a.ts"}]`. */
function liftString(item: unknown, schema: JsonSchema | undefined): unknown {
  const [only, ...more] = schema?.required ?? [];
  return typeof item === "string" && schema?.type === "object" && only !== undefined && more.length === 0
    ? { [only]: item }
    : item;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (value === null) return "null";
  return typeof value;
}
