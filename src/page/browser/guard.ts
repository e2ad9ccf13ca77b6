/**
 * Whether a key or a click may decide. Nobody reads a proposal in less than 400 ms, so what comes sooner after something else
 * was put on the screen was meant for what stood there before; what comes in a burst was not meant at all.
 */
const GUARD_MS = 400;

let since = 0;

/** Something else is on the screen, or has the focus. */
export function touchGuard(): void {
  since = performance.now();
}

/** A refused try begins the wait anew, so that keys typed in a row never decide. */
export function mayDecide(event: Event): boolean {
  const isHeld = event instanceof KeyboardEvent && event.repeat;
  const isReady = event.isTrusted && !isHeld && performance.now() - since >= GUARD_MS;
  touchGuard();
  return isReady;
}
