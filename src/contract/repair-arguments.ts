/**
 * Other names and obvious slips: `file_path` for `path`, `"5"` for 5, one object for a list of one, `"true"`, a list
 * that was sent as its JSON text, `null` for what is not set. What is changed here is only the form; a value never becomes
 * a string, and what cannot be mended is named and left out, so that the rest can be looked at too.
 */
import { isObject } from "../base/index.ts";
import { nearestNames } from "../text/index.ts";
import type { ArgumentProblem } from "./argument-problem.ts";
import { takesNull } from "./client-slips.ts";
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
  run_in_background: ["background"],
  cmd: ["command"],
};

export interface Repaired {
  /** Without what is named in the problems. */
  readonly value: unknown;
  readonly problems: readonly ArgumentProblem[];
  /** How many arguments are not as they came. */
  readonly count: number;
}

interface Repair {
  readonly aliases: Readonly<Record<string, string>>;
  readonly problems: ArgumentProblem[];
  count: number;
}

export function repairArguments(
  given: unknown,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
): Repaired {
  const repair: Repair = { aliases, problems: [], count: 0 };
  const value = isObject(given) ? repairObject(given, schema, "", repair) : given;
  return { value, problems: repair.problems, count: repair.count };
}

function repairObject(
  given: Record<string, unknown>,
  schema: JsonSchema,
  at: string,
  repair: Repair,
): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const named = Object.entries(given).map(([name, item]) => ({
    name,
    item,
    known: canonicalName(name, properties, repair.aliases),
  }));
  const set = new Set(named.filter(({ item }) => item !== null).map(({ known }) => known));
  const value: Record<string, unknown> = {};
  const under = new Map<string, string>();
  for (const { name, item, known } of named) {
    if (known === undefined) {
      repair.problems.push(unknownName(name, Object.keys(properties), at));
      continue;
    }
    const property = properties[known];
    const isNeeded = schema.required?.includes(known) && !set.has(known);
    if (item === null && property && !isNeeded && !takesNull(property)) {
      repair.count++;
      continue;
    }
    const before = under.get(known);
    if (before !== undefined) {
      const other = name === known ? before : name;
      repair.problems.push({ message: `${at}${known} is given twice, once as ${other}` });
      continue;
    }
    under.set(known, name);
    if (name !== known) repair.count++;
    value[known] = property ? repairValue(item, property, `${at}${known}`, repair) : item;
  }
  return value;
}

/** The parameter that a name stands for; `undefined` where there is none. */
export function canonicalName(
  name: string,
  properties: object,
  aliases: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  const own = (one: string): string | undefined => (Object.hasOwn(aliases, one) ? aliases[one] : undefined);
  const exact = own(name);
  if (exact !== undefined) return exact;
  const snake = snakeCase(name);
  if (Object.hasOwn(properties, snake)) return snake;
  const alias = own(snake);
  if (alias !== undefined) return alias;
  const common = Object.hasOwn(COMMON_ALIASES, snake) ? COMMON_ALIASES[snake] : undefined;
  return common?.find((candidate) => Object.hasOwn(properties, candidate));
}

/** How our parameters are written: `timeout_ms` for `timeoutMs`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll("-", "_")
    .replace(/^_/, "");
}

function unknownName(name: string, known: readonly string[], at: string): ArgumentProblem {
  const [nearest] = nearestNames(name, known, 1);
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const [, list, index] = /^([^[]+)\[(\d+)\]/.exec(at) ?? [];
  const place = list === undefined ? "" : ` (number ${Number(index) + 1} of ${list})`;
  return {
    message: `there is no argument ${JSON.stringify(at + shown)}${place}`,
    hint: `It takes ${known.join(", ") || "no arguments"}.`,
    ...(nearest === undefined ? {} : { meant: { name: at + shown, nearest: at + nearest } }),
  };
}

function repairValue(value: unknown, schema: JsonSchema, at: string, repair: Repair): unknown {
  if (value === null || value === undefined) return value;
  if (schema.type === "array") return repairList(value, schema, at, repair);
  if (schema.type === "object")
    return isObject(value) && schema.properties ? repairObject(value, schema, `${at}.`, repair) : value;
  const mended = repairScalar(value, schema);
  if (mended !== value) repair.count++;
  return mended;
}

function repairScalar(value: unknown, { type }: JsonSchema): unknown {
  if (typeof value !== "string") return value;
  if (type === "integer" || type === "number") return /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function repairList(value: unknown, schema: JsonSchema, at: string, repair: Repair): unknown {
  const list = asList(value, schema);
  if (!list) return value;
  if (list !== value) repair.count++;
  return list.map((item, index) => {
    const lifted = liftString(item, schema.items);
    if (lifted !== item) repair.count++;
    return schema.items ? repairValue(lifted, schema.items, `${at}[${index}]`, repair) : lifted;
  });
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
  const fits = schema.items?.type === jsonType(value) || (schema.items?.type === "object" && typeof value === "string");
  return fits ? [value] : undefined;
}

/** A list of strings where objects with one required string are wanted: `["a.ts"]` for `[{path: "a.ts"}]`. */
function liftString(item: unknown, schema: JsonSchema | undefined): unknown {
  const [only, ...more] = schema?.required ?? [];
  return typeof item === "string" && schema?.type === "object" && only !== undefined && more.length === 0
    ? { [only]: item }
    : item;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (value === null) return "null";
  return typeof value;
}
