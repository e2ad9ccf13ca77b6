/**
 * A clock that stands still until a test lets time pass: what waits on it waits for as long as the test likes, whatever
 * the machine, and what it measures is exact.
 *
 * Usual mistake: to let time pass before anybody waits. `passWhenAsked` waits for who waits.
 */
import type { Clock, Timer } from "../../src/base/index.ts";
import { until } from "../waits/until.ts";

interface Waiting {
  readonly ms: number;
  readonly atMs: number;
  readonly work: () => void;
}

export class HandClock implements Clock {
  #now = 0;
  readonly #waiting: Set<Waiting> = new Set();

  readonly monotonicMs = (): number => this.#now;

  readonly after = (ms: number, work: () => void): Timer => {
    const waiting: Waiting = { ms, atMs: this.#now + ms, work };
    this.#waiting.add(waiting);
    return { unref: () => undefined, [Symbol.dispose]: () => void this.#waiting.delete(waiting) };
  };

  /** For how long those who wait have asked to wait. */
  get asked(): number[] {
    return [...this.#waiting].map(({ ms }) => ms);
  }

  /** What becomes due is done in its order, also what is asked for meanwhile. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#waiting.delete(next);
      this.#now = next.atMs;
      next.work();
    }
    this.#now = end;
  }

  /** Waits until somebody waits for exactly so long, and lets it pass. */
  async passWhenAsked(ms: number): Promise<void> {
    await until(`somebody who waits for ${ms} ms`, () => this.asked.includes(ms));
    this.pass(ms);
  }

  #next(endMs: number): Waiting | undefined {
    const due = [...this.#waiting].filter(({ atMs }) => atMs <= endMs);
    return due.sort((a, b) => a.atMs - b.atMs)[0];
  }
}
