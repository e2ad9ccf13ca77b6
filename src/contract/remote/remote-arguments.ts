/**
 * Arguments for a tool of somebody else, checked as far as that is safe and helps a model: an object of bounded size, with
 * what is required, and values of the types and bounds that the schema names plainly. Combinators, references, patterns
 * and formats are left to the owner of the tool, who checks everything anyway.
 *
 * Nothing is mended here but what says nothing: `null` where the schema plainly takes none, and a client's own hint. What is
 * left is what is shown to a person and what is sent.
 */
import { Failure, isObject, limits } from "../../base/index.ts";
import { nearestNames } from "../../text/index.ts";
import { argumentsFailure, type ArgumentProblem } from "../argument-problem.ts";
import { takesNull, withoutClientHints } from "../client-slips.ts";
import type { JsonSchema, ParsedArguments, RemoteInput } from "../wire-schema.ts";

/** Values that are looked at; a schema is a help, and no reason to work for long. */
const MAX_VALUES = 5000;

interface Reading {
  /** Values that may still be looked at. */
  left: number;
  dropped: number;
  readonly problems: ArgumentProblem[];
}

export function remoteInput(wire: JsonSchema): RemoteInput {
  return { wire, read: (tool, given) => checkArguments(tool, wire, given) };
}

function checkArguments(name: string, wire: JsonSchema, given: unknown): ParsedArguments {
  const meant = withoutClientHints(given ?? {}, () => wire);
  const reading: Reading = { left: MAX_VALUES, dropped: meant.dropped, problems: [] };
  const input = withoutNulls(meant.value, wire, reading);
  if (!isObject(input)) throw argumentsFailure(name, [{ message: "the arguments must be an object" }]);
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > limits.MAX_FOREIGN_ARGUMENT_BYTES)
    throw new Failure("too_large", `Cannot call "${name}": its arguments have ${bytes} bytes`, {
      hint: `At most ${limits.MAX_FOREIGN_ARGUMENT_BYTES} bytes are sent to it.`,
    });
  reading.left = MAX_VALUES;
  findProblems(input, wire, "", reading);
  if (reading.problems.length > 0) throw argumentsFailure(name, reading.problems);
  return { input, repaired: reading.dropped };
}

/** Leaves out what is null and optional. Gives back the value itself when there is nothing to leave out. */
function withoutNulls(value: unknown, schema: unknown, reading: Reading): unknown {
  if (typeof value !== "object" || value === null || !isObject(schema) || reading.left-- <= 0) return value;
  const { properties, required, items } = schema;
  if (Array.isArray(value)) {
    const list = value.map((one: unknown) => withoutNulls(one, items, reading));
    return list.some((one, index) => one !== value[index]) ? list : value;
  }
  if (!isObject(properties)) return value;
  const isNeeded = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return one === null && !isNeeded(name) && !takesNull(property)
      ? []
      : [[name, withoutNulls(one, property, reading)]];
  });
  const left = Object.keys(value).length - entries.length;
  reading.dropped += left;
  const isWhole = left === 0 && entries.every(([name, one]) => one === (value as Members)[name]);
  return isWhole ? value : Object.fromEntries(entries);
}

type Members = Readonly<Record<string, unknown>>;

function findProblems(value: unknown, schema: unknown, at: string, reading: Reading): void {
  if (!isObject(schema) || reading.left-- <= 0 || (value === null && takesNull(schema))) return;
  const known = schema as JsonSchema;
  const shown = at === "" ? "the arguments" : `the argument ${at.slice(0, 200)}`;
  const problem = findProblem(value, known, shown);
  if (problem) reading.problems.push(problem);
  else if (Array.isArray(value))
    value.forEach((one: unknown, index) => findProblems(one, known.items, `${at}[${index}]`, reading));
  else if (isObject(value)) findInObject(value, known, at, reading);
}

/** Looks at the value itself, not at what it holds. */
function findProblem(value: unknown, schema: JsonSchema, shown: string): ArgumentProblem | undefined {
  const types = typesOf(schema.type);
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return { message: `${shown} must be ${types.join(" or ")}, not ${typeName(value)}` };
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value)))
    return {
      message: `${shown} is none of its values`,
      hint: `It is one of ${schema.enum
        .map((one) => JSON.stringify(one))
        .join(", ")
        .slice(0, 500)}.`,
    };
  if (typeof value === "number") return findBound(value, schema, shown, ["minimum", "maximum", ""]);
  if (typeof value === "string")
    return findBound(value.length, schema, shown, ["minLength", "maxLength", " characters long"]);
  if (Array.isArray(value)) return findBound(value.length, schema, shown, ["minItems", "maxItems", " items long"]);
  return undefined;
}

function findInObject(value: Members, schema: JsonSchema, at: string, reading: Reading): void {
  const properties: Members = isObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const inside = (name: string): string => (at === "" ? name : `${at}.${name}`);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const takes = `It takes ${names.join(", ").slice(0, 500) || "no arguments"}.`;
  for (const name of required)
    if (typeof name === "string" && !Object.hasOwn(value, name))
      reading.problems.push({
        message: `the argument ${inside(name).slice(0, 200)} is missing`,
        hint: takes,
      });
  const isClosed = schema["additionalProperties"] === false && schema["patternProperties"] === undefined;
  for (const [name, one] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) findProblems(one, properties[name], inside(name), reading);
    else if (isClosed) {
      const [nearest] = nearestNames(name.slice(0, 60), names, 1);
      const shown = inside(name).slice(0, 60);
      reading.problems.push({
        message: `there is no argument ${JSON.stringify(shown)}`,
        hint: takes,
        ...(nearest === undefined ? {} : { meant: { name: shown, nearest: inside(nearest) } }),
      });
    }
  }
}

function findBound(
  size: number,
  schema: JsonSchema,
  shown: string,
  [least, most, unit]: readonly [least: string, most: string, unit: string],
): ArgumentProblem | undefined {
  const { [least]: low, [most]: high } = schema;
  if (typeof low === "number" && size < low) return { message: `${shown} must be at least ${low}${unit}` };
  if (typeof high === "number" && size > high) return { message: `${shown} must be at most ${high}${unit}` };
  return undefined;
}

function typesOf(type: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(type) ? type : [type];
  const known = all.filter((one): one is string => typeof one === "string" && TYPES.has(one));
  // One that nobody knows may mean anything.
  return known.length === all.length ? known : [];
}

const TYPES: ReadonlySet<string> = new Set("string number integer boolean object array null".split(" "));

function hasType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeName(value) === type;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Compares plain values; objects and lists always count as equal. */
function isSame(one: unknown, value: unknown): boolean {
  return one === value || (typeof one === "object" && one !== null && typeof value === "object");
}
