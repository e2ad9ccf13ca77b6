/**
 * What host and worker share in memory, as 32-bit cells: one flag for each posted job, by which it is cancelled, then
 * what each tells the other without a message.
 */
import { monotonicMs } from "../base/index.ts";

/**
 * Jobs posted to one worker and not yet answered, by rank; each needs a flag by which it can be cancelled. Long ones are
 * all begun, and take turns: a search holds a few megabytes, a hash a descriptor.
 */
export const MAX_POSTED: readonly number[] = [64, 32, 128];
export const CANCEL_FLAGS: number = MAX_POSTED.reduce((sum, most) => sum + most);
/** How many cells there are. */
export const FLAGS: number = CANCEL_FLAGS + 3;
/** The host counts the batches that it has posted. */
export const BATCHES: number = FLAGS - 3;
/** The worker counts the messages that it has posted. */
export const REPLIES: number = FLAGS - 2;
/** The worker names the job that it runs: when it is lost, that one is to blame, and replies may still be unsent. */
export const RUNNING: number = FLAGS - 1;

/**
 * Stays awake until the other side has counted on, at most `forMs`: to wake a sleeping thread costs several times a small
 * read. A caller that asks one thing after another is answered that much sooner; anything else costs the moment, once.
 */
export function waitAwake(flags: Int32Array, counter: number, known: number, forMs: number): void {
  if (navigator.hardwareConcurrency < 2) return;
  const until = monotonicMs() + forMs;
  while (Atomics.load(flags, counter) === known && monotonicMs() < until);
}
