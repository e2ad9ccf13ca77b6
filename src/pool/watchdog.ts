/**
 * The main thread's side of being watched (`src/watch`). It counts four times a second while there is work, so that a
 * thread of its own can see when it does not. The thread is started with the first call, and sleeps when there is no work. Where the
 * main thread runs nothing but our code it is started a quarter of a second later, when the first answer has left: its start takes the
 * second core from the worker that the first call waits for, which is a tenth of that answer.
 */
import { workerUrl } from "./worker-slot.ts";

export interface WatchdogOptions {
  /** For the thread: where the record is. */
  readonly folders: { readonly audit: string; readonly checkpoints: string; readonly keys: string };
  /** Whether something that was begun is not done. */
  readonly isWorking: () => boolean;
  /** Whether code of somebody else runs on this thread, such as tools of a program: its first call may hang. */
  readonly runsForeignCode: boolean;
}

const COUNT_EVERY_MS = 250;
/** After the last call; what it set off may go on for a moment. */
const REST_AFTER_COUNTS = 8;
/** The two cells. */
export const WATCHED_AT_WORK = 0;
export const WATCHED_COUNT = 1;

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #cells: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(8));
  #worker: Worker | undefined;
  #watching: Promise<void> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #left = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /**
   * Before something is begun that could keep this thread.
   * @returns when the thread has the signals, where code of somebody else must wait for that: of a signal that came before nobody
   *   would know any more. `undefined`: nobody need wait
   */
  begin(): Promise<void> | undefined {
    this.#left = REST_AFTER_COUNTS;
    this.#count();
    if (this.#ticker) return this.#watching;
    this.#ticker = setInterval(() => this.#tick(), COUNT_EVERY_MS);
    this.#ticker.unref();
    this.#set(1);
    if (this.#options.runsForeignCode) this.#watching ??= this.#startThread();
    return this.#watching;
  }

  /** @returns when it watches, or has failed to: then the process goes on without it */
  async #startThread(): Promise<void> {
    if (this.#worker) return;
    const worker = new Worker(workerUrl("watch").href, { name: "watch" });
    this.#worker = worker;
    worker.unref();
    await new Promise<void>((resolve) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        resolve();
      });
      worker.addEventListener("close", () => resolve());
      worker.onmessage = () => resolve();
      worker.postMessage({ cells: this.#cells.buffer, ...this.#options.folders });
    });
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
