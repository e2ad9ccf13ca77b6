/**
 * What a worker is started with: it opens its own roots and enforces its own scope; a job carries paths, never trust.
 */
import type { AnswerBounds } from "../base/index.ts";
import type { HostFacts } from "../contract/index.ts";
import type { MemorySettings } from "../memory/index.ts";
import type { RuleText } from "../policy/index.ts";
import type { ApartProgram } from "../proc/index.ts";
import type { Containment, Narrowed, RootSpec } from "../scope/index.ts";
import type { GitignoreReach } from "../search/index.ts";
import type { HistoryBounds } from "../state/index.ts";
import type { LegacyEncoding } from "../text/index.ts";

export interface ScopeConfig extends Narrowed {
  readonly roots: readonly RootSpec[];
  readonly deny: readonly string[];
  /** Absolute directories that no tool may see. */
  readonly hidden: readonly string[];
  /** Paths that are no secrets whatever their name. */
  readonly except?: readonly string[] | undefined;
  readonly containment: Containment;
}

/** What every worker holds its jobs to. */
export interface WorkerPolicy {
  readonly rules: readonly RuleText[];
  /** For placeholders of secrets in answers, base64; absent: they are not replaced. */
  readonly redactionKey?: string;
  /** Absolute files that are the policy: never changed. */
  readonly configFiles: readonly string[];
  /** Where a person is asked. client: no other process applies what this one proposes. */
  readonly ask: "client" | "terminal" | "both";
}

export interface AnswerLimits extends AnswerBounds {
  /** Bytes of a whole result, by the budget of one call: what pages is cut to it. Absent: there is none. */
  readonly resultBytes?: number | undefined;
  /** Lines of its text, in the same way. */
  readonly resultLines?: number | undefined;
}

export interface WorkerConfig {
  readonly scope: ScopeConfig;
  /** The descriptors of the roots that this process holds; they mean nothing to any other. */
  readonly rootFds: readonly number[];
  readonly stateDir: string;
  readonly policy: WorkerPolicy;
  readonly durability: "full" | "fast";
  readonly undo: HistoryBounds;
  readonly legacyEncoding?: LegacyEncoding;
  /** Unchanged lines around a change in a diff, where a dialect wants other than ours. */
  readonly diffContext?: number;
  readonly ignore?: readonly string[] | undefined;
  readonly gitignore?: GitignoreReach | undefined;
  readonly skip: readonly string[];
  readonly answers: AnswerLimits;
  /** What the configuration says of the memory; absent where there is none. */
  readonly memory?: MemorySettings;
  /** Starts this program for one search; absent where the host may start nothing. */
  readonly apart?: ApartProgram;
  readonly facts: Omit<HostFacts, "containment">;
}

export function parseWorkerConfig(text: string): WorkerConfig {
  return JSON.parse(text) as WorkerConfig;
}
