/**
 * The lines of one file that match, in order, found window by window. What is done with them (counted, shown) is not
 * known here; the consumer ends the search by taking no more.
 *
 * As ripgrep: in a file that was found and not named, a NUL byte ends the search, and one near the start makes it binary.
 */
import type { Cancel, InTurns, JobTurn } from "../../base/index.ts";
import { wasMasked, type Matcher, NEWLINE } from "../engine/matcher.ts";
import { lineWindows, type TextSource, type Window, type WindowBuffer } from "./line-windows.ts";
import { sharedScanner } from "../../text/index.ts";

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

export interface FileSearch {
  readonly source: TextSource;
  readonly matcher: Matcher;
  readonly buffer: WindowBuffer;
  readonly cancel: Cancel;
  readonly turn?: JobTurn | undefined;
  readonly invert: boolean;
  /** Where matches span lines, only so many are looked for; else the consumer counts lines. */
  readonly maxMatches: number;
  /** Only what NUL bytes do depends on it. */
  readonly isNamed: boolean;
  /** They do nothing at all. */
  readonly isText: boolean;
  /** Called for every window with its size. */
  readonly onBytes: (count: number) => void;
}

export interface FileNotes {
  isBinary: boolean;
  longLines: number;
  isMasked: boolean;
  isStopped: boolean;
}

/** How far ripgrep's first buffer reaches. */
export const BINARY_HEAD_BYTES: number = 64 * 1024;

/** With a promise of the next turn wherever others should have the thread. */
export type Hits<One = Hit> = Generator<One | Promise<void>, void, undefined>;

export function* fileHits(search: FileSearch, notes: FileNotes): Hits {
  const { source, matcher, invert } = search;
  let line = 1;
  const long = new LongLine(matcher, invert);
  for (const next of searchedWindows(search, notes)) {
    if (next instanceof Promise) {
      yield next;
      continue;
    }
    const { window, bytes } = next;
    if (window.kind !== "whole") {
      const hit = long.take(bytes, window, notes, line);
      if (hit) yield hit;
      if (long.isOver) line++;
      continue;
    }
    const lines: LineCount = { at: 0, line };
    yield* invert
      ? missed(matcher.lineHits(bytes), bytes, window.position, lines)
      : found(matcher.lineHits(bytes), bytes, window.position, lines);
    const isLast = window.position + window.bytes.length >= source.size;
    if (!isLast) line = lineAt(bytes, bytes.length, lines);
  }
}

/** How many hits `fileHits` would give, at most about `most`: nothing is made for each. */
export function* countHits(search: FileSearch, notes: FileNotes, most: number): InTurns<number> {
  const { matcher, invert } = search;
  const long = new LongLine(matcher, invert);
  let count = 0;
  for (const next of searchedWindows(search, notes)) {
    if (next instanceof Promise) {
      yield next;
      continue;
    }
    const { window, bytes } = next;
    if (window.kind !== "whole") {
      if (long.take(bytes, window, notes, 0)) count++;
    } else {
      const hits = matcher.countLines(bytes);
      count += invert ? linesIn(bytes) - hits : hits;
    }
    if (count >= most) return most;
  }
  return count;
}

function linesIn(bytes: Buffer): number {
  const isEnded = bytes.length === 0 || bytes.at(-1) === NEWLINE;
  return sharedScanner().count(bytes, NEWLINE) + (isEnded ? 0 : 1);
}

/** The windows of a file, each with the part of it that is searched. */
function* searchedWindows(
  search: FileSearch,
  notes: FileNotes,
): Hits<{ readonly window: Window; readonly bytes: Buffer }> {
  const reads = new ReadEnds();
  for (const window of lineWindows(search.source, search.buffer, search.turn)) {
    if (window instanceof Promise) {
      // Others search meanwhile, and mask what they read.
      notes.isMasked ||= wasMasked();
      yield window;
      wasMasked();
      continue;
    }
    search.onBytes(window.bytes.length);
    if (search.cancel.state() !== "none") {
      notes.isStopped = true;
      return;
    }
    const bytes =
      search.isNamed || search.isText ? window.bytes : beforeNul(window.bytes, window.position, reads, notes);
    if (search.isNamed && !search.isText && window.position === 0 && bytes.subarray(0, BINARY_HEAD_BYTES).includes(0))
      notes.isBinary = true;
    yield { window, bytes };
    if (notes.isBinary && !search.isNamed) return;
  }
}

/** The lines that ripgrep has searched before it reads the first NUL. */
function beforeNul(bytes: Buffer, position: number, reads: ReadEnds, notes: FileNotes): Buffer {
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

function* found(
  hits: readonly number[],
  bytes: Buffer,
  position: number,
  count: LineCount,
): Generator<Hit, void, undefined> {
  for (let at = 0; at < hits.length; at += 2) {
    const match = hits[at] ?? 0;
    const start = match === 0 ? 0 : bytes.lastIndexOf(NEWLINE, match - 1) + 1;
    yield hitOf(bytes, position, start, match, count);
  }
}

/** The lines between the hits. */
function* missed(
  hits: readonly number[],
  bytes: Buffer,
  position: number,
  count: LineCount,
): Generator<Hit, void, undefined> {
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

class LongLine {
  readonly #matcher: Matcher;
  readonly #invert: boolean;
  #start: number | undefined;
  #hit: KeptHit | undefined;

  constructor(matcher: Matcher, invert: boolean) {
    this.#matcher = matcher;
    this.#invert = invert;
  }

  /** Whether the piece that was taken last ended its line. */
  get isOver(): boolean {
    return this.#start === undefined;
  }

  /** @returns the line as a hit, when this piece ends it and it is one */
  take(bytes: Buffer, { position, kind }: Window, notes: FileNotes, line: number): Hit | undefined {
    const start = (this.#start ??= position);
    this.#hit ??= this.#find(bytes, position, start);
    if (kind !== "end" && !notes.isBinary) return undefined;
    notes.longLines++;
    const hit = this.#hit;
    this.#start = this.#hit = undefined;
    if ((hit !== undefined) === this.#invert) return undefined;
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
    const hits = this.#matcher.lineHits(bytes);
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
