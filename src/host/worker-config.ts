/**
 * What the workers of a host are told of its configuration, and what it says of itself.
 */
import { createSecret, limits } from "../base/index.ts";
import { BUILD, type Config } from "../config/index.ts";
import type { HostFacts } from "../contract/index.ts";
import { describeFence, type FenceState } from "../fence/index.ts";
import type { AnswerLimits, WorkerConfig } from "../jobs/index.ts";
import type { ApartProgram } from "../proc/index.ts";
import type { Narrowed } from "../scope/index.ts";
import type { HeldRoots } from "./hold-roots.ts";
import { loadKey, openStateFolder } from "../state/index.ts";

/** The key for placeholders of secrets, which every worker and every start on one state folder shares. */
export function redactionKey({ stateDir, secrets }: Config): { redactionKey?: string } {
  if (!secrets.redact) return {};
  return { redactionKey: loadKey(openStateFolder(stateDir).keys, "placeholders", createSecret) };
}

export function workerConfig(
  config: Config,
  apart: ApartProgram | undefined,
  facts: Omit<HostFacts, "containment">,
  narrowed: Narrowed,
  { specs: roots, fds: rootFds, memory }: Omit<HeldRoots, typeof Symbol.dispose>,
): WorkerConfig {
  const { deny, containment, stateDir, ignore, gitignore, skip, legacyEncoding, dialect } = config;
  const configFiles = [...new Set([...config.configFiles, ...config.configWay])];
  return {
    scope: { roots, deny, containment, hidden: [stateDir], ...narrowed, except: config.secrets.except },
    policy: { rules: config.rules, configFiles, ask: config.ask, ...redactionKey(config) },
    rootFds,
    stateDir,
    durability: config.durability,
    undo: config.undo,
    ignore,
    gitignore,
    skip,
    answers: answerLimitsOf(config),
    facts,
    ...(memory ? { memory } : {}),
    ...(apart ? { apart } : {}),
    ...(dialect === "filesystem" ? { diffContext: REFERENCE_CONTEXT } : {}),
    ...(legacyEncoding === undefined ? {} : { legacyEncoding }),
  };
}

/** What a budget leaves of an answer's bytes goes to its text as far as it can; the worker that made it looks at the rest. */
function answerLimitsOf({ answerBytes, maxFileBytes, budgets: { call = {} } }: Config): AnswerLimits {
  const { bytes_out: resultBytes = Infinity, lines: resultLines, matches } = call;
  return {
    usualBytes: Math.min(answerBytes, resultBytes),
    mostBytes: Math.min(limits.MAX_READ_BYTES, resultBytes),
    // One result is a line at least.
    mostResults: matches === undefined ? resultLines : Math.min(matches, resultLines ?? matches),
    resultLines,
    maxFileBytes,
    ...(call.bytes_out === undefined ? {} : { resultBytes }),
  };
}

/** As the reference filesystem server shows its diffs. */
const REFERENCE_CONTEXT = 4;

export function factsOf(config: Config, fence: FenceState): Omit<HostFacts, "containment"> {
  return {
    version: BUILD.version,
    platform: `${process.platform}-${process.arch}`,
    runtime: BUILD.runtime,
    mode: config.mode,
    results: config.results,
    answerBytes: config.answerBytes,
    durability: config.durability,
    roots: config.roots.map(({ path, readOnly }) => ({
      path,
      access: readOnly ? "read-only" : "read-write",
    })),
    fence: describeFence(fence),
  };
}
