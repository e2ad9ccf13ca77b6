/**
 * Large jobs leave their garbage behind at once. The engine collects when its heap has doubled or more, and in a worker
 * that handles one large listing or file after another that is hundreds of megabytes.
 *
 * Done when the answer has left and no other job is there, so nobody waits for it; where there is never a pause, after some
 * such jobs. A small job is not worth it.
 */
const LONG_JOB_MS = 20;
const LARGE_ANSWER_CHARS: number = 256 * 1024;
/** Whoever calls one tool after the other is faster. */
const PAUSE_MS = 20;
const MAX_OWED = 4;

/** On the main thread: not at once, because a ping may be waiting. */
export function collectSoonAfter(answerChars: number): void {
  if (answerChars >= LARGE_ANSWER_CHARS) setTimeout(() => Bun.gc(true), 0);
}

/** Of one worker: how many of its jobs have left something. */
let owed = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export function oweCollection(tookMs: number, answerChars: number): void {
  if (tookMs >= LONG_JOB_MS || answerChars >= LARGE_ANSWER_CHARS) owed++;
}

/** All answers have left. */
export function pauseBegins(): void {
  if (owed >= MAX_OWED) collect();
  else if (owed > 0) timer = setTimeout(collect, PAUSE_MS);
}

export function pauseEnds(): void {
  clearTimeout(timer);
}

function collect(): void {
  owed = 0;
  Bun.gc(true);
}
