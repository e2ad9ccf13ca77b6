/**
 * How running work learns that it should stop, and how long work lets others have its thread. Work asks both often (every few
 * thousand bytes or entries), because JavaScript runs one piece of code until that lets go, and nothing else can stop it.
 *
 * Usual mistakes: to ask only between files, of which one can be 100 GB; and to keep something across a pause that others use
 * meanwhile, such as the memory of the shared scanner.
 */
import { monotonicMs } from "./clock.ts";
import { Failure } from "./failure.ts";

export interface Cancel {
  /** `none` while the work may go on. */
  readonly state: () => "none" | "cancelled" | "timed_out";
}

/**
 * The part of `AbortSignal` that the pipeline uses, so that a caller may hand in a real one, and a request need not pay
 * for one: it is made for every call, and an `AbortController` costs a microsecond.
 */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
}

export class StopSource implements StopSignal {
  aborted = false;
  #listeners: (() => void)[] | undefined;

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.aborted) listener();
    else (this.#listeners ??= []).push(listener);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners ?? []) listener();
  }
}

export const NEVER_CANCELLED: Cancel = { state: () => "none" };

/** Ends the work with a failure when it should stop. For work whose partial result has no use. */
export function throwIfStopped(cancel: Cancel, what: string): void {
  const state = cancel.state();
  if (state === "none") return;
  if (state === "cancelled") throw new Failure("cancelled", `Cannot finish ${what}: the caller cancelled it`);
  throw new Failure("timed_out", `Cannot finish ${what}: the time limit was reached`);
}

/** How a call fails whose work was stopped from outside. */
export function stoppedCall(why: "cancelled" | "timed_out"): Failure {
  const how = why === "cancelled" ? "it was cancelled" : "the time limit was reached";
  return new Failure(why, `Cannot finish the call: ${how}`);
}

/** A deadline on the monotonic clock, joined with a flag that another thread may set. */
export function createCancel(deadlineMs: number, isCancelled: () => boolean): Cancel {
  return {
    state: () => (isCancelled() ? "cancelled" : monotonicMs() > deadlineMs ? "timed_out" : "none"),
  };
}

/** Keeps work in a set until it has ended. @returns the same work */
export function keepWhileRunning<T>(running: Set<Promise<unknown>>, work: T | Promise<T>): T | Promise<T> {
  if (work instanceof Promise) {
    const end = (): void => void running.delete(work);
    running.add(work);
    work.then(end, end);
  }
  return work;
}

export interface JobTurn {
  /** `undefined`: the work may go on at once. Else a promise of its next turn. */
  pause(): Promise<void> | undefined;
  /** While the work waits for what is done elsewhere, others have the thread. */
  away<T>(elsewhere: Promise<T>): Promise<T>;
}

/** Work in pieces: it yields the promise of its next turn wherever it pauses. A generator costs less than an async function. */
export type InTurns<T> = Generator<Promise<void>, T, void>;

/** Does the work to its end. */
export async function toEnd<T>(work: InTurns<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}
