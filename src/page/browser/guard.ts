/**
 * Whether a key or a click may decide. Nobody reads a proposal in less than 400 ms, so what comes sooner after something else
 * was put on the screen was meant for what stood there before; what comes in a burst was not meant at all.
 *
 * The document has the mark `data-ready` while a key would decide, for programs that wait for it.
 */
const GUARD_MS = 400;

let since = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Something else is on the screen, or has the focus. */
export function touchGuard(): void {
  since = performance.now();
  const { dataset } = document.documentElement;
  delete dataset["ready"];
  clearTimeout(timer);
  timer = setTimeout(() => {
    dataset["ready"] = "";
  }, GUARD_MS + 1);
}

/** A refused try begins the wait anew, so that keys typed in a row never decide. When it was pressed counts, and not when it is heard. */
export function mayDecide(event: Event): boolean {
  const isHeld = event instanceof KeyboardEvent && event.repeat;
  const isReady = event.isTrusted && !isHeld && event.timeStamp - since >= GUARD_MS;
  touchGuard();
  return isReady;
}
