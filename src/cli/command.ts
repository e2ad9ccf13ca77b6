/**
 * What a command is, and how its command line is read: every flag that it has, flags that may be given again, and an error
 * for everything that it does not know. Nothing that was typed is ever ignored.
 */
import { Failure, type FailureCode } from "../base/index.ts";
import { flagName, optionRows, settingName, type Option, type RawConfig } from "../config/index.ts";
import { joinWords, nearestNames } from "../text/index.ts";

export interface CliCommand {
  /** One line of the help. */
  readonly about: string;
  /** The arguments that stand before the flags, as the help shows them. */
  readonly takes?: string;
  /** How many such arguments there may be. Default none. */
  readonly most?: number;
  readonly flags: Flags;
  /** Command lines that can be pasted. */
  readonly examples: readonly string[];
  readonly run: (typed: TypedArguments) => ExitCode | Promise<ExitCode>;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Flag {
  readonly about: string;
  /** What the help shows for its value; absent: it has none. */
  readonly value?: string;
  /** All values that there are, where they can be listed. */
  readonly choices?: readonly string[];
}

/**
 * 0: done · 1: the tool, proposal or check failed · 2: the command line was wrong, or `guard` could not judge a call · 3: the host
 * could not work · 4: nothing is wrong, and a rule allows more than it seems to · 5: a replay ended otherwise than the session did ·
 * 6: not all of an import could be carried over. Scripts branch on them.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, host: 3, wide: 4, differs: 5, partly: 6 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a command that a failure of this code has ended: where no host could work, nothing can be said of what was asked. */
const EXIT_OF: Readonly<Record<FailureCode, ExitCode>> = {
  invalid_input: EXIT.usage,
  not_found: EXIT.failed,
  already_exists: EXIT.failed,
  outside_scope: EXIT.failed,
  denied: EXIT.host,
  needs_approval: EXIT.failed,
  not_text: EXIT.failed,
  too_large: EXIT.failed,
  no_match: EXIT.failed,
  ambiguous: EXIT.failed,
  stale: EXIT.failed,
  conflict: EXIT.failed,
  busy: EXIT.host,
  timed_out: EXIT.host,
  cancelled: EXIT.failed,
  command_failed: EXIT.failed,
  unsupported: EXIT.host,
  disk_full: EXIT.host,
  over_budget: EXIT.failed,
  internal: EXIT.host,
};

/** A host that does not start, for whatever reason. */
class StartFailure extends Failure {}

export function exitOf(failure: Failure): ExitCode {
  const code = EXIT_OF[failure.code];
  return failure instanceof StartFailure && code === EXIT.failed ? EXIT.host : code;
}

/** Starts a host. @throws StartFailure, so that a root that is missing is not taken for something that was asked for */
export async function starting<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (thrown) {
    throw thrown instanceof Failure ? new StartFailure(thrown.code, thrown.message, thrown.data) : thrown;
  }
}

/** The error for a wrong command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The flags of the options that a command has. */
function optionFlags(isWanted: (key: string, option: Option) => boolean): Flags {
  const rows = optionRows().flatMap(([key, option]) => {
    const { takes, help, flag } = option;
    if (flag === undefined || !isWanted(key, option)) return [];
    const about = takes === "list" ? `${help} Repeatable.` : help;
    const choices = Array.isArray(takes) ? { choices: takes as readonly string[] } : {};
    return [[flagName(key), flag === true ? { about } : { about, value: flag, ...choices }]];
  });
  return Object.fromEntries(rows) as Flags;
}

/** The flags of every command that opens a host or says what one would do. */
export const HOST_FLAGS: Flags = optionFlags((_, { command }) => command === undefined);
export const SERVE_FLAGS: Flags = optionFlags(() => true);
export const STATE_FLAG: Flags = optionFlags((key) => key === "state_dir");
export const JSON_FLAG: Flags = { json: { about: "Print JSON." } };
/** The flags of a command that prints a list. */
export const LIST_FLAGS: Flags = { ...JSON_FLAG, wide: { about: "At a terminal: cut no cell to its width." } };

/** What was typed after the name of a command. */
export interface TypedArguments {
  /** All of it, as it was typed. */
  readonly raw: readonly string[];
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
export function parseFlags(raw: readonly string[], known: Flags, most = 0): TypedArguments {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at++) {
    const arg = raw[at] ?? "";
    if (arg === "--") {
      positionals.push(...raw.slice(at + 1));
      break;
    }
    if (!/^-./.test(arg)) {
      positionals.push(arg);
      continue;
    }
    const { name, value } = splitFlag(arg, known);
    const takesValue = known[name]?.value !== undefined;
    if (!takesValue && value !== undefined) throw new UsageError(`--${name} takes no value`);
    const given = takesValue ? (value ?? valueAfter(raw, ++at, name)) : "";
    values.set(name, [...(values.get(name) ?? []), given]);
  }
  const extra = positionals[most];
  if (extra !== undefined) throw new UsageError(`the argument ${JSON.stringify(extra)} is one too many`);
  return {
    raw,
    positionals,
    all: (name) => values.get(name) ?? [],
    one: (name) => values.get(name)?.at(-1),
    has: (name) => values.has(name),
  };
}

function splitFlag(arg: string, known: Flags): { name: string; value: string | undefined } {
  const [, name = "", value] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
  if (arg.startsWith("--") && Object.hasOwn(known, name)) return { name, value };
  const shown = arg.startsWith("--") ? `--${name}` : arg;
  throw new UsageError(`there is no flag ${shown}${didYouMean(name, Object.keys(known), "--")}`);
}

/** @returns "; did you mean NAME?", or nothing */
export function didYouMean(name: string, known: readonly string[], prefix = ""): string {
  const [nearest] = nearestNames(name, known, 1);
  return nearest === undefined ? "" : `; did you mean ${prefix}${nearest}?`;
}

/** Refuses a value that begins with two hyphens, because it is more likely forgotten; `--name=--value` gives one. */
function valueAfter(raw: readonly string[], at: number, name: string): string {
  const value = raw[at];
  if (value === undefined || value.startsWith("--")) throw new UsageError(`--${name} needs a value`);
  return value;
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
  const text = typed.one(name);
  if (takes !== "number" || text === undefined) return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
}

/** @throws UsageError for an action that the command does not have */
export function actionOf<T>(command: string, actions: Readonly<Record<string, T>>, action: string): T {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run !== undefined) return run;
  throw new UsageError(`${command} takes ${joinWords(Object.keys(actions), "or")}, not ${JSON.stringify(action)}`);
}
