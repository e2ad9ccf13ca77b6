/**
 * Arguments for a tool of somebody else, checked as far as that is safe and helps a model: an object of bounded size, with
 * what is required, and values of the types and bounds that the schema names plainly. Combinators, references, patterns
 * and formats are left to the owner of the tool, who checks everything anyway.
 *
 * Nothing is mended here: what the caller sent is what is shown to a person and what is sent.
 */
import { Failure, limits } from "../base/index.ts";
import { nearestNames } from "../text/index.ts";
import type { ForeignTool } from "./foreign-tool.ts";
import type { JsonSchema } from "./wire-schema.ts";

/** Values that are looked at; a schema is a help, and no reason to work for long. */
const MAX_VALUES = 5000;

interface Problem {
  readonly state: string;
  readonly hint?: string;
}

/** @throws Failure `invalid_input` that names the argument, `too_large` */
export function checkForeignArguments(
  { name, inputSchema }: Pick<ForeignTool, "name" | "inputSchema">,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const value = given ?? {};
  if (!isObject(value)) throw refused(name, { state: "the arguments must be an object" });
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > limits.MAX_FOREIGN_ARGUMENT_BYTES)
    throw new Failure("too_large", `Cannot call "${name}": its arguments have ${bytes} bytes`, {
      hint: `At most ${limits.MAX_FOREIGN_ARGUMENT_BYTES} bytes are sent to it.`,
    });
  const problem = findProblem(value, inputSchema, "", { left: MAX_VALUES });
  if (problem) throw refused(name, problem);
  return value;
}

function findProblem(
  value: unknown,
  schema: unknown,
  at: string,
  room: { left: number },
): Problem | undefined {
  if (!isObject(schema) || room.left-- <= 0) return undefined;
  const known = schema as JsonSchema;
  const shown = at === "" ? "the arguments" : `the argument ${at.slice(0, 200)}`;
  const types = typesOf(known.type);
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return { state: `${shown} must be ${types.join(" or ")}, not ${typeName(value)}` };
  if (Array.isArray(known.enum) && !known.enum.some((one) => isSame(one, value)))
    return {
      state: `${shown} is none of its values`,
      hint: `It is one of ${JSON.stringify(known.enum).slice(1, -1).slice(0, 500)}.`,
    };
  if (typeof value === "number") return findBound(value, known, shown, "minimum", "maximum", "");
  if (typeof value === "string")
    return findBound(value.length, known, shown, "minLength", "maxLength", " characters long");
  if (Array.isArray(value))
    return (
      findBound(value.length, known, shown, "minItems", "maxItems", " items long") ??
      findFirst(value.entries(), ([index, one]) => findProblem(one, known.items, `${at}[${index}]`, room))
    );
  return isObject(value) ? findInObject(value, known, at, room) : undefined;
}

function findInObject(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  at: string,
  room: { left: number },
): Problem | undefined {
  const properties: Readonly<Record<string, unknown>> = isObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const inside = (name: string): string => (at === "" ? name : `${at}.${name}`);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
  if (missing !== undefined)
    return {
      state: `the argument ${inside(missing as string).slice(0, 200)} is missing`,
      hint: `It takes ${names.join(", ").slice(0, 500)}.`,
    };
  const isClosed = schema["additionalProperties"] === false && schema["patternProperties"] === undefined;
  return findFirst(Object.entries(value), ([name, one]) => {
    if (Object.hasOwn(properties, name)) return findProblem(one, properties[name], inside(name), room);
    if (!isClosed) return undefined;
    const [nearest] = nearestNames(name.slice(0, 60), names, 1);
    return {
      state: `there is no argument ${JSON.stringify(inside(name).slice(0, 60))}`,
      hint: `${nearest === undefined ? "" : `Did you mean ${inside(nearest)}? `}It takes ${names.join(", ").slice(0, 500) || "no arguments"}.`,
    };
  });
}

function findFirst<T>(all: Iterable<T>, look: (one: T) => Problem | undefined): Problem | undefined {
  for (const one of all) {
    const problem = look(one);
    if (problem) return problem;
  }
  return undefined;
}

function findBound(
  size: number,
  schema: JsonSchema,
  shown: string,
  least: string,
  most: string,
  unit: string,
): Problem | undefined {
  const { [least]: low, [most]: high } = schema;
  if (typeof low === "number" && size < low) return { state: `${shown} must be at least ${low}${unit}` };
  if (typeof high === "number" && size > high) return { state: `${shown} must be at most ${high}${unit}` };
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

/** Of objects and lists nobody looks: they count as the same. */
function isSame(one: unknown, value: unknown): boolean {
  return one === value || (typeof one === "object" && one !== null && typeof value === "object");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(tool: string, { state, hint }: Problem): Failure {
  return new Failure("invalid_input", `Cannot call "${tool}": ${state}`, hint === undefined ? {} : { hint });
}
