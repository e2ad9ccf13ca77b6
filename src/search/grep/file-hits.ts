/**
 * The lines of one file that match, in order, found window by window. What is done with them (counted, shown) is not
 * known here; the consumer ends the search by taking no more.
 *
 * As ripgrep: in a file that was found and not named, a NUL byte ends the search, and one near the start makes it binary.
 */
import type { InTurns } from "../../base/index.ts";
import { sharedScanner } from "../../text/index.ts";
import { NEWLINE, wasMasked } from "../engine/matcher.ts";
import type { GrepRun } from "./grep-answer.ts";
import { lineWindows, type TextSource, type Window } from "./line-windows.ts";

export interface Hit {
  /** 1-based; of the first line. */
  readonly line: number;
  readonly endLine: number;
  /** Where the line starts and ends in the source, without the line feed. */
  readonly start: number;
  readonly end: number;
  /** Where the match starts; the start of the line when it was found for not matching. */
  readonly matchStart: number;
  /** The bytes from `start` to `end`, or the part around the match when the line is longer than a window. */
  readonly bytes: Buffer;
  /** Where `bytes` starts in the source. */
  readonly bytesAt: number;
}

/** One file of a grep, and what is noted of it while it is searched. */
export interface FileSearch extends GrepRun {
  readonly source: TextSource;
  /** As it is shown. */
  readonly path: string;
  /** The caller named the file. Only what NUL bytes do depends on it. */
  readonly isNamed: boolean;
  readonly notes: { isBinary: boolean; longLines: number; isMasked: boolean; isStopped: boolean };
}

/** How far ripgrep's first buffer reaches. */
export const BINARY_HEAD_BYTES: number = 64 * 1024;

/** With a promise of the next turn wherever others should have the thread. */
export type Hits<One = Hit> = Generator<One | Promise<void>, void, undefined>;

export function* fileHits(search: FileSearch): Hits {
  const { source, matcher, plan } = search;
  let line = 1;
  const long = new LongLine(search);
  for (const next of searchedWindows(search)) {
    if (next instanceof Promise) {
      yield next;
      continue;
    }
    const { window, bytes } = next;
    if (window.kind !== "whole") {
      const hit = long.take(bytes, window, line);
      if (hit) yield hit;
      if (long.isOver) line++;
      continue;
    }
    const lines: LineCount = { at: 0, line };
    yield* plan.invert
      ? missed(matcher.lineHits(bytes), bytes, window.position, lines)
      : found(matcher.lineHits(bytes), bytes, window.position, lines);
    const isLast = window.position + window.bytes.length >= source.size;
    if (!isLast) line = lineAt(bytes, bytes.length, lines);
  }
}

/** How many hits `fileHits` would give, at most about `most`: nothing is made for each. */
export function* countHits(search: FileSearch, most: number): InTurns<number> {
  const { matcher, plan } = search;
  const long = new LongLine(search);
  let count = 0;
  for (const next of searchedWindows(search)) {
    if (next instanceof Promise) {
      yield next;
      continue;
    }
    const { window, bytes } = next;
    if (window.kind !== "whole") {
      if (long.take(bytes, window, 0)) count++;
    } else {
      const hits = matcher.countLines(bytes, plan.invert ? Infinity : most - count);
      count += plan.invert ? linesIn(bytes) - hits : hits;
    }
    if (count >= most) return most;
  }
  return count;
}

function linesIn(bytes: Buffer): number {
  const isEnded = bytes.length === 0 || bytes.at(-1) === NEWLINE;
  return sharedScanner().count(bytes, NEWLINE) + (isEnded ? 0 : 1);
}

function* searchedWindows(search: FileSearch): Hits<{ readonly window: Window; readonly bytes: Buffer }> {
  const { ctx, source, buffer, isNamed, notes } = search;
  const isText = search.plan.binary === "search";
  const reads = new ReadEnds();
  for (const window of lineWindows(source, buffer, ctx.turn)) {
    if (window instanceof Promise) {
      // Others search meanwhile, and mask what they read.
      notes.isMasked ||= wasMasked();
      yield window;
      wasMasked();
      continue;
    }
    search.onBytes(window.bytes.length);
    if (ctx.cancel.state() !== "none") {
      notes.isStopped = true;
      return;
    }
    const bytes = isNamed || isText ? window.bytes : beforeNul(window.bytes, window.position, reads, search);
    if (isNamed && !isText && window.position === 0 && bytes.subarray(0, BINARY_HEAD_BYTES).includes(0))
      notes.isBinary = true;
    yield { window, bytes };
    if (notes.isBinary && !isNamed) return;
  }
}

