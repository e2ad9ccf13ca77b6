/**
 * A name against a program, all places at once: what can be reached with the characters so far is a set of steps, and a
 * character makes the next set of it. What must not begin at a place is looked for from the right first.
 *
 * Invariant: every step is reached once for each character at most; `counter` says how many were.
 */
import type { Condition } from "./pattern-node.ts";
import type { Look, Program, Programs } from "./program.ts";

export interface Counter {
  /** How many steps may still be made; below zero the answer is not known. */
  left: number;
}

export interface NameText {
  readonly points: readonly number[];
  /** Whether names that begin with a dot are names like others; those called "." and ".." never are. */
  readonly dot: boolean;
}

/** `undefined` when it would take more steps than are left. */
export function runProgram({ main, looks }: Programs, name: NameText, counter: Counter): boolean | undefined {
  const found: Uint8Array[] = [];
  for (const look of looks) found.push(lookFromRight(look, name, found, counter));
  const reach = new Reach(main, name, found, counter);
  reach.add(main.start, 0);
  for (let at = 0; at < name.points.length && counter.left >= 0; at++)
    reach.advance(name.points[at] ?? 0, at + 1);
  return counter.left < 0 ? undefined : reach.hasMatched;
}

/** At each place whether it begins there. */
function lookFromRight(
  { program, whole }: Look,
  name: NameText,
  found: readonly Uint8Array[],
  counter: Counter,
): Uint8Array {
  const { length } = name.points;
  const begins = new Uint8Array(length + 1);
  const reach = new Reach(program, name, found, counter);
  for (let at = length; counter.left >= 0; at--) {
    if (at === length || !whole) reach.add(program.start, at);
    if (reach.hasMatched) begins[at] = 1;
    if (at === 0) break;
    reach.advance(name.points[at - 1] ?? 0, at - 1);
  }
  return begins;
}

class Reach {
  readonly #program: Program;
  readonly #name: NameText;
  readonly #found: readonly Uint8Array[];
  readonly #counter: Counter;
  readonly #seen: Uint8Array;
  #reached: number[] = [];
  hasMatched = false;

  constructor(program: Program, name: NameText, found: readonly Uint8Array[], counter: Counter) {
    this.#program = program;
    this.#name = name;
    this.#found = found;
    this.#counter = counter;
    this.#seen = new Uint8Array(program.steps.length);
  }

  /** With everything that is reached from there without a character. */
  add(start: number, at: number): void {
    const open = [start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const step = this.#program.steps[index];
      if (!step || this.#seen[index] === 1) continue;
      this.#seen[index] = 1;
      this.#reached.push(index);
      this.#counter.left--;
      if (step.kind === "match") this.hasMatched = true;
      else if (step.kind === "fork") open.push(step.other, step.next);
      else if (step.kind === "when" && holdsAt(step.condition, this.#name, at)) open.push(step.next);
      else if (step.kind === "unless" && this.#found[step.look]?.[at] !== 1) open.push(step.next);
    }
  }

  advance(point: number, at: number): void {
    const reached = this.#reached;
    this.#reached = [];
    this.hasMatched = false;
    for (const index of reached) this.#seen[index] = 0;
    for (const index of reached) {
      const step = this.#program.steps[index];
      if (step?.kind !== "one") continue;
      this.#counter.left--;
      if (step.holds(point)) this.add(step.next, at);
    }
  }
}

const SLASH = 0x2f;
const DOT = 0x2e;

function holdsAt(condition: Condition, { points, dot }: NameText, at: number): boolean {
  switch (condition) {
    case "end":
      return at === points.length;
    case "more":
      return at < points.length;
    case "named":
      return !isDots(points, isFirst(points, at) ? at : isFirst(points, at - 1) ? at - 1 : -1);
    case "undotted":
      return points[at] !== DOT;
    case "through": {
      const leavesOut = (from: number): boolean => (dot ? isDots(points, from) : points[from] === DOT);
      return !((at === 0 && leavesOut(0)) || (points[at] === SLASH && leavesOut(at + 1)));
    }
  }
}

function isFirst(points: readonly number[], at: number): boolean {
  return at === 0 || points[at - 1] === SLASH;
}

/** "." or "..". */
function isDots(points: readonly number[], from: number): boolean {
  if (from < 0 || points[from] !== DOT) return false;
  const end = points[from + 1] === DOT ? from + 2 : from + 1;
  return end >= points.length || points[end] === SLASH;
}
