/**
 * What clients add to a call by themselves. Some fill in every parameter of a schema and send `null` for each optional one
 * that the model left out: whether `null` is a value is told by the schema, and where that says too little it is one. Gemini
 * CLI gives each tool a parameter `wait_for_previous` for its scheduler and sends its value along: it is dropped, and only a
 * tool that declares a parameter of that name gets it.
 */
import type { JsonSchema } from "./wire-schema.ts";

const TYPES: ReadonlySet<unknown> = new Set("string number integer boolean object array".split(" "));

export function takesNull(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  const { type, nullable, enum: values, anyOf, oneOf, allOf, ...rest } = schema as Record<string, unknown>;
  // OpenAPI says it beside a type.
  if (nullable === true) return true;
  if (type !== undefined) return [type].flat().some((one) => !TYPES.has(one));
  if (Array.isArray(values)) return values.includes(null);
  if ("const" in rest) return rest["const"] === null;
  if (Array.isArray(allOf) && !allOf.every(takesNull)) return false;
  const choices = [anyOf, oneOf].filter((some) => Array.isArray(some));
  return choices.every((some) => some.some(takesNull));
}

const WAIT = "wait_for_previous";

/** @param schemaOf asked only when there is such a hint */
export function withoutClientHints(
  value: unknown,
  schemaOf: () => JsonSchema,
): { readonly value: unknown; readonly dropped: number } {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, WAIT)) return { value, dropped: 0 };
  if (Object.hasOwn(schemaOf().properties ?? {}, WAIT)) return { value, dropped: 0 };
  const rest = Object.entries(value).filter(([name]) => name !== WAIT);
  return { value: Object.fromEntries(rest), dropped: 1 };
}
