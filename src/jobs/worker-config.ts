/**
 * What a worker is started with: it opens its own roots and enforces its own scope; a job carries paths, never trust.
 */
import type { HostFacts } from "../contract/index.ts";
import type { ApartProgram } from "../proc/index.ts";
import type { Containment, RootSpec } from "../scope/index.ts";
import type { HistoryBounds } from "../state/index.ts";
import type { LegacyEncoding } from "../text/index.ts";

export interface ScopeConfig {
  readonly roots: readonly RootSpec[];
  readonly deny: readonly string[];
  /** Absolute directories that no tool may see. */
  readonly hidden: readonly string[];
  /** Canonical directories that the client's roots leave of the roots; absent: all. */
  readonly within?: readonly string[] | undefined;
  readonly containment: Containment;
}

export interface WorkerConfig {
  readonly scope: ScopeConfig;
  /** The descriptors of the roots that this process holds; they mean nothing to any other. */
  readonly rootFds: readonly number[];
  readonly stateDir: string;
  readonly durability: "full" | "fast";
  readonly undo: HistoryBounds;
  readonly legacyEncoding?: LegacyEncoding;
  readonly skip: readonly string[];
  /** Starts this program for one search; absent where the host may start nothing. */
  readonly apart?: ApartProgram;
  readonly facts: Omit<HostFacts, "containment">;
}

export function parseWorkerConfig(text: string): WorkerConfig {
  return JSON.parse(text) as WorkerConfig;
}
