/** The kinds of keys in a configuration file, each with what the key means. */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";

/** Schemas of keys that may be left out, each with what it means. */
export const maybe = <Schema extends z.ZodMiniType>(schema: Schema, what: string): z.ZodMiniOptional<Schema> =>
  described(z.optional(schema), what);
export const most = (what: string, max: number = Number.MAX_SAFE_INTEGER): z.ZodMiniOptional<z.ZodMiniNumberFormat> =>
  maybe(z.int().check(z.minimum(1), z.maximum(max)), what);
export const flag = (what: string): z.ZodMiniOptional<z.ZodMiniBoolean> => maybe(z.boolean(), what);
export const text = (what: string): z.ZodMiniOptional<z.ZodMiniString> => maybe(z.string(), what);
export const names = (what: string): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> =>
  maybe(z.array(filled()), what);
export const texts = (what: string): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> =>
  maybe(z.array(z.string()), what);
export const choice = <const T extends readonly string[]>(
  values: T,
  what: string,
): z.ZodMiniOptional<z.ZodMiniEnum<{ [Value in T[number]]: Value }>> => maybe(z.enum(values), what);

/** A text that says something. */
export const filled = (): z.ZodMiniString => z.string().check(z.minLength(1));
