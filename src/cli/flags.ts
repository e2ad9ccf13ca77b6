/**
 * The flags that several commands share, and what citty leaves out: flags that may be given again, and an error for
 * everything that the command does not know. Nothing that was typed is ever ignored.
 */
import type { ArgsDef, StringArgDef } from "citty";
import type { RawConfig } from "../config/index.ts";
import { nearestNames } from "../text/index.ts";
import { UsageError } from "./usage-error.ts";

const STATE_DIR: StringArgDef = {
  type: "string",
  description: "Where proposals, the record and deleted files are kept.",
  valueHint: "DIR",
};

/** What a host is started with; the same for every command that opens one or says what one would do. */
export const HOST_FLAGS: ArgsDef = {
  root: {
    type: "string",
    description: "A directory that the tools may reach; DIR:ro for reading only. Repeatable.",
    valueHint: "DIR",
  },
  deny: {
    type: "string",
    description: "A glob below each root that no tool may touch. Repeatable.",
    valueHint: "GLOB",
  },
  "allow-root-fs": {
    type: "boolean",
    description: "Allow the whole file system as a root, which is refused otherwise.",
  },
  mode: {
    type: "string",
    description:
      "default: propose changes; accept_edits: apply edits at once; plan: only propose; bypass: apply everything.",
    valueHint: "MODE",
  },
  "state-dir": STATE_DIR,
  results: {
    type: "string",
    description: "text, or structured for results with structuredContent.",
    valueHint: "FORM",
  },
  dialect: {
    type: "string",
    description:
      "Present the tools under the names that a model knows: claude, codex, gemini, filesystem ...",
    valueHint: "NAME",
  },
  "legacy-encoding": {
    type: "string",
    description: "The code page of files that are not Unicode, for example windows-1252.",
    valueHint: "NAME",
  },
  config: {
    type: "string",
    description: "A configuration file (JSON, YAML or TOML) over those of the machine and the user.",
    valueHint: "FILE",
  },
  profile: {
    type: "string",
    description: "Which tools there are: minimal, messaging, coding or full.",
    valueHint: "NAME",
  },
  "read-only": { type: "boolean", description: "Only tools that read." },
  baseline: {
    type: "string",
    description:
      "required: a file is changed only if it was read or its hash is given (if_hash); if_known: a known hash is held to.",
    valueHint: "WHEN",
  },
  ask: {
    type: "string",
    description: "Where a person is asked: client, terminal (the client never is) or both.",
    valueHint: "WHERE",
  },
  audit: {
    type: "string",
    description: "required: no change without a record of it; best-effort: also without.",
    valueHint: "HOW",
  },
  durability: {
    type: "string",
    description: "full: changes survive a crash of the machine; fast: they are not flushed, and may not.",
    valueHint: "HOW",
  },
  "undo-max-bytes": {
    type: "string",
    description: "How much is kept for undo, as 500M or 2G; default 1G. The oldest go first.",
    valueHint: "SIZE",
  },
  "undo-max-age": {
    type: "string",
    description: "How long a change can be undone, as 12h or 30d; default 7d.",
    valueHint: "AGE",
  },
  "answer-bytes": {
    type: "string",
    description:
      "How much text an answer has where its call names no limit, as 64k; default 32k, at most 1M.",
    valueHint: "SIZE",
  },
  "tasks-after-ms": {
    type: "string",
    description:
      "A call that takes longer becomes a task, where the client knows tasks; 0: never. Default 10000.",
    valueHint: "MS",
  },
  fence: {
    type: "string",
    description: "The kernel's own wall around the roots: auto, require (or do not start) or off.",
    valueHint: "WHEN",
  },
  "client-roots": {
    type: "string",
    description: "narrow: the roots that a client offers narrow these; ignore: it is not asked for them.",
    valueHint: "HOW",
  },
  containment: {
    type: "string",
    description: "auto, handle or portable; portable is for tests.",
    valueHint: "WAY",
  },
};

export const STATE_FLAG: ArgsDef = { "state-dir": STATE_DIR };

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

/** What commands have besides what the library has. */
export const COMMAND_DEFAULTS: RawConfig = { fence: "auto" };

export function configFlags(typed: TypedArguments): RawConfig {
  return {
    roots: typed.all("root"),
    allowRootFs: typed.has("allow-root-fs") ? true : undefined,
    deny: typed.all("deny"),
    mode: typed.one("mode"),
    stateDir: typed.one("state-dir"),
    results: typed.one("results"),
    dialect: typed.one("dialect"),
    legacyEncoding: typed.one("legacy-encoding"),
    clientRoots: typed.one("client-roots"),
    containment: typed.one("containment"),
    durability: typed.one("durability"),
    baseline: typed.one("baseline"),
    undoMaxBytes: typed.one("undo-max-bytes"),
    undoMaxAge: typed.one("undo-max-age"),
    answerBytes: typed.one("answer-bytes"),
    tasksAfterMs: numberOf(typed, "tasks-after-ms"),
    fence: typed.one("fence"),
    config: typed.one("config"),
    profile: typed.one("profile"),
    readOnly: typed.has("read-only") ? true : undefined,
    ask: typed.one("ask"),
    audit: typed.one("audit"),
  };
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
  throw new UsageError(
    `there is no flag ${shown}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`,
  );
}

/** A value that begins with two hyphens is more likely a forgotten one; `--name=--value` says it anyway. */
function valueAfter(rawArgs: readonly string[], at: number, name: string): string {
  const value = rawArgs[at];
  if (value === undefined || value.startsWith("--")) throw new UsageError(`--${name} needs a value`);
  return value;
}
