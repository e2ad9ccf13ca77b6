/**
 * The schema of a plain tool as clients take it. Who writes `z.object({ path: z.string() })` means an object with this member
 * and no other; clients want that said, and want words for every member, so both are put in where they are missing.
 */
import * as z from "zod";

export interface CompletedSchema {
  readonly schema: z.ZodType;
  /** What was missing, in words for whoever wrote the tool. */
  readonly missing: readonly string[];
}

/** A schema that says everything comes back as it is. */
export function completeSchema(given: z.ZodType): CompletedSchema {
  const missing: string[] = [];
  return { schema: complete(given, "", missing), missing };
}

/** Where a schema has those that it is made of. */
const INNER: Readonly<Record<string, string>> = {
  array: "element",
  optional: "innerType",
  nullable: "innerType",
  default: "innerType",
  prefault: "innerType",
  nonoptional: "innerType",
  readonly: "innerType",
  catch: "innerType",
  record: "valueType",
  pipe: "in",
  union: "options",
};

type Inner = z.ZodType | readonly z.ZodType[];

function complete(schema: z.ZodType, at: string, missing: string[]): z.ZodType {
  if (schema instanceof z.ZodObject) return completeObject(schema, at, missing);
  const { def } = schema;
  const key = INNER[def.type];
  const inner = key === undefined ? undefined : (def as unknown as Readonly<Record<string, Inner>>)[key];
  if (key === undefined || inner === undefined) return schema;
  const below = key === "element" || key === "valueType" ? `${at}[]` : at;
  const made = Array.isArray(inner)
    ? inner.map((one: z.ZodType) => complete(one, below, missing))
    : complete(inner as z.ZodType, below, missing);
  return isSame(made, inner) ? schema : copyWith(schema, { [key]: made });
}

function isSame(made: Inner, given: Inner): boolean {
  return made === given || (Array.isArray(made) && Array.isArray(given) && made.every((one, at) => one === given[at]));
}

function completeObject(schema: z.ZodObject, at: string, missing: string[]): z.ZodType {
  const members = Object.entries<z.ZodType>(schema.shape);
  const isOpen = schema.def.catchall === undefined;
  if (isOpen) missing.push(`${at === "" ? "its input" : at} was not strict: other arguments are refused now`);
  const shape = Object.fromEntries(
    members.map(([name, member]) => {
      const path = at === "" ? name : `${at}.${name}`;
      const made = complete(member, path, missing);
      const { description, type = "value" } = z.toJSONSchema(made, { io: "input", unrepresentable: "any" });
      if (description !== undefined) return [name, made];
      missing.push(`${path} had no description`);
      return [name, made.describe(`${name} (${String(type)})`)];
    }),
  );
  if (!isOpen && members.every(([name, member]) => shape[name] === member)) return schema;
  return copyWith(schema, { shape, ...(isOpen ? { catchall: z.never() } : {}) });
}

/** With its checks and its words. */
function copyWith(schema: z.ZodType, changed: object): z.ZodType {
  return schema.clone({ ...schema.def, ...changed }, { parent: true });
}
