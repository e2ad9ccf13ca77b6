/**
 * The number of steps so far, where the code with counters in it and the counted builtins add to it. Steps are no time: on
 * every machine there are as many.
 */
import { stepsOfExec } from "./counted-expressions.ts";
import { COUNTER_NAME } from "./insert-counters.ts";

type Method = (...args: unknown[]) => unknown;

export interface StepCounter {
  steps: number;
  /** `a === b`: two strings of one length are compared up to where they differ. */
  readonly isSame: (a: unknown, b: unknown) => boolean;
  readonly spread: <T>(all: T) => T;
  readonly exec: (of: { readonly exec: Method }, ...args: unknown[]) => unknown;
  readonly test: (of: { readonly test: Method }, ...args: unknown[]) => unknown;
  /** Expressions are slow to count, and code with counters also runs when nobody counts. */
  isCounting: boolean;
}

export const counter: StepCounter = {
  steps: 0,
  isSame(a, b) {
    if (typeof a === "string" && typeof b === "string") counter.steps += comparedUnits(a, b);
    return a === b;
  },
  spread(all) {
    counter.steps += sizeOf(all);
    return all;
  },
  exec(of, ...args) {
    countExec(of, args);
    return of.exec(...args);
  },
  test(of, ...args) {
    countExec(of, args);
    return of.test(...args);
  },
  isCounting: false,
};

/** Where the code with counters looks for it. */
export function installCounter(): void {
  Reflect.set(globalThis, COUNTER_NAME, counter);
}

/** Elements or characters of what can be gone through; 0 where that is not known. */
export function sizeOf(all: unknown): number {
  if (typeof all === "string" || Array.isArray(all) || ArrayBuffer.isView(all))
    return (all as { readonly length: number }).length;
  return all instanceof Set || all instanceof Map ? all.size : 0;
}

/** Other things may have a method of that name. */
function countExec(of: unknown, args: readonly unknown[]): void {
  if (counter.isCounting && of instanceof RegExp) counter.steps += 1 + stepsOfExec(of, String(args[0]));
}

function comparedUnits(a: string, b: string): number {
  if (a.length !== b.length) return 0;
  if (a === b) return a.length;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
