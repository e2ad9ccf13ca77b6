/**
 * A clock that only the test moves, for code in the test's own thread: what it asks for (`nowMs`, `monotonicMs`) are
 * numbers of the test, so that nothing depends on how fast the machine is. Real until it is made, and again when it is
 * disposed of.
 *
 * Not for workers, which have clocks of their own, nor for timers. Usual mistake: to wait by `until` under it, whose limit
 * never comes then.
 */
import { setSystemTime, spyOn } from "bun:test";

interface TestClockOptions {
  /** Since 1970; as it is when nothing is said. */
  readonly nowMs?: number;
  /** How far each look at the monotonic clock moves it. */
  readonly stepMs?: number;
  /** Told of each look before it is answered, from 1 on. */
  readonly onLook?: (looks: number) => void;
}

export class TestClock implements Disposable {
  /** How often the code has looked at the monotonic clock. */
  looks = 0;
  #monotonicMs = 0;
  readonly #restore: () => void;

  constructor({ nowMs = Date.now(), stepMs = 0, onLook }: TestClockOptions = {}) {
    this.setNow(nowMs);
    const spy = spyOn(performance, "now").mockImplementation(() => {
      this.looks++;
      onLook?.(this.looks);
      return (this.#monotonicMs += stepMs);
    });
    this.#restore = () => spy.mockRestore();
  }

  /** The time of day; it stands. */
  setNow(nowMs: number): void {
    setSystemTime(nowMs);
  }

  [Symbol.dispose](): void {
    this.#restore();
    setSystemTime();
  }
}
