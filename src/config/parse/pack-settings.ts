/**
 * What the configuration says of a pack, held to the schema of the pack. A refused entry is held to all keys of the pack, for
 * the name that was meant.
 */
import * as z from "zod/mini";
import { Failure, isObject } from "../../base/index.ts";
import type { PackConfig, PackPlan } from "../../contract/index.ts";
import { describeIssue } from "./describe-issue.ts";
import { safeParse } from "./safe-parse.ts";

/** @throws Failure `invalid_input` that names the key */
export function parsePackSettings(
  { name, config }: Pick<PackPlan<unknown>, "name" | "config">,
  given: unknown,
): unknown {
  // A schema of somebody else may take any object, and gets it as it is.
  const told = "usual" in config && isObject(given) ? withoutUndefined(given) : given;
  const parsed = safeParse(packSchema(config, Object.keys(Object(told) as object)), told);
  if (parsed.success) return "usual" in config ? { ...config.usual, ...(parsed.data as object) } : parsed.data;
  throw new Failure(
    "invalid_input",
    `Cannot start: packs.${name}: ${describeIssue(parsed.error.issues, packSchema(config))}`,
    { hint: "Correct the configuration of the pack." },
  );
}

/** A program that has no value for a key may say so. */
function withoutUndefined(given: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @param wanted the keys that are there, and those that must be; of the others it knows nothing. Default: all keys */
export function packSchema<Settings>(config: PackConfig<Settings>, wanted?: readonly string[]): z.core.$ZodType {
  if (!("usual" in config)) return config;
  const usual: Readonly<Record<string, unknown>> = config.usual;
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [key, schemaOf] of Object.entries<() => z.core.$ZodType>(config.keys)) {
    if (!Object.hasOwn(usual, key) || wanted?.includes(key)) shape[key] = schemaOf();
    else if (wanted === undefined)
      shape[key] = usual[key] === undefined ? z.optional(schemaOf()) : z._default(schemaOf(), usual[key]);
  }
  return z.strictObject(shape);
}
