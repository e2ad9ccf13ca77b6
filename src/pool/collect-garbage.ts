/**
 * Large jobs leave their garbage behind at once. The engine collects when its heap has doubled or more, and in a worker
 * that handles one large listing or file after another that is hundreds of megabytes.
 *
 * It takes tens of milliseconds, so nobody may wait for it: a worker collects when nothing has come for a moment. Usual
 * mistake: to wait for that after every large job; one after another they would never be collected.
 */
import { monotonicMs } from "../base/index.ts";

const LONG_JOB_MS = 20;
const LARGE_ANSWER_CHARS: number = 256 * 1024;
/** The next page is asked for sooner than this by a program, and later by a model. */
const QUIET_MS = 25;
/** Large jobs without a quiet moment between them. */
const MAX_OWED = 4;
/** How long one work goes on between two collections. Parts that lie this far apart are not one. */
const WORK_MS = 250;
/** And for as many times as long as the last one took: where much is held it takes tens of milliseconds and frees little. */
const WORK_FOR_ONE = 50;

/**
 * On the main thread, which has nothing to do while a worker makes the next page: the request for it has mostly come by
 * then. A worker waits longer, because it is the one that would make that page.
 */
const NEXT_PAGE_MS = 10;
let isSoon = false;

/** On the main thread: not at once, because the next request would wait for it. */
export function collectSoonAfter(answerChars: number, collect: () => void = () => Bun.gc(true)): void {
  if (answerChars < LARGE_ANSWER_CHARS || isSoon) return;
  isSoon = true;
  const timer = setTimeout(() => {
    isSoon = false;
    collect();
  }, NEXT_PAGE_MS);
  timer.unref();
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
    if (tookMs < LONG_JOB_MS && answerChars < LARGE_ANSWER_CHARS) return false;
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
