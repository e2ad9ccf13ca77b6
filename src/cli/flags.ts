/**
 * The flags that several commands share, and what citty leaves out: flags that may be given again, and an error for
 * everything that the command does not know. Nothing that was typed is ever ignored.
 */
import type { ArgsDef } from "citty";
import { flagName, optionRows, settingName, type Option, type RawConfig } from "../config/index.ts";
import { nearestNames } from "../text/index.ts";
import { UsageError } from "./usage-error.ts";

/** The flags of the options that a command has. */
function optionFlags(isWanted: (key: string, option: Option) => boolean): ArgsDef {
  const rows = optionRows().flatMap(([key, option]) => {
    const { takes, help, flag } = option;
    if (flag === undefined || !isWanted(key, option)) return [];
    const description = takes === "list" ? `${help} Repeatable.` : help;
    const value = flag === true ? { type: "boolean" } : { type: "string", valueHint: flag };
    return [[flagName(key), { ...value, description }]];
  });
  return Object.fromEntries(rows) as ArgsDef;
}

/** The flags of every command that opens a host or says what one would do. */
export const HOST_FLAGS: ArgsDef = optionFlags((_, { command }) => command === undefined);
export const SERVE_FLAGS: ArgsDef = optionFlags(() => true);
export const JSON_FLAG: ArgsDef = { json: { type: "boolean", description: "Print JSON." } };
export const STATE_FLAG: ArgsDef = optionFlags((key) => key === "state_dir");

/** What was typed after the name of a command. */
export interface TypedArguments {
  readonly positionals: readonly string[];
  /** Every value of a flag that may be given again, in order. */
  all(name: string): readonly string[];
  /** The last value of a flag. */
  one(name: string): string | undefined;
  has(name: string): boolean;
}

/**
 * @param most how many arguments that are not flags the command takes
 * @throws UsageError for an unknown flag, with the nearest one; a missing value; an argument too many
 */
export function parseFlags(rawArgs: readonly string[], known: ArgsDef, most = 0): TypedArguments {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (let at = 0; at < rawArgs.length; at++) {
    const arg = rawArgs[at] ?? "";
    if (arg === "--") {
      positionals.push(...rawArgs.slice(at + 1));
      break;
    }
    if (!/^-./.test(arg)) {
      positionals.push(arg);
      continue;
    }
    const { name, value } = splitFlag(arg, known);
    const takesValue = known[name]?.type === "string";
    if (!takesValue && value !== undefined) throw new UsageError(`--${name} takes no value`);
    const given = takesValue ? (value ?? valueAfter(rawArgs, ++at, name)) : "";
    values.set(name, [...(values.get(name) ?? []), given]);
  }
  const extra = positionals[most];
  if (extra !== undefined) throw new UsageError(`the argument ${JSON.stringify(extra)} is one too many`);
  return {
    positionals,
    all: (name) => values.get(name) ?? [],
    one: (name) => values.get(name)?.at(-1),
    has: (name) => values.has(name),
  };
}

/** Settings in which commands differ from the library. */
export const COMMAND_DEFAULTS: RawConfig = { fence: "auto" };

export function configFlags(typed: TypedArguments): RawConfig {
  const said = optionRows().flatMap(([key, option]) =>
    option.flag === undefined ? [] : [[settingName(key), valueOf(typed, flagName(key), option)]],
  );
  return Object.fromEntries(said) as RawConfig;
}

function valueOf(typed: TypedArguments, name: string, { takes }: Option): RawConfig[keyof RawConfig] {
  if (takes === "list") return typed.all(name);
  if (takes === "switch") return typed.has(name) ? true : undefined;
  return takes === "number" ? numberOf(typed, name) : typed.one(name);
}

/** @throws UsageError */
function numberOf(typed: TypedArguments, name: string): number | undefined {
  const text = typed.one(name);
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
}

function splitFlag(arg: string, known: ArgsDef): { name: string; value: string | undefined } {
  const [, name = "", value] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
  if (arg.startsWith("--") && Object.hasOwn(known, name)) return { name, value };
  const [nearest] = nearestNames(name, Object.keys(known), 1);
  const shown = arg.startsWith("--") ? `--${name}` : arg;
  throw new UsageError(`there is no flag ${shown}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`);
}

/** Refuses a value that begins with two hyphens, because it is more likely forgotten; `--name=--value` gives one. */
function valueAfter(rawArgs: readonly string[], at: number, name: string): string {
  const value = rawArgs[at];
  if (value === undefined || value.startsWith("--")) throw new UsageError(`--${name} needs a value`);
  return value;
}
