/**
 * How running work learns that it should stop: a deadline that has passed or a caller who left. Work asks often (every
 * few thousand bytes or entries), because nothing else can stop synchronous code in a worker.
 *
 * Usual mistake: asking only between files; one file can be 100 GB.
 */
import { monotonicMs } from "./clock.ts";
import { Failure } from "./failure.ts";

export interface Cancel {
  /** `none` while the work may go on. */
  readonly state: () => "none" | "cancelled" | "timed_out";
}

export const NEVER_CANCELLED: Cancel = { state: () => "none" };

/** Ends the work with a failure when it should stop. For work whose partial result has no use. */
export function throwIfStopped(cancel: Cancel, what: string): void {
  const state = cancel.state();
  if (state === "none") return;
  if (state === "cancelled") throw new Failure("cancelled", `Cannot finish ${what}: the caller cancelled it`);
  throw new Failure("timed_out", `Cannot finish ${what}: the time limit was reached`);
}

/** A deadline on the monotonic clock, joined with a flag that another thread may set. */
export function createCancel(deadlineMs: number, isCancelled: () => boolean): Cancel {
  return {
    state: () => (isCancelled() ? "cancelled" : monotonicMs() > deadlineMs ? "timed_out" : "none"),
  };
}
