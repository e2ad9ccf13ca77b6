/**
 * Text into a program's standard input without ever waiting for it: what it does not take is kept up to a limit, and tried
 * again. A program that does not read is found out and given up.
 */
import { closeSync, writeSync } from "node:fs";
import { limits, monotonicMs } from "../base/index.ts";
import { neverWait } from "../sys/index.ts";

const FIRST_AGAIN_MS = 1;
const LAST_AGAIN_MS = 50;
/** So long nothing at all was taken. */
const MAX_STUCK_MS = 60_000;

export class PipeWriter {
  readonly #fd: number;
  readonly #onStuck: () => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #lastTaken = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param fd closed by `close` */
  constructor(fd: number, onStuck: () => void) {
    this.#fd = fd;
    this.#onStuck = onStuck;
    neverWait(fd);
  }

  write(text: string): void {
    if (this.#isClosed) return;
    const bytes = Buffer.from(text, "utf8");
    if (this.#waiting.length === 0) this.#lastTaken = monotonicMs();
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > limits.MAX_UPSTREAM_QUEUE_BYTES) this.#giveUp();
    else if (!this.#timer) this.#flush(FIRST_AGAIN_MS);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    closeSync(this.#fd);
  }

  #flush(againMs: number): void {
    this.#timer = undefined;
    const before = this.#bytes;
    try {
      for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
        const taken = writeSync(this.#fd, first);
        this.#bytes -= taken;
        if (taken === first.length) this.#waiting.shift();
        else this.#waiting[0] = first.subarray(taken);
      }
      return;
    } catch (thrown) {
      // Whoever reads it has ended, and that is told elsewhere.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return this.close();
    }
    const now = monotonicMs();
    if (this.#bytes < before) this.#lastTaken = now;
    if (now - this.#lastTaken > MAX_STUCK_MS) return this.#giveUp();
    const wait = this.#bytes < before ? FIRST_AGAIN_MS : Math.min(againMs * 2, LAST_AGAIN_MS);
    this.#timer = setTimeout(() => this.#flush(wait), wait);
  }

  #giveUp(): void {
    this.close();
    this.#onStuck();
  }
}
