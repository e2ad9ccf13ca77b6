/**
 * A program without looks, as an automaton that is made while it is asked: each set of steps once, and what a character
 * makes of it once. So a pattern that is asked about many names costs a step a character, as a compiled expression does.
 *
 * It is for ordinary names: where no name is empty, "." or "..", and none begins with a dot that the pattern leaves out,
 * all conditions hold but those about the end.
 *
 * Invariant: as many steps as `runProgram` at most, and a bounded memory: when it is full it is forgotten and begun anew.
 */
import type { Program } from "./program.ts";
import type { Counter } from "./run-program.ts";

export interface State {
  readonly isMatch: boolean;
  /** Nothing can be matched any more. */
  readonly isDead: boolean;
  /** The steps that wait for a character. */
  readonly waiting: readonly number[];
  readonly next: Map<number, State>;
}

const MAX_STATES = 256;
const MAX_TRANSITIONS = 4096;

export class Automaton {
  readonly #program: Program;
  #states = new Map<string, State>();
  #transitions = 0;

  constructor(program: Program) {
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
    if (++this.#transitions > MAX_TRANSITIONS || this.#states.size > MAX_STATES) this.#forget();
    const made = this.#state(kernel, counter);
    from.next.set(point, made);
    return made;
  }

  #forget(): void {
    this.#states = new Map();
    this.#transitions = 0;
  }

  #state(kernel: number[], counter: Counter): State {
    const key = kernel.sort((a, b) => a - b).join();
    const known = this.#states.get(key);
    if (known) return known;
    const waiting = this.#closure(kernel, false, counter).filter(
      (index) => this.#program.steps[index]?.kind === "one",
    );
    const isMatch = this.#closure(kernel, true, counter).some(
      (index) => this.#program.steps[index]?.kind === "match",
    );
    const isDead = waiting.length === 0 && !isMatch;
    const state: State = { isMatch, isDead, waiting, next: new Map() };
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
      else if (step.kind === "when" && holds(step.condition, isEnd)) open.push(step.next);
    }
    return [...reached];
  }
}

function holds(condition: string, isEnd: boolean): boolean {
  return condition === "end" ? isEnd : condition === "more" ? !isEnd : true;
}
