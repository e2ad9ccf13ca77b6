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
  const wanted = schemaAt(schema, issue.path);
  const value = valueAt(given, issue.path);
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  const hint = wanted === undefined ? "" : `${field} is ${describeSchema(wanted).replace(/\.$/, "")}.`;
  if (issue.path.length === 0)
    return { message: `the arguments must be an object, not ${describeValue(value)}${more}`, hint: "" };
  if (value === undefined) return { message: `the argument ${field} is missing${more}`, hint };
  return {
    message: `the argument ${field} cannot be ${describeValue(value)}${more}`,
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
      ? `a list of ${schema.items?.type ?? "value"}s`
      : schema.type === undefined
        ? "a value"
        : `${/^[aeiou]/.test(schema.type) ? "an" : "a"} ${schema.type}`;
  return `${kind}${bounds}${schema.description ? `: ${schema.description}` : ""}`;
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string")
    return value.length > 60 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : typeof value;
}
