/**
 * The lines of an output that look like errors, found on its way past: the scanner finds the words, and only around each of
 * them the expression is asked that decides. What is found does not depend on the pieces in which the output comes.
 *
 * Invariant: of a line that has not ended, what only the next piece can decide is kept and looked at again with it. Usual
 * mistake: to put whole lines together first; a line may have no end.
 */
import { needleOf, sharedScanner, type Needle } from "../../text/index.ts";

/** The room before a piece in the scanner's memory, where the end of the piece before is put. */
export const LOOK_ROOM_BYTES = 64;

const MAX_LINES = 20;
const MAX_LINE_BYTES = 300;
/** Each word that turns out to be no error costs as much as a kilobyte without any. */
const MAX_WORDS = 20_000;
const WORDS: readonly string[] = [
  "error",
  "fail",
  "fatal",
  "panic",
  "exception",
  "traceback",
  "undefined reference",
  "segmentation fault",
];
/** Where one of the words begins. */
const ERROR =
  /\berrors?\b|\bfail(?:ed|ures?)?\b|\bfatal\b|\bpanic(?:ked)?\b|exception\b|\btraceback\b|\bundefined reference\b|\bsegmentation fault\b/iy;
/** The longest that this matches, and the byte behind. */
const REACH_BYTES = 20;
const NEWLINE = 0x0a;
/** Looking costs as much as reading and keeping. */
const MAX_LOOKED_BYTES: number = 8 * 1024 * 1024;

interface Line {
  /** Where it begins in the output. */
  readonly at: number;
  readonly start: Buffer;
  length: number;
}

export class ErrorLines {
  readonly #found: Line[] = [];
  #words = 0;
  /** Where the next piece begins in the output. */
  #next = 0;
  readonly #from: number;
  /** The one that has not ended. */
  #line: Line;
  /** The end of it that was not decided, and before that one byte that was, or the end of the line before. */
  readonly #again = Buffer.alloc(REACH_BYTES, NEWLINE);
  #kept = 1;

  /** @param from where looking begins in the output */
  constructor(from: number) {
    this.#from = from;
    this.#line = newLine(from);
  }

  /** Their beginnings, in order. @param before only lines that begin there or earlier */
  found(before: number): string[] {
    return this.#found.filter(({ at }) => at < before).map(({ start, length }) => start.toString("utf8", 0, length));
  }

  /**
   * The next piece. @param placed in the scanner's memory, at least `LOOK_ROOM_BYTES` behind its beginning
   * @param hasNewlines false when there are none for certain
   */
  look(placed: Buffer, hasNewlines: boolean): void {
    const passed = Math.min(Math.max(0, this.#from - this.#next), placed.length);
    const left = MAX_LOOKED_BYTES - this.#next;
    if (left < placed.length) {
      if (left > 0) this.look(placed.subarray(0, left), hasNewlines);
      this.#next = Infinity;
      return;
    }
    this.#next += placed.length;
    if (passed === placed.length || this.#isEnough) return;
    const kept = this.#kept;
    const start = placed.byteOffset + passed - kept;
    const text = Buffer.from(placed.buffer, start, placed.byteOffset + placed.length - start);
    this.#again.copy(text, 0, 0, kept);
    const isTold = this.#found.at(-1) === this.#line;
    const first = hasNewlines ? text.indexOf(NEWLINE, kept) : -1;
    const last = first < 0 ? -1 : text.lastIndexOf(NEWLINE);
    extend(this.#line, text.subarray(kept, first < 0 ? text.length : first));
    const next = last < 0 ? this.#line : newLine(this.#next - text.length + last + 1);
    if (last >= 0) extend(next, text.subarray(last + 1));
    const keptAt = Math.max(last, text.length - REACH_BYTES, 0);
    this.#find(text, isTold ? orEnd(text, first) : 1, keptAt + 1, { last, next });
    this.#line = next;
    this.#kept = text.copy(this.#again, 0, keptAt);
  }

  get #isEnough(): boolean {
    return this.#found.length >= MAX_LINES || this.#words >= MAX_WORDS;
  }

  /** What begins in `[from, end)`; behind that it is not decided. */
  #find(text: Buffer, from: number, end: number, unfinished: { last: number; next: Line }): void {
    const scanner = sharedScanner();
    scanner.load((needles ??= WORDS.map((word) => needleOf(word, true))));
    let at = scanner.find(text, from);
    while (at >= 0 && at < end && !this.#isEnough) {
      this.#words++;
      let onwards = at + 1;
      if (isError(text, at)) {
        this.#found.push(this.#lineOf(text, at, unfinished));
        onwards = orEnd(text, text.indexOf(NEWLINE, at));
      }
      at = scanner.find(text, onwards);
    }
  }

  #lineOf(text: Buffer, at: number, { last, next }: { last: number; next: Line }): Line {
    const before = text.lastIndexOf(NEWLINE, at);
    // The first byte belongs to what was decided.
    if (before <= 0) return this.#line;
    if (before === last) return next;
    const line = newLine(this.#next - text.length + before + 1);
    extend(line, text.subarray(before + 1, text.indexOf(NEWLINE, at)));
    return line;
  }
}

let needles: readonly Needle[] | undefined;

/** Sticky, and so asked at one place. */
function isError(text: Buffer, at: number): boolean {
  ERROR.lastIndex = 1;
  return ERROR.test(text.toString("latin1", at - 1, at + REACH_BYTES));
}

function orEnd(text: Buffer, place: number): number {
  return place < 0 ? text.length : place;
}

function newLine(at: number): Line {
  return { at, start: Buffer.allocUnsafe(MAX_LINE_BYTES), length: 0 };
}

function extend(line: Line, bytes: Buffer): void {
  line.length += bytes.copy(line.start, line.length);
}
