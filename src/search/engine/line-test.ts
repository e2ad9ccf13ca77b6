/**
 * How many lines of a text hold a match, without the matches: the scanner goes through the text by an automaton, and nothing
 * is made for a line, where the regex engine makes three objects. Where the pattern has needles, only their lines are looked
 * at.
 *
 * The automaton knows ASCII. A line in which it comes to another byte before it knows the answer is left to the engine,
 * together with all such lines. Text that is not UTF-8 is left to it as a whole, because what it is shown of such text is
 * counted; and so is a text with many lines that are left, where looking twice would cost more than it saves.
 */
import { isUtf8 } from "node:buffer";
import { type LineRun, type Scanner, type Sparse, sharedScanner } from "../../text/index.ts";
import type { Hir } from "./hir.ts";
import { LineAutomaton } from "./line-automaton.ts";
import { lineProgram } from "./line-program.ts";
import { NEWLINE } from "./matcher.ts";
import type { RequiredNeedles } from "./needles.ts";

/** Counts the lines with a match, up to about `most`; `undefined`: this text is to be searched by the engine. */
export type LineTest = (bytes: Buffer, most: number) => number | undefined;

/** The share of a text in lines that are left; above it, the text is left. */
const MOST_LEFT_SHARE = 0.1;

/** Above it, a match is looked for from the start of the line on. */
const MOST_LEAD = 64;

/**
 * @param required what stands in every match
 * @param countOthers counts the lines with a match in whole lines, by the engine
 * @returns `undefined` for a pattern that no automaton over lines has
 */
export function createLineTest(
  hir: Hir,
  required: RequiredNeedles | undefined,
  countOthers: (lines: Buffer) => number,
): LineTest | undefined {
  const program = lineProgram(hir);
  if (!program) return undefined;
  // An assertion may depend on what stands before.
  const lead = required && required.lead <= MOST_LEAD && !program.hasLooks ? required.lead : undefined;
  const sparse = required ? (lead ?? "line") : "no";
  let automaton: LineAutomaton | undefined;
  return (bytes, most) => {
    const scanner = sharedScanner();
    if (!scanner.holds(bytes) || !isUtf8(bytes)) return undefined;
    automaton ??= new LineAutomaton(program, lead !== undefined);
    if (automaton.hasGivenUp) return undefined;
    if (required) scanner.load(required.needles);
    const left = new LeftLines(bytes);
    const found = runOver(bytes, { scanner, automaton, sparse, most, left });
    if (found === undefined || found >= most || left.size === 0) return found;
    return found + countOthers(left.take());
  };
}

interface Over {
  readonly scanner: Scanner;
  readonly automaton: LineAutomaton;
  readonly sparse: Sparse;
  readonly most: number;
  readonly left: LeftLines;
}

function runOver(bytes: Buffer, { scanner, automaton, sparse, most, left }: Over): number | undefined {
  const start = automaton.load(scanner);
  const run: LineRun = { at: 0, row: start, found: 0, stop: "end" };
  for (;;) {
    scanner.findLines(bytes, run, start, sparse, most);
    if (run.stop === "end") break;
    if (run.stop === "unknown") {
      if (!automaton.extend(run.row, bytes[run.at] ?? 0)) return undefined;
    } else {
      run.at = left.add(run.at);
      run.row = run.at < bytes.length ? start : 0;
      if (left.size > bytes.length * MOST_LEFT_SHARE) return undefined;
    }
  }
  const isOpen = run.row !== 0 && bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  return run.found + (isOpen && automaton.endsIn(run.row) ? 1 : 0);
}

/** Lines of a text that are left to the engine, packed when all are known. */
class LeftLines {
  readonly #bytes: Buffer;
  readonly #places: number[] = [];
  size = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @param at a place in the line @returns the start of the next one */
  add(at: number): number {
    const from = at === 0 ? 0 : this.#bytes.lastIndexOf(NEWLINE, at - 1) + 1;
    const feed = this.#bytes.indexOf(NEWLINE, at);
    const to = feed < 0 ? this.#bytes.length : feed + 1;
    this.#places.push(from, to);
    this.size += to - from;
    return to;
  }

  take(): Buffer {
    const lines: Buffer[] = [];
    for (let at = 0; at < this.#places.length; at += 2)
      lines.push(this.#bytes.subarray(this.#places[at], this.#places[at + 1]));
    return Buffer.concat(lines, this.size);
  }
}

/** Counts the lines that hold one of the needles. */
export function countNeedleLines(scanner: Scanner, bytes: Buffer, most: number): number {
  const run: LineRun = { at: 0, row: 0, found: 0, stop: "end" };
  scanner.findLines(bytes, run, 0, 0, most);
  return run.found;
}
