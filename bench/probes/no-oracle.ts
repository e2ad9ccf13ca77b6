/**
 * A program of its own: whether the time of a call tells what exists outside of the roots. Each pair of paths leads outside
 * by the same way, one to something and one to nothing. The two are called in turn, so that whatever else the machine does
 * meets both, and the medians are compared. Exit code 1 when two medians lie a tenth apart in every round, and when those of
 * the control, which looks outside, do not.
 *
 * Usual mistake: to take one round for an answer. A machine can be unlucky; a real difference is there every time. The gate
 * compares the system calls instead (test/scope/no-oracle.test.ts).
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  callOutside,
  CONTAINMENTS,
  layOutsidePairs,
  lookOutside,
  openOutsideScope,
  outsidePairs,
} from "../../test/scope/outside-pairs.ts";

const CALLS = 1000;
const ROUNDS = 5;
const MOST_APART = 0.1;

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-oracle-")));
try {
  layOutsidePairs(top);
  let isTold = false;
  for (const containment of CONTAINMENTS) {
    using scope = openOutsideScope(top, containment);
    for (const { call, way, there, absent } of outsidePairs(top)) {
      const apart = leastApart(
        () => callOutside(call, scope, there),
        () => callOutside(call, scope, absent),
      );
      isTold ||= apart >= MOST_APART;
      show(`${containment}, ${call} by ${way}`, apart);
    }
  }
  const control = leastApart(
    () => lookOutside(top, "here"),
    () => lookOutside(top, "none"),
  );
  show("the control, which looks outside", control);
  if (isTold) console.log("A call tells by its time what exists outside.");
  if (control < MOST_APART) console.log("The control is not found out, so this run proves nothing.");
  process.exitCode = isTold || control < MOST_APART ? 1 : 0;
} finally {
  rmSync(top, { recursive: true, force: true });
}

function show(what: string, apart: number): void {
  console.log(`${what.padEnd(56)}${(apart * 100).toFixed(1).padStart(6)} % apart`);
}

/** The smallest difference of all rounds; one that is small enough ends them. */
function leastApart(a: () => unknown, b: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= MOST_APART; round++) least = Math.min(least, measure(a, b));
  return least;
}

function measure(a: () => unknown, b: () => unknown): number {
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < CALLS; at++) {
    // Each goes first as often as the other.
    const order = at % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const start = Bun.nanoseconds();
      if (which === 0) a();
      else b();
      times[which].push(Bun.nanoseconds() - start);
    }
  }
  const [first, second] = times.map(medianOf);
  return Math.abs((first ?? 0) / (second ?? 1) - 1);
}

function medianOf(times: number[]): number {
  return times.sort((x, y) => x - y)[times.length >> 1] ?? 0;
}
