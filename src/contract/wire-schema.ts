/**
 * A tool's zod schema as clients take it: one flat object, no `$ref`, no combinators at the root, no type arrays, every
 * property described, `additionalProperties: false`. Some clients drop every tool of a server over one schema that they
 * do not like, so a schema that breaks these rules is an error here, at start and in a test, not there.
 */
import * as z from "zod";
import { Failure } from "../base/index.ts";

export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [keyword: string]: unknown;
}

export interface ParsedArguments<T = unknown> {
  readonly input: T;
  /** How many of them were put right first: another name or type, `null` for one that is not set, a hint of the client. */
  readonly repaired: number;
}

/** Arguments that are described by somebody else's JSON Schema. */
export interface RemoteInput {
  readonly wire: JsonSchema;
  /** @throws Failure `invalid_input` that names the arguments, `too_large` */
  read(tool: string, given: unknown): ParsedArguments;
}

/** What describes the arguments of a tool, and reads them. */
export type ToolInput = z.ZodType | RemoteInput;

const cache = new WeakMap<z.ZodType, JsonSchema>();

/** @throws Error when the schema cannot be put on the wire: a bug of the tool */
export function inputSchemaOf(tool: { readonly name: string; readonly input: ToolInput }): JsonSchema {
  if ("wire" in tool.input) return tool.input.wire;
  const known = cache.get(tool.input);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: "input",
    target: "draft-2020-12",
  }) as JsonSchema & { $schema?: string };
  const flat = strip(schema) as JsonSchema;
  const broken = findBrokenRule(flat, "");
  if (broken) throw new Error(`the input schema of "${tool.name}" cannot go on the wire: ${broken}`);
  cache.set(tool.input, flat);
  return flat;
}

/**
 * For a tool that somebody else has written: `tools/list` of the whole host would fail with one such schema.
 *
 * @throws Failure `invalid_input`
 */
export function checkInput(tool: { readonly name: string; readonly input: ToolInput }): void {
  try {
    inputSchemaOf(tool);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "it is no schema";
    throw new Failure("invalid_input", `Cannot register the tool "${tool.name}": ${why}`, {
      hint: "Its input must be one strict object of values that JSON has, each with a description.",
      cause: thrown,
    });
  }
}

/** The schemas of the parameters; none for a tool whose arguments are no object of ours. */
export function parametersOf({ input }: { readonly input: ToolInput }): Readonly<Record<string, z.ZodType>> {
  return input instanceof z.ZodObject ? input.shape : {};
}

export function outputSchemaOf(output: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    io: "output",
    target: "draft-2020-12",
    unrepresentable: "any",
  }) as JsonSchema & { $schema?: string };
  return strip(schema) as JsonSchema;
}

/**
 * zod writes safe-integer bounds on every integer, and of an open object that the rest may be anything; both are said
 * by saying nothing, and only cost attention. The least length of a text in a list breaks the guided decoding of some
 * servers of models; it is held when the call is read.
 */
function strip(schema: unknown, isInList = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => strip(one, isInList));
  if (typeof schema !== "object" || schema === null) return schema;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if ((key === "minimum" || key === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER) continue;
    if (key === "additionalProperties" && isEmpty(value)) continue;
    if (key === "minLength" && isInList && typeof value === "number") continue;
    out[key] = strip(value, isInList || key === "items");
  }
  return out;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function findBrokenRule(schema: JsonSchema, at: string): string | undefined {
  if (at === "" && schema.type !== "object") return "the root is not an object";
  for (const keyword of ["$ref", "$defs", "oneOf", "allOf", "if"])
    if (keyword in schema) return `${at || "the root"} uses ${keyword}`;
  if (Array.isArray(schema.type)) return `${at} has a list of types`;
  if (at === "" && schema.anyOf) return "the root uses anyOf";
  if (schema.type === "array" && !schema.items) return `${at} is an array without items`;
  if (schema.type === "object" && schema.properties && schema["additionalProperties"] !== false)
    return `${at || "the root"} is not strict`;
  if (at !== "" && !at.endsWith("[]") && schema.description === undefined) return `${at} has no description`;
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    const broken = findBrokenRule(value, at === "" ? name : `${at}.${name}`);
    if (broken) return broken;
  }
  return schema.items ? findBrokenRule(schema.items, `${at}[]`) : undefined;
}
