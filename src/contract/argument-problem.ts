/**
 * What was wrong with an argument, in the words of the schema: the field, what came, what is wanted.
 */
import type * as z from "zod";
import type { JsonSchema } from "./wire-schema.ts";

export interface ArgumentProblem {
  readonly message: string;
  readonly hint: string;
}

export function describeProblem(error: z.ZodError, schema: JsonSchema, given: unknown): ArgumentProblem {
  const issue = error.issues[0];
  if (!issue) return { message: "the arguments are not valid", hint: "" };
  // A rule of the tool itself, which says what it wants.
  if (issue.code === "custom") return { message: "the arguments do not fit together", hint: issue.message };
  const field = fieldName(issue.path);
  const shown = `${field}${placeInList(issue.path)}`;
  const wanted = schemaAt(schema, issue.path);
  const value = valueAt(given, issue.path);
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  const hint = wanted === undefined ? "" : `${field} is ${describeSchema(wanted).replace(/\.$/, "")}.`;
  if (issue.path.length === 0)
    return { message: `the arguments must be an object, not ${describeValue(value)}${more}`, hint: "" };
  if (value === undefined) return { message: `the argument ${shown} is missing${more}`, hint };
  return {
    message: `the argument ${shown} cannot be ${describeValue(value)}${more}`,
    hint,
  };
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}

/** Indices start at 0, and people count from 1, as every other message does: `operations[1].path` is of operation 2. */
function placeInList(path: readonly PropertyKey[]): string {
  const at = path.findIndex((part) => typeof part === "number");
  return at < 1 ? "" : ` (number ${Number(path[at]) + 1} of ${fieldName(path.slice(0, at))})`;
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const part of path) at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  return at;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let at = given;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

function describeSchema(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  const bounds = [
    schema.minimum === undefined ? "" : ` from ${schema.minimum}`,
    schema.maximum === undefined ? "" : ` to ${schema.maximum}`,
  ].join("");
  const kind =
    schema.type === "array"
      ? `a list of ${listBounds(schema)}${schema.items?.type ?? "value"}s`
      : schema.type === undefined
        ? "a value"
        : `${/^[aeiou]/.test(schema.type) ? "an" : "a"} ${schema.type}`;
  const pattern = schema.pattern === undefined ? "" : ` that matches ${schema.pattern}`;
  return `${kind}${bounds}${pattern}${schema.description ? `: ${schema.description}` : ""}`;
}

function listBounds({ minItems = 0, maxItems }: JsonSchema): string {
  if (maxItems !== undefined) return minItems > 0 ? `${minItems} to ${maxItems} ` : `at most ${maxItems} `;
  return minItems > 0 ? `at least ${minItems} ` : "";
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string")
    return value.length > 60 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" ? "an object" : typeof value;
}
