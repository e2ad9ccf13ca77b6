/**
 * What a key of a configuration means, for schemas of `zod/mini`. A face of its own: the other one is loaded with every start, and
 * schemas are made where a configuration has something for them.
 */
import * as z from "zod/mini";

/**
 * Says what a schema is for, and returns it. It must be a fresh one: the words belong to this very schema, and replace others. A
 * check that says so (`z.describe`) would copy the schema, which takes as long as making it.
 */
export function described<Schema extends z.ZodMiniType>(schema: Schema, what: string): Schema {
  z.globalRegistry.add(schema, { description: what });
  return schema;
}