/** The lines that ripgrep has searched before it reads the first NUL. */
function beforeNul(bytes: Buffer, position: number, reads: ReadEnds, { notes }: FileSearch): Buffer {
  const nul = bytes.indexOf(0);
  const lines = reads.advance(bytes, position, nul < 0 ? bytes.length : nul);
  if (nul < 0) return bytes;
  notes.isBinary = true;
  return bytes.subarray(0, Math.max(0, lines - position));
}

/**
 * Where ripgrep's reads of a file end: its buffer takes 64 KiB, keeps the started line, and grows when a line fills it.
 * A read that brings a NUL is not searched at all.
 */
class ReadEnds {
  #lines = 0;
  #end = 0;
  #size = BINARY_HEAD_BYTES;

  /** Where the lines end that are complete before the read that reaches `offset` in `bytes`. */
  advance(bytes: Buffer, position: number, offset: number): number {
    for (let next = this.#lines + this.#size; next <= position + offset; next = this.#lines + this.#size) {
      const feed = Math.max(bytes.lastIndexOf(NEWLINE, next - 1 - position) + position, position - 1);
      if (feed >= this.#end) this.#lines = feed + 1;
      else this.#size *= 2;
      this.#end = next;
    }
    return this.#lines;
  }
}

interface LineCount {
  at: number;
  line: number;
}

/** The number of the line at an offset; counted on from the last one asked. */
function lineAt(bytes: Buffer, offset: number, count: LineCount): number {
  count.line += sharedScanner().count(bytes.subarray(count.at, offset), NEWLINE);
  count.at = offset;
  return count.line;
}

function* found(hits: readonly number[], bytes: Buffer, position: number, count: LineCount): Iterable<Hit> {
  for (let at = 0; at < hits.length; at += 2) {
    const match = hits[at] ?? 0;
    const start = match === 0 ? 0 : bytes.lastIndexOf(NEWLINE, match - 1) + 1;
    yield hitOf(bytes, position, start, match, count);
  }
}

function* missed(hits: readonly number[], bytes: Buffer, position: number, count: LineCount): Iterable<Hit> {
  let next = 0;
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(NEWLINE, start);
    const end = feed < 0 ? bytes.length : feed;
    const hit = hits[next] ?? Infinity;
    if (hit <= end) next += 2;
    else yield hitOf(bytes, position, start, start, count);
    start = end + 1;
  }
}

function hitOf(bytes: Buffer, position: number, start: number, match: number, count: LineCount): Hit {
  const feed = bytes.indexOf(NEWLINE, match);
  const end = feed < 0 ? bytes.length : feed;
  const line = lineAt(bytes, start, count);
  return {
    line,
    endLine: line,
    start: position + start,
    end: position + end,
    matchStart: position + match,
    bytes: bytes.subarray(start, end),
    bytesAt: position + start,
  };
}

interface KeptHit {
  readonly at: number;
  readonly bytes: Buffer;
  readonly bytesAt: number;
}

/** Kept from a long line: more than is ever shown of one. */
const KEPT_BYTES = 4096;

/**
 * A line that is longer than any window, and comes in overlapping pieces: what was found in one of them is kept until
 * it is over.
 */
class LongLine {
  readonly #search: FileSearch;
  #start: number | undefined;
  #hit: KeptHit | undefined;

  constructor(search: FileSearch) {
    this.#search = search;
  }

  /** Whether the piece that was taken last ended its line. */
  get isOver(): boolean {
    return this.#start === undefined;
  }

  /** @returns the line as a hit, when this piece ends it and it is one */
  take(bytes: Buffer, { position, kind }: Window, line: number): Hit | undefined {
    const { notes, plan } = this.#search;
    const start = (this.#start ??= position);
    this.#hit ??= this.#find(bytes, position, start);
    if (kind !== "end" && !notes.isBinary) return undefined;
    notes.longLines++;
    const hit = this.#hit;
    this.#start = this.#hit = undefined;
    if ((hit !== undefined) === (plan.invert === true)) return undefined;
    const kept = hit ?? { at: start, bytes: Buffer.from(bytes.subarray(0, KEPT_BYTES)), bytesAt: position };
    return {
      line,
      endLine: line,
      start,
      end: position + bytes.length - (bytes.at(-1) === NEWLINE ? 1 : 0),
      matchStart: kept.at,
      bytes: kept.bytes,
      bytesAt: kept.bytesAt,
    };
  }

  #find(bytes: Buffer, position: number, lineStart: number): KeptHit | undefined {
    const hits = this.#search.matcher.lineHits(bytes);
    // The start of a later piece is no start of a line: what is found right there may be an anchor's mistake.
    const at = hits.find((offset, index) => index % 2 === 0 && (offset > 0 || position === lineStart));
    if (at === undefined) return undefined;
    const from = Math.max(0, at - KEPT_BYTES);
    return {
      at: position + at,
      bytes: Buffer.from(bytes.subarray(from, at + KEPT_BYTES)),
      bytesAt: position + from,
    };
  }
}
