/**
 * What a key of a configuration means, for schemas of `zod/mini`. A face of its own: the other one is loaded with every start, and
 * schemas are made where a configuration has something for them.
 */
import * as z from "zod/mini";

/**
 * Says what a schema is for. The schema that is given is changed, so it has to be a fresh one: a copy would take a start as long as
 * making the schema does.
 */
export function described<Schema extends z.ZodMiniType>(schema: Schema, what: string): Schema {
  z.globalRegistry.add(schema, { description: what });
  return schema;
}
