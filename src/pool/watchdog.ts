/**
 * The main thread's side of being watched (`src/watch`). It counts four times a second while there is work, so that a
 * thread of its own can see when it does not. The thread is started with the first call, and sleeps when there is no work. Where the
 * main thread runs nothing but our code it is started a quarter of a second later, when the first answer has left: its start takes the
 * second core from the worker that the first call waits for, which is a tenth of that answer.
 */
import { CLOCK, logLine } from "../base/index.ts";
import { workerUrl } from "./worker-slot.ts";

export interface WatchdogOptions {
  /** For the thread: where the record is. */
  readonly folders: { readonly audit: string; readonly checkpoints: string; readonly keys: string };
  /** Whether something that was begun is not done, also where it only waits: it may go on in code of somebody else at any time. */
  readonly isWorking: () => boolean;
  /** Whether code of somebody else runs on this thread, such as tools of a program: its first call may hang. */
  readonly runsForeignCode: boolean;
}

const COUNT_EVERY_MS = 250;
/** After the last call; what it set off may go on for a moment. */
const REST_AFTER_COUNTS = 8;
/** The cells of the shared memory, by number. */
export const WATCHED_AT_WORK = 0;
export const WATCHED_COUNT = 1;
/** 1 while the thread has the signals. */
export const WATCHED_HELD = 2;
const CELLS = 3;
/** A thread takes some tens of milliseconds to start, and less than one to wake. The host goes on without it after so long. */
const START_MS = 2000;
const HOLD_MS = 100;

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #cells: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4 * CELLS));
  /** Resolves to whether it watches. */
  #thread: Promise<boolean> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #left = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /**
   * Before something is begun that could keep this thread.
   * @returns where code of somebody else runs, when the thread has the signals: one that came before would be this thread's to hear,
   *   which may hang by then. Never rejects. `undefined`: nobody need wait
   */
  begin(): Promise<void> | undefined {
    this.#work();
    return this.#options.runsForeignCode ? this.#untilHeld() : undefined;
  }

  async #untilHeld(): Promise<void> {
    if (!(await this.#startThread())) return;
    // It may have gone to rest meanwhile.
    this.#work();
    Atomics.wait(this.#cells, WATCHED_HELD, 0, HOLD_MS);
  }

  #work(): void {
    this.#left = REST_AFTER_COUNTS;
    this.#count();
    if (this.#ticker) return;
    this.#ticker = setInterval(() => this.#tick(), COUNT_EVERY_MS);
    this.#ticker.unref();
    this.#set(1);
  }

  #startThread(): Promise<boolean> {
    const input = { cells: this.#cells.buffer, ...this.#options.folders };
    return (this.#thread ??= startThread(input, () => {
      this.#thread = Promise.resolve(false);
    }));
  }

  #tick(): void {
    void this.#startThread();
    this.#count();
    if (this.#options.isWorking()) this.#left = REST_AFTER_COUNTS;
    if (--this.#left > 0) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#set(0);
  }

  /** Nobody is woken for it. */
  #count(): void {
    Atomics.add(this.#cells, WATCHED_COUNT, 1);
  }

  #set(atWork: 0 | 1): void {
    Atomics.store(this.#cells, WATCHED_AT_WORK, atWork);
    Atomics.notify(this.#cells, WATCHED_AT_WORK);
  }
}

/** @param onGone called when it has ended. @returns whether it has said that it watches. Without it the process goes on */
async function startThread(input: object, onGone: () => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  using _ = CLOCK.after(START_MS, () => resolve(false));
  try {
    const worker = new Worker(workerUrl("watch").href, { name: "watch" });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      resolve(false);
    });
    worker.addEventListener("close", () => {
      resolve(false);
      onGone();
    });
    worker.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
    worker.postMessage(input);
    const watches = await promise;
    worker.unref();
    return watches;
  } catch (thrown) {
    logLine(`nobody watches the main thread: ${String(thrown)}`);
    return false;
  }
}
