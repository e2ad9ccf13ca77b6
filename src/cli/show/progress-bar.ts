/**
 * One line about work that takes long: how much is done, how fast, and how long the rest may take. It is written over itself and
 * is gone at the end, so that nothing of it stays among the results. Where the cursor cannot be moved there is none.
 */
import type { Clock } from "../../base/index.ts";
import { escapeLine, formatBytes, sayProgress } from "../../text/index.ts";
import { cutCell } from "./fit-table.ts";
import { saySpan } from "./say-time.ts";
import type { StreamLook } from "./stream-look.ts";

/** More often than this nobody can read. */
const DRAW_EVERY_MS = 100;
/** The rate is that of so long, because work gets slower and faster. */
const RATE_OF_MS = 5000;
/** A rate of less says nothing yet. */
const LEAST_MS = 500;
const BAR_CHARS = 20;
/** Narrower terminals have the words alone. */
const LEAST_WIDTH_OF_BAR = 60;

interface Sample {
  readonly at: number;
  readonly done: number;
}

export class ProgressBar implements Disposable {
  readonly #look: StreamLook;
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  #samples: Sample[] = [];
  #notBefore = -Infinity;
  #isShown = false;

  constructor(look: StreamLook, clock: Clock, write: (text: string) => void) {
    this.#look = look;
    this.#clock = clock;
    this.#write = write;
  }

  /** @param what as for `sayProgress` */
  readonly show = (done: number, total: number | undefined, what: string): void => {
    if (!this.#look.canRedraw) return;
    const at = this.#clock.monotonicMs();
    // Work that begins anew, as the next phase of a call, has a rate of its own.
    if (done < (this.#samples.at(-1)?.done ?? 0)) this.#samples = [];
    this.#samples.push({ at, done });
    while ((this.#samples[1]?.at ?? at) < at - RATE_OF_MS) this.#samples.shift();
    if (at < this.#notBefore) return;
    this.#notBefore = at + DRAW_EVERY_MS;
    this.#isShown = true;
    this.#write(`\r\u001b[K${this.#line(done, total, what)}`);
  };

  /** Leaves the line as it was before. */
  clear(): void {
    if (this.#isShown) this.#write("\r\u001b[K");
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #line(done: number, total: number | undefined, what: string): string {
    const { width = Infinity } = this.#look;
    const rate = this.#rate();
    const isCounted = total !== undefined && total > 0;
    const left = isCounted && rate > 0 ? `${saySpan((1000 * Math.max(0, total - done)) / rate)} left` : "";
    const parts = [
      isCounted && width >= LEAST_WIDTH_OF_BAR ? barOf(Math.min(1, done / total)) : "",
      isCounted ? `${Math.floor((100 * Math.min(done, total)) / total)} %`.padStart(5) : "",
      escapeLine(sayProgress(done, total, what)),
      rate > 0 ? sayRate(rate, what) : "",
      left,
    ];
    // In the last column some terminals go to the next line.
    return cutCell(parts.filter((part) => part !== "").join("  "), width - 1);
  }

  /** Units in a second; 0 while it is not known. */
  #rate(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < LEAST_MS) return 0;
    return (1000 * (last.done - first.done)) / (last.at - first.at);
  }
}

function barOf(share: number): string {
  const full = Math.floor(share * BAR_CHARS);
  return `[${"#".repeat(full)}${".".repeat(BAR_CHARS - full)}]`;
}

function sayRate(rate: number, what: string): string {
  if (what.startsWith("bytes ")) return `${formatBytes(Math.round(rate))}/s`;
  return what.startsWith("entries ") ? `${Math.round(rate)}/s` : "";
}
