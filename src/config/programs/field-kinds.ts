/** The kinds of keys in a configuration file, each with what the key means. */
import * as z from "zod";

/** Schemas of keys that may be left out, each with what it means. */
export const most = (what: string, max: number = Number.MAX_SAFE_INTEGER): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(max).optional().describe(what);
export const flag = (what: string): z.ZodOptional<z.ZodBoolean> => z.boolean().optional().describe(what);
export const text = (what: string): z.ZodOptional<z.ZodString> => z.string().optional().describe(what);
export const names = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().min(1)).optional().describe(what);
export const texts = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string()).optional().describe(what);
export const choice = <const T extends readonly string[]>(
  values: T,
  what: string,
): z.ZodOptional<z.ZodEnum<{ [Value in T[number]]: Value }>> => z.enum(values).optional().describe(what);
