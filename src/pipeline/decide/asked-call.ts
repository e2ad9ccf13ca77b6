/**
 * A call as data, for what a person allows exactly: its paths with what is done to them, its options, its line and the
 * directory that it runs in. What is left out is what is read in a file or written into it; whatever else a tool takes, also
 * one that nobody has thought of yet, is compared.
 */
import { resolve } from "node:path";
import { canonicalJson } from "../../base/index.ts";
import type { RunRequest, Tool } from "../../contract/index.ts";
import {
  canonicalSubject,
  EFFECTS,
  isPath,
  looksForSecrets,
  type Act,
  type AskedCall,
  type PathTarget,
  type Question,
} from "../../policy/index.ts";
import type { Services } from "../services.ts";

type Targets = Question["targets"];

/** The contents of files, and what says which of them was seen. */
const CONTENT: readonly string[] =
  "content old_text new_text edits patch replacement expect dry_run if_hash if_hashes".split(" ");
/** Paths stand by themselves, as what they lead to. */
const PATHS: readonly string[] = "path paths source destination a b files".split(" ");
/** What part of a file or listing is answered. */
const SHOWN: readonly string[] = "pattern offset limit cursor unless_hash line_numbers".split(" ");
const TOLD: readonly string[] = "description timeout_ms".split(" ");

export function askedCall(tool: Tool, input: unknown, targets: Targets): AskedCall | undefined {
  const acts = targets.flatMap((target): Act[] => {
    if (!isPath(target)) return [actOf(target)];
    const { mode, root, rel, deep } = target;
    return root === undefined || rel === undefined ? [] : [[mode, root, rel, ...(deep ? ["deep"] : [])]];
  });
  // What lies in no root cannot be told apart.
  if (acts.length < targets.length) return undefined;
  const options = optionsOf(tool, input);
  return {
    tool: tool.name,
    part: "call",
    acts: options === "{}" && acts.length > 0 ? acts : [...acts, ["with", options]],
  };
}

function actOf(target: Exclude<Targets[number], PathTarget>): Act {
  switch (target.kind) {
    case "command":
      return ["line", target.line];
    case "url":
      return [target.kind, canonicalSubject(target), target.method.toUpperCase()];
    case "host":
      return [target.kind, canonicalSubject(target)];
    case "record":
      return [target.kind, canonicalSubject(target), target.store, target.mode];
    case "object":
      return [target.kind, canonicalSubject(target), target.mode];
  }
}

/** As `askedCall`, for a call that starts a program. */
export function askedRun(
  { config, narrowed }: Pick<Services, "config" | "narrowed">,
  asked: AskedCall | undefined,
  request: RunRequest,
  line: string,
): AskedCall | undefined {
  if (!asked) return undefined;
  const cwd = resolve(config.roots[0]?.path ?? "/", request.cwd ?? ".");
  const within: Act[] = narrowed.within ? [["within", ...narrowed.within]] : [];
  return { ...asked, acts: [...asked.acts, ["line", line], ["cwd", cwd], ...within] };
}

function optionsOf(tool: Tool, input: unknown): string {
  // What the parameters of other people's tools mean nobody knows, whatever they are called.
  const isOurs = !tool.local && tool.needs === undefined && !EFFECTS[tool.effect].isOpenWorld;
  if (!isOurs || typeof input !== "object" || input === null) return canonicalJson(input);
  const { pattern, operations, ...rest } = input as Readonly<Record<string, unknown>>;
  const free = [...CONTENT, ...PATHS, ...(EFFECTS[tool.effect].onlyReads ? SHOWN : []), ...TOLD];
  return canonicalJson({
    ...without(rest, free),
    // Which of them are looked for is another call.
    ...(typeof pattern === "string" && looksForSecrets(pattern) ? { pattern } : {}),
    // In their order, each with its own paths.
    ...(Array.isArray(operations)
      ? { operations: operations.map((one: Readonly<Record<string, unknown>>) => without(one, CONTENT)) }
      : {}),
  });
}

function without(input: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );
}
