/**
 * Which key presses may decide something. One that came with others, right before or right after it, was pasted or typed ahead;
 * one that came less than 400 ms after the reader's eyes had to move was meant for what stood there before. Such keys move
 * nothing and decide nothing.
 */
import type { Clock, Timer } from "../../../base/index.ts";
import type { KeyPress } from "./terminal-keys.ts";

/** Nobody reads a new proposal in less. */
const GUARD_MS = 400;
/** Keys of a hand have more between them; those of a burst that was split on its way have less. */
const BURST_MS = 30;

export class DecisionGuard implements Disposable {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  #readyMs = -Infinity;
  #lastMs = -Infinity;
  #waking: Timer | undefined;
  #pending: { readonly timer: Timer; readonly settle: (mayDecide: boolean) => void } | undefined;

  /** @param onReady called when keys may decide again */
  constructor(clock: Clock, onReady: () => void = () => undefined) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  get isArmed(): boolean {
    return this.#clock.monotonicMs() < this.#readyMs;
  }

  /** Something else stands before the reader from now on. */
  arm(): void {
    this.#readyMs = this.#clock.monotonicMs() + GUARD_MS;
    this.#waking?.[Symbol.dispose]();
    this.#waking = this.#clock.after(GUARD_MS + 1, this.#onReady);
    this.#refuse();
  }

  /** Every key comes by here. @param isDeciding whether it would decide something. @param then called once, in the order of keys */
  take(key: KeyPress, isDeciding: boolean, then: (mayDecide: boolean) => void): void {
    const now = this.#clock.monotonicMs();
    const isBurst = !key.isAlone || now - this.#lastMs < BURST_MS;
    this.#lastMs = now;
    this.#refuse();
    if (!isDeciding) then(true);
    else if (isBurst || now < this.#readyMs) then(false);
    else {
      const settle = (mayDecide: boolean): void => {
        this.#pending = undefined;
        then(mayDecide);
      };
      this.#pending = { timer: this.#clock.after(BURST_MS, () => settle(true)), settle };
    }
  }

  [Symbol.dispose](): void {
    this.#waking?.[Symbol.dispose]();
    this.#pending?.timer[Symbol.dispose]();
    this.#pending = undefined;
  }

  /** What came right after a key tells that it was one of a burst. */
  #refuse(): void {
    const pending = this.#pending;
    if (!pending) return;
    pending.timer[Symbol.dispose]();
    pending.settle(false);
  }
}
