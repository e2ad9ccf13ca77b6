/**
 * Large jobs leave their garbage behind at once. The engine collects when its heap has doubled or more, and in a worker
 * that handles one large listing or file after another that is hundreds of megabytes.
 *
 * Done after the answer has left, so nobody waits for it; a small job is not worth it.
 */
const LONG_JOB_MS = 20;
const LARGE_ANSWER_CHARS: number = 256 * 1024;

/** On the main thread: not at once, because a ping may be waiting. */
export function collectSoonAfter(answerChars: number): void {
  if (answerChars >= LARGE_ANSWER_CHARS) setTimeout(() => Bun.gc(true), 0);
}

export function collectAfter(tookMs: number, answerChars: number): void {
  if (tookMs >= LONG_JOB_MS || answerChars >= LARGE_ANSWER_CHARS) Bun.gc(true);
}
