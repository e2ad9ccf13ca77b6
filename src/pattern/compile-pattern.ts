/**
 * Patterns of paths and of names, wherever they come from: a rule, a list of tools, a deny glob. A question is answered
 * in time that grows with the pattern times the name, so nobody's pattern and nobody's name keeps the host from
 * answering.
 *
 * A name goes through a program at all places at once: what can be reached with the characters so far is a set of
 * steps. A program without looks also runs as an automaton that is made while it is asked and forgotten when it is
 * full. Invariant: every step is reached at most once for each character, and the counter says how many were.
 *
 * Usual mistake: to hand a pattern to a package that makes a JavaScript expression of it. Some of those take exponential time.
 */
import { parsePattern, type PatternSyntax } from "./parse-pattern.ts";
import {
  compileNodes,
  type Programs,
  SLASH,
  DOT,
  type Condition,
  type LookAround,
  type PatternProgram,
} from "./program.ts";

export interface PatternOptions extends PatternSyntax {
  /** The answer when a question would take more than `MAX_STEPS`: the strict one for whoever asks. */
  readonly whenTooLong: boolean;
}

export interface Pattern {
  matches(path: string): boolean;
  matchesAtOrAbove(path: string): boolean;
  readonly steps: number;
}

/** A few hundredths of a second: a question that anybody means takes a thousandth of it. */
export const MAX_STEPS = 500_000;

export function compilePattern(text: string, options: PatternOptions): Pattern {
  const { nodes, isNegated } = parsePattern(text, options);
  const programs = compileNodes(nodes, options.ignoreCase);
  const automaton = programs.looks.length === 0 ? new Automaton(programs.main) : undefined;
  const counter: Counter = { left: MAX_STEPS };
  const ask = (path: string, isEach: boolean): boolean => {
    counter.left = MAX_STEPS;
    if (path === "") return false;
    if (path === text || (isEach && path.startsWith(`${text}/`))) return true;
    const found =
      automaton && !hasOddName(path, options)
        ? walk(automaton, path, isEach, isNegated, counter)
        : runEach(programs, path, isEach, isNegated, counter, options.dot);
    return counter.left < 0 ? options.whenTooLong : found;
  };
  return {
    matches: (path) => ask(path, false),
    matchesAtOrAbove: (path) => ask(path, true),
    get steps() {
      return MAX_STEPS - counter.left;
    },
  };
}

function walk(automaton: Automaton, path: string, isEach: boolean, isNegated: boolean, counter: Counter): boolean {
  let state = automaton.start(counter);
  for (let at = 0; at < path.length && counter.left >= 0;) {
    const point = path.codePointAt(at) ?? 0;
    if (isEach && at > 0 && point === SLASH && state.isMatch !== isNegated) return true;
    state = automaton.step(state, point, counter);
    // As soon as nothing can match any more, the answer is known for each directory above the path too.
    if (state.isDead && !(isNegated && isEach)) return isNegated;
    at += point > 0xffff ? 2 : 1;
  }
  return state.isMatch !== isNegated;
}

/** Where what follows a place decides: each directory above it is a question of its own. */
function runEach(
  programs: Programs,
  path: string,
  isEach: boolean,
  isNegated: boolean,
  counter: Counter,
  dot: boolean,
) {
  const points = Array.from(path, (one) => one.codePointAt(0) ?? 0);
  for (let end = 1; end <= points.length && counter.left >= 0; end++) {
    if (end < points.length && !(isEach && points[end] === SLASH)) continue;
    const name = { points: points.slice(0, end), dot };
    if (runProgram(programs, name, counter) !== isNegated) return true;
  }
  return false;
}

/** Where the automaton does not know its conditions. */
function hasOddName(path: string, { dot }: PatternSyntax): boolean {
  return (dot ? /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$/ : /(?:^|\/)\.|\/\/|\/$/).test(path);
}

export interface Counter {
  /** How many steps may still be made; below zero the answer is not known. */
  left: number;
}

interface NameText {
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
  for (let at = 0; at < name.points.length && counter.left >= 0; at++) reach.advance(name.points[at] ?? 0, at + 1);
  return counter.left < 0 ? undefined : reach.hasMatched;
}

function lookFromRight(look: LookAround, name: NameText, found: readonly Uint8Array[], counter: Counter): Uint8Array {
  const { program, whole } = look;
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
  readonly #program: PatternProgram;
  readonly #name: NameText;
  readonly #found: readonly Uint8Array[];
  readonly #counter: Counter;
  readonly #seen: Uint8Array;
  #reached: number[] = [];
  hasMatched = false;

  constructor(program: PatternProgram, name: NameText, found: readonly Uint8Array[], counter: Counter) {
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

interface State {
  readonly isMatch: boolean;
  readonly isDead: boolean;
  readonly waiting: readonly number[];
  readonly next: Map<number, State>;
}

const MAX_STATES = 256;
const MAX_TRANSITIONS = 4096;

export class Automaton {
  readonly #program: PatternProgram;
  #states = new Map<string, State>();
  #transitions = 0;

  constructor(program: PatternProgram) {
    this.#program = program;
  }

  start(counter: Counter): State {
    return this.#state([this.#program.start], counter);
  }

  step(from: State, point: number, counter: Counter): State {
    counter.left--;
    const known = from.next.get(point);
    if (known) return known;
    const kernel: number[] = [];
    for (const index of from.waiting) {
      counter.left--;
      const step = this.#program.steps[index];
      if (step?.kind === "one" && step.holds(point)) kernel.push(step.next);
    }
    if (++this.#transitions > MAX_TRANSITIONS || this.#states.size > MAX_STATES) {
      this.#states = new Map();
      this.#transitions = 0;
    }
    const made = this.#state(kernel, counter);
    from.next.set(point, made);
    return made;
  }

  #state(kernel: number[], counter: Counter): State {
    const key = kernel.sort((a, b) => a - b).join();
    const known = this.#states.get(key);
    if (known) return known;
    const waiting = this.#closure(kernel, false, counter).filter((index) => this.#program.steps[index]?.kind === "one");
    const isMatch = this.#closure(kernel, true, counter).some((index) => this.#program.steps[index]?.kind === "match");
    const state = { isMatch, isDead: waiting.length === 0 && !isMatch, waiting, next: new Map<number, State>() };
    this.#states.set(key, state);
    return state;
  }

  #closure(kernel: readonly number[], isEnd: boolean, counter: Counter): readonly number[] {
    const reached = new Set<number>();
    const open = [...kernel];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const step = this.#program.steps[index];
      if (!step || reached.has(index)) continue;
      reached.add(index);
      counter.left--;
      if (step.kind === "fork") open.push(step.other, step.next);
      else if (step.kind === "when" && step.condition !== (isEnd ? "more" : "end")) open.push(step.next);
    }
    return [...reached];
  }
}
