/**
 * What a caller asks of the pool, and the job that the pool makes of it.
 */
import type { StopSignal } from "../base/index.ts";

export interface JobRequest {
  readonly name: string;
  readonly input: string;
  readonly timeoutMs: number;
  /** Searches and hashes: they may not take every worker. Bulk gives way to searches. */
  readonly long?: boolean | "bulk";
  readonly signal?: StopSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** Lighter jobs go first. */
export type Rank = 0 | 1 | 2;

export function rankOf({ long = false }: JobRequest): Rank {
  return long === "bulk" ? 2 : long ? 1 : 0;
}

export interface JobProgress {
  readonly done: number;
  readonly total?: number;
  readonly what: string;
}

export interface JobAnswer {
  readonly payload: string;
  readonly facts: string;
}

export interface Job {
  readonly id: number;
  readonly request: JobRequest;
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  readonly resolve: (answer: JobAnswer) => void;
  readonly reject: (failure: Error) => void;
  stopped?: "cancelled" | "timed_out";
  /** The job was answered before its worker came to it. */
  isOver?: true;
  /** What it has asked others to do. */
  readonly parts: Set<Job>;
}
