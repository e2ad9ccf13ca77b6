/**
 * Patterns of paths and of names, wherever they come from: a rule, a list of tools, a deny glob. A question is answered in
 * time that grows with the pattern times the name, so nobody's pattern and nobody's name keeps the host from answering.
 *
 * Usual mistake: to hand a pattern to a package that makes a JavaScript expression of it. Some of those take exponential
 * time, and reading some patterns never ends.
 */
import { parsePattern, type PatternSyntax } from "./parse-pattern.ts";
import { compileNodes, type Programs, SLASH } from "./program.ts";
import { Automaton, type Counter, runProgram } from "./run-program.ts";

export interface PatternOptions extends PatternSyntax {
  /** The answer when a question would take more than `MAX_STEPS`: the strict one for whoever asks. */
  readonly whenTooLong: boolean;
}

export interface Pattern {
  matches(path: string): boolean;
  /** The path, or a directory above it. */
  matchesAtOrAbove(path: string): boolean;
  /** What the last question took. */
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
        : runEach(programs, path, isEach, isNegated, counter, options);
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
  { dot }: PatternSyntax,
): boolean {
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
