/**
 * What a caller asks of the pool, and the job that the pool makes of it.
 */
import type { StopSignal } from "../base/index.ts";

export interface JobRequest {
  readonly name: string;
  readonly input: string;
  readonly timeoutMs: number;
  /** Searches and hashes: they may not take every worker. */
  readonly long?: boolean;
  readonly signal?: StopSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
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
  /** What it has asked others to do. */
  readonly parts: Set<Job>;
}
