/**
 * Whether `null` is a value to a schema, or stands for "not set". Clients that fill in every parameter of a schema send it
 * for each optional one that the model left out. Where a schema says too little to know, `null` is taken for a value.
 */
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
