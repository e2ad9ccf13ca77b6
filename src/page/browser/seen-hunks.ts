/**
 * Whether the end of a hunk was on the screen: what was never there is asked about once more before it is applied.
 */
const told = new WeakMap<Element, () => void>();

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || document.visibilityState !== "visible") continue;
    told.get(target)?.();
    observer.unobserve(target);
  }
});

/** @param element the last line of a hunk; `null` when it goes */
export function observeEnd(element: Element | null, onSeen: () => void): void {
  if (!element) return;
  if (!told.has(element)) observer.observe(element);
  told.set(element, onSeen);
}
