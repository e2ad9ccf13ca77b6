/**
 * The flags that several commands share, and what citty leaves out: flags that may be given again, and an error for
 * those that do not exist.
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

/** What a host is started with; the same for `serve`, `call` and `tools`. */
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
  "legacy-encoding": {
    type: "string",
    description: "The code page of files that are not Unicode, for example windows-1252.",
    valueHint: "NAME",
  },
  containment: {
    type: "string",
    description: "auto, handle or portable; portable is for tests.",
    valueHint: "WAY",
  },
};

export const STATE_FLAG: ArgsDef = { "state-dir": STATE_DIR };

export function configFlags(rawArgs: readonly string[]): RawConfig {
  const one = (name: string): string | undefined => valuesOf(rawArgs, name).at(-1);
  return {
    roots: valuesOf(rawArgs, "root"),
    deny: valuesOf(rawArgs, "deny"),
    mode: one("mode"),
    stateDir: one("state-dir"),
    results: one("results"),
    legacyEncoding: one("legacy-encoding"),
    containment: one("containment"),
  };
}

/** Every value of `--name VALUE` and `--name=VALUE`, in order. @throws UsageError when the value is missing */
export function valuesOf(rawArgs: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawArgs.length && rawArgs[at] !== "--"; at++) {
    const arg = rawArgs[at] ?? "";
    if (arg.startsWith(`--${name}=`)) values.push(arg.slice(name.length + 3));
    if (arg !== `--${name}`) continue;
    const value = rawArgs[++at];
    if (value === undefined || value.startsWith("--")) throw new UsageError(`--${name} needs a value`);
    values.push(value);
  }
  return values;
}

/** @throws UsageError that names the nearest flag */
export function refuseUnknownFlags(rawArgs: readonly string[], known: ArgsDef): void {
  const names = Object.keys(known);
  for (const arg of rawArgs) {
    if (arg === "--") return;
    const name = /^--([A-Za-z][^=]*)/.exec(arg)?.[1];
    if (name === undefined || names.includes(name)) continue;
    const [nearest] = nearestNames(name, names, 1);
    throw new UsageError(
      `there is no flag --${name}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`,
    );
  }
}

/** The arguments that are neither flags nor their values. */
export function positionals(rawArgs: readonly string[], known: ArgsDef): string[] {
  const found: string[] = [];
  for (let at = 0; at < rawArgs.length; at++) {
    const arg = rawArgs[at] ?? "";
    if (arg === "--") return [...found, ...rawArgs.slice(at + 1)];
    const name = /^--([A-Za-z][^=]*)$/.exec(arg)?.[1];
    if (name !== undefined && known[name]?.type === "string") at++;
    else if (!arg.startsWith("--")) found.push(arg);
  }
  return found;
}
