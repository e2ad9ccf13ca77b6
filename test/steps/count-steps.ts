/**
 * Work, counted: how many steps a piece of code makes, the same number on every machine and on every run. The code comes
 * from `loadCounted`; what the runtime does for it is counted as well (`counted-builtins.ts`).
 *
 * Usual mistake: to count code that was imported as usual; it has no counters.
 */
import { expect } from "bun:test";
import { countBuiltins } from "./counted-builtins.ts";
import { counter } from "./step-counter.ts";

export function countSteps(run: () => unknown): number {
  using _counting = countBuiltins();
  const before = counter.steps;
  run();
  return counter.steps - before;
}

/** Counts the steps of an asynchronous function; nothing else may run meanwhile. */
export async function countStepsOf(run: () => Promise<unknown>): Promise<number> {
  using _counting = countBuiltins();
  const before = counter.steps;
  await run();
  return counter.steps - before;
}

export interface Bounds {
  /** The size of the smaller of two inputs; the second is twice as large. */
  readonly size: number;
  /** Steps for the larger one are at most this many times those for the smaller: 2 where the work is linear. */
  readonly mostGrowth: number;
  /** Steps for each unit of the larger input, whatever a unit of `size` is: what today's code takes, twice. */
  readonly mostPerUnit: number;
}

/** @param prepare what is not counted, for an input of a size; gives what is */
export function expectGrowth(bounds: Bounds, prepare: (size: number) => () => unknown): void {
  judge(bounds, countSteps(prepare(bounds.size)), countSteps(prepare(bounds.size * 2)));
}

/** As `expectGrowth`, for an asynchronous function. */
export async function expectGrowthOf(bounds: Bounds, prepare: (size: number) => () => Promise<unknown>): Promise<void> {
  const once = await countStepsOf(prepare(bounds.size));
  judge(bounds, once, await countStepsOf(prepare(bounds.size * 2)));
}

function judge({ size, mostGrowth, mostPerUnit }: Bounds, once: number, twice: number): void {
  const [growth, perUnit] = [twice / once, twice / (size * 2)];
  const seen = `${once} steps for ${size}, ${twice} for ${size * 2}: ${growth.toFixed(2)} times, ${perUnit.toFixed(2)} a unit`;
  if (process.env["SHOW_STEPS"] !== undefined) console.log(seen);
  // Code without counters would pass every bound.
  expect(once, seen).toBeGreaterThan(0);
  expect(growth, seen).toBeLessThanOrEqual(mostGrowth);
  expect(perUnit, seen).toBeLessThanOrEqual(mostPerUnit);
}
