/**
 * How many steps a backtracking engine makes for one match: the instructions that it goes through, those in vain too. The
 * engine of the runtime does not say; it compiles the same search. So an expression that is quadratic or exponential in a
 * text is so here as well.
 *
 * Invariant: the match is the one that the runtime finds; `counted-expressions.ts` compares every one.
 */
import type { Instruction, Program } from "./compile-expression.ts";

export interface CountedMatch {
  readonly steps: number;
  readonly found: readonly [start: number, end: number] | undefined;
}

/** More than any count that a test allows; what goes on for longer is said to hang. */
const MOST_STEPS = 100_000_000;

export function matchSteps(program: Program, text: string, from: number, isSticky: boolean): CountedMatch {
  const run: Run = { program, text, steps: 0, slots: Array.from({ length: program.slots }, () => -1) };
  // What comes to nothing leaves the slots as they were, and the stack empty.
  const stack: number[] = [];
  const last = isSticky ? from : program.isAnchored ? 0 : text.length;
  for (let start = from; start <= last; start++) {
    const end = runAt(program.code, start, run, stack);
    if (end !== undefined) return { steps: run.steps, found: [start, end] };
  }
  return { steps: run.steps, found: undefined };
}

interface Run {
  readonly program: Program;
  readonly text: string;
  steps: number;
  slots: number[];
}

/** Where the match ends. What is tried later lies on a stack: places to go on at, and slots to put back on the way. */
function runAt(
  code: readonly Instruction[],
  start: number,
  run: Run,
  stack: number[],
  wantedEnd?: number,
): number | undefined {
  let at = start;
  for (let pc = 0; ;) {
    if (++run.steps > MOST_STEPS) throw new Error(`a match takes more than ${MOST_STEPS} steps`);
    const one = code[pc];
    const isEnd = !one || one.op === "end";
    if (isEnd && (wantedEnd === undefined || at === wantedEnd)) return at;
    const next = isEnd ? FAILED : perform(one, pc, at, run, stack);
    if (next !== FAILED) {
      pc = next;
      if (one?.op === "character") at++;
      else if (one?.op === "again") at += againOf(one.index, run).length;
      continue;
    }
    const back = backtrack(stack, run);
    if (!back) return undefined;
    [pc, at] = back;
  }
}

const FAILED = -1;

/** The next instruction. */
function perform(one: Instruction, pc: number, at: number, run: Run, stack: number[]): number {
  switch (one.op) {
    case "character":
      return at < run.text.length && one.holds(run.text.charCodeAt(at)) ? pc + 1 : FAILED;
    case "edge":
      return isEdge(one.sign, at, run) ? pc + 1 : FAILED;
    case "again":
      return isAgain(one.index, at, run) ? pc + 1 : FAILED;
    case "save":
      stack.push(one.slot, run.slots[one.slot] ?? -1, RESTORE);
      run.slots[one.slot] = at;
      return pc + 1;
    case "moved":
      return run.slots[one.slot] === at ? FAILED : pc + 1;
    case "fork":
      stack.push(one.second, at, RESUME);
      return one.first;
    case "jump":
      return one.to;
    case "look":
      return looks(one, at, run) ? pc + 1 : FAILED;
    case "end":
    default:
      return FAILED;
  }
}

const RESTORE = 0;
const RESUME = 1;

function backtrack(stack: number[], run: Run): [pc: number, at: number] | undefined {
  while (stack.length > 0) {
    const kind = stack.pop();
    const second = stack.pop() ?? 0;
    const first = stack.pop() ?? 0;
    if (kind === RESUME) return [first, second];
    run.slots[first] = second;
  }
  return undefined;
}

type Look = Extract<Instruction, { op: "look" }>;

function looks(one: Look, at: number, run: Run): boolean {
  const kept = [...run.slots];
  const isFound = one.behind ? standsBefore(one, at, run) : runAt(one.body, at, run, []) !== undefined;
  if (!isFound || one.isNot) run.slots = kept;
  return isFound !== one.isNot;
}

/** The runtime reads backwards; here every beginning is tried, the nearest first. */
function standsBefore({ behind, body }: Look, at: number, run: Run): boolean {
  const { least = 0, most = 0 } = behind ?? {};
  for (let start = at - least; start >= Math.max(0, at - most); start--)
    if (runAt(body, start, run, [], at) !== undefined) return true;
  return false;
}

function againOf(index: number, run: Run): string {
  const [start = -1, end = -1] = [run.slots[index * 2], run.slots[index * 2 + 1]];
  return start < 0 || end < 0 ? "" : run.text.slice(start, end);
}

function isAgain(index: number, at: number, run: Run): boolean {
  const again = againOf(index, run);
  const there = run.text.slice(at, at + again.length);
  run.steps += again.length;
  return run.program.isInsensitive ? there.toLowerCase() === again.toLowerCase() : there === again;
}

function isEdge(sign: "^" | "$" | "\\b" | "\\B", at: number, { text, program }: Run): boolean {
  if (sign === "^") return at === 0 || (program.isMultiline && isLineEnd(text.charCodeAt(at - 1)));
  if (sign === "$") return at === text.length || (program.isMultiline && isLineEnd(text.charCodeAt(at)));
  const isBorder = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return isBorder === (sign === "\\b");
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;
}

/** NaN, outside of the text, is none. */
function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
}
