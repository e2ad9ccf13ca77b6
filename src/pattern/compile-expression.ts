/**
 * A regular expression that all of a text must match, in linear time: for the patterns of parameters, which a person
 * wrote, on values, which a model gives. It means what the runtime's own expression with the flag `u` means.
 *
 * Usual mistake: to run the runtime's expression on a model's value: some take exponential time, and all of it is the main
 * thread's.
 */
import { Failure } from "../base/index.ts";
import { Automaton } from "./automaton.ts";
import { parseExpression } from "./parse-expression.ts";
import { compileNodes } from "./program.ts";
import { runProgram, type Counter } from "./run-program.ts";

export interface Expression {
  /** @returns `undefined` for what would take more than `MAX_EXPRESSION_WORK` */
  matches(text: string): boolean | undefined;
  /** What the last question took. */
  readonly steps: number;
}

/** A tenth of a second. The longest value takes a thirtieth of it with an expression that anybody writes. */
export const MAX_EXPRESSION_WORK = 2_000_000;

/** @throws Failure `invalid_input` for no expression, `unsupported` for one that cannot be matched in linear time */
export function compileExpression(source: string): Expression {
  checkSyntax(source);
  const programs = compileNodes(parseExpression(source), false);
  const automaton = programs.looks.length === 0 ? new Automaton(programs.main) : undefined;
  const counter: Counter = { left: MAX_EXPRESSION_WORK };
  return {
    matches(text) {
      counter.left = MAX_EXPRESSION_WORK;
      if (text.length > MAX_EXPRESSION_WORK) return undefined;
      const points = Array.from(text, (one) => one.codePointAt(0) ?? 0);
      const found = automaton
        ? walk(automaton, points, counter)
        : runProgram(programs, { points, dot: true }, counter);
      return counter.left < 0 ? undefined : found;
    },
    get steps() {
      return MAX_EXPRESSION_WORK - counter.left;
    },
  };
}

function checkSyntax(source: string): void {
  try {
    // As it stands, and in its group: ")(" is an expression in one only.
    void new RegExp(source, "u");
    void new RegExp(`^(?:${source})$`, "u");
  } catch {
    throw new Failure("invalid_input", "Cannot use the expression: it is not a regular expression");
  }
}

function walk(automaton: Automaton, points: readonly number[], counter: Counter): boolean {
  let state = automaton.start(counter);
  for (const point of points) {
    if (counter.left < 0 || state.isDead) return false;
    state = automaton.step(state, point, counter);
  }
  return state.isMatch;
}
