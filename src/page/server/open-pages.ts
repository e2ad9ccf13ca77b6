/**
 * The pages that are open: each reads a stream of lines, in which what waits is told as it changes. A page is open as long as
 * its stream is; when the last one has been gone for long, the server has no more to do.
 */
import { CLOCK, type Timer } from "../../base/index.ts";
import type { QueueItem } from "../protocol.ts";

/** More pages of one person are a mistake. */
const MAX_PAGES = 16;
/** Below the time after which the runtime closes a silent connection. */
const ALIVE_EVERY_MS = 10_000;

export interface PageWatch {
  /** So many are open; `isNew`: one has come. */
  readonly onPages: (open: number, isNew: boolean) => void;
  readonly onIdle: () => void;
  readonly idleMs: number;
}

export class OpenPages {
  readonly #watch: PageWatch;
  readonly #pages: Set<ReadableStreamDefaultController<Uint8Array>> = new Set();
  #queue: readonly QueueItem[] | undefined;
  #idle: Timer | undefined;

  constructor(watch: PageWatch) {
    this.#watch = watch;
    this.#rest();
    setInterval(() => this.#tellAll({}), ALIVE_EVERY_MS);
  }

  tellQueue(queue: readonly QueueItem[]): void {
    this.#queue = queue;
    this.#tellAll({ queue });
  }

  /** @returns `undefined` when too many are open */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#pages.size >= MAX_PAGES) return undefined;
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#pages.add(controller);
        this.#idle?.[Symbol.dispose]();
        this.#watch.onPages(this.#pages.size, true);
        controller.enqueue(lineOf(this.#queue ? { queue: this.#queue } : {}));
      },
      cancel: () => {
        if (own) this.#leave(own);
      },
    });
  }

  #tellAll(word: object): void {
    const line = lineOf(word);
    for (const page of this.#pages) {
      try {
        page.enqueue(line);
      } catch {
        this.#leave(page);
      }
    }
  }

  #leave(page: ReadableStreamDefaultController<Uint8Array>): void {
    if (!this.#pages.delete(page)) return;
    this.#watch.onPages(this.#pages.size, false);
    if (this.#pages.size === 0) this.#rest();
  }

  #rest(): void {
    this.#idle = CLOCK.after(this.#watch.idleMs, () => this.#watch.onIdle());
  }
}

function lineOf(word: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(word)}\n`);
}
