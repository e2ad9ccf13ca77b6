/**
 * What a thread does when it has nothing to do: it collects what large jobs have left, for which the engine itself would
 * wait until its heap has doubled. Both sides of the pool do so, and all times of it are here.
 *
 * A collection takes tens of milliseconds, so nobody may wait for it. Usual mistakes: to wait for a quiet moment after
 * every large job; one after another they would never be collected. To stay awake for the next message, because waking a
 * thread costs several times a small read: on two cores the thread that stays awake keeps the client, or the thread that
 * it waits for, from running, and a read took twice as long.
 */
import { monotonicMs } from "../base/index.ts";

/** A job that took so long, or answered so much, has left garbage behind. */
const LARGE_JOB_MS = 20;
const LARGE_ANSWER_CHARS: number = 256 * 1024;
/** A program asks for the next page sooner than this, and a model later. */
const QUIET_MS = 25;
/** Large jobs without a quiet moment between them. */
const MAX_OWED = 4;
/**
 * A work of many parts is tidied up so often, and at most for a fiftieth of its time. Parts that lie this far apart are
 * not one.
 */
const WORK_MS = 250;
const WORK_FOR_ONE = 50;
/** Large answers, which leave megabytes on the main thread each, one after another: they are collected for a twentieth of the time. */
const ANSWERS_FOR_ONE = 20;

let isSoon = false;
let restsUntilMs = 0;

/**
 * Collects on the main thread when a large answer has been passed on: not at once, because the next request would wait
 * for it, and for a small part of the time, however many large answers follow each other.
 */
export function collectSoonAfter(
  answerChars: number,
  collect: () => void = () => Bun.gc(true),
  clock: () => number = monotonicMs,
): void {
  if (answerChars < LARGE_ANSWER_CHARS || isSoon) return;
  isSoon = true;
  const work = (): void => {
    isSoon = false;
    const start = clock();
    collect();
    const end = clock();
    restsUntilMs = end + (end - start) * ANSWERS_FOR_ONE;
  };
  setTimeout(work, Math.max(QUIET_MS, restsUntilMs - clock())).unref();
}

/** Collects the garbage of one worker, between its jobs. */
export class GarbageCollection {
  readonly #collect: () => void;
  readonly #clock: () => number;
  #owed = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  #workedFromMs = 0;
  #workedToMs = -Infinity;
  #restsMs = WORK_MS;

  constructor(collect: () => void = () => Bun.gc(true), clock: () => number = monotonicMs) {
    this.#collect = collect;
    this.#clock = clock;
  }

  /** @returns whether it must be done before another job */
  after(tookMs: number, answerChars: number): boolean {
    if (tookMs < LARGE_JOB_MS && answerChars < LARGE_ANSWER_CHARS) return false;
    return ++this.#owed >= MAX_OWED;
  }

  /** Between two parts of a work: the engine itself would wait until each worker has some tens of megabytes. */
  between(): void {
    const start = this.#clock();
    if (start - this.#workedToMs > WORK_MS) this.#workedFromMs = start;
    this.#workedToMs = start;
    if (start - this.#workedFromMs < this.#restsMs) return;
    this.now();
    this.#workedFromMs = this.#workedToMs = this.#clock();
    this.#restsMs = Math.max(WORK_MS, (this.#workedToMs - start) * WORK_FOR_ONE);
  }

  /** Jobs have come: it is put off. */
  putOff(): void {
    clearTimeout(this.#later);
  }

  /** All answers have left. */
  quiet(): void {
    if (this.#owed > 0) this.#later = setTimeout(() => this.now(), QUIET_MS);
  }

  now(): void {
    clearTimeout(this.#later);
    this.#owed = 0;
    this.#collect();
  }
}
