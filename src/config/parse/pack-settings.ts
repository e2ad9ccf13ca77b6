/**
 * What the configuration says of a pack: read by the pack's readers of simple values where they can, and held to its schemas for
 * everything else. A refused entry is held to all keys of the pack, for the name that was meant.
 */
import * as z from "zod/mini";
import { Failure, isObject } from "../../base/index.ts";
import type { PackConfig, PackPlan, SettingsByKey } from "../../contract/index.ts";
import { describeIssue } from "./describe-issue.ts";
import { safeParse } from "./safe-parse.ts";

type Values = Readonly<Record<string, unknown>>;

/** @throws Failure `invalid_input` that names the key */
export function parsePackSettings(pack: Pick<PackPlan<unknown>, "name" | "config">, given: unknown): unknown {
  const { config } = pack;
  // A pack with one schema for all of its settings may take any object, and gets it as it is.
  if (!("usual" in config) || !isObject(given)) return held(pack, given);
  const told = withoutUndefined(config, given);
  const simple = simpleValues(config, told);
  const rest = Object.fromEntries(Object.entries(told).filter(([key]) => !Object.hasOwn(simple, key)));
  const known = { ...config.usual, ...simple };
  const wanted = Object.keys(config.keys).filter((key) => Object.hasOwn(rest, key) || !Object.hasOwn(known, key));
  // Without a key to look at, no schema is made.
  const isRead = wanted.length === 0 && Object.keys(rest).length === 0;
  const settings = isRead ? known : { ...known, ...(held(pack, rest, wanted) as object) };
  const problem = config.problem?.(settings);
  if (problem !== undefined) throw refused(pack.name, problem);
  return settings;
}

/** A program that has no value for a key may say so. A key that the pack does not have is refused whatever its value is. */
function withoutUndefined({ keys }: SettingsByKey<unknown>, given: Values): Values {
  return Object.fromEntries(
    Object.entries(given).filter(([key, value]) => value !== undefined || !Object.hasOwn(keys, key)),
  );
}

/** The keys whose values need no schema. */
function simpleValues({ simple = {} }: SettingsByKey<unknown>, told: Values): Values {
  const read: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries<(value: unknown) => unknown>(simple)) {
    const value = reader(told[key]);
    if (value !== undefined) read[key] = value;
  }
  return read;
}

/** @param wanted as `packSchema` takes it */
function held(
  { name, config }: Pick<PackPlan<unknown>, "name" | "config">,
  given: unknown,
  wanted?: readonly string[],
): unknown {
  const parsed = safeParse(packSchema(config, wanted), given);
  if (parsed.success) return parsed.data;
  throw refused(name, describeIssue(parsed.error.issues, packSchema(config)));
}

function refused(name: string, problem: string): Failure {
  return new Failure("invalid_input", `Cannot start: packs.${name}: ${problem}`, {
    hint: "Correct the configuration of the pack.",
  });
}

/** @param wanted the keys of the schema, each of which must be there. Default: all keys, and those with a usual value may be left out */
export function packSchema<Settings>(config: PackConfig<Settings>, wanted?: readonly string[]): z.core.$ZodType {
  if (!("usual" in config)) return config;
  const usual: Values = config.usual;
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [key, schemaOf] of Object.entries<() => z.core.$ZodType>(config.keys)) {
    if (wanted?.includes(key) === false) continue;
    const schema = schemaOf();
    if (wanted !== undefined || !Object.hasOwn(usual, key)) shape[key] = schema;
    else shape[key] = usual[key] === undefined ? z.optional(schema) : z._default(schema, usual[key]);
  }
  return z.strictObject(shape);
}
