/**
 * The lines of one file that match, in order, found window by window. What is done with them (counted, shown) is not
 * known here; the consumer ends the search by taking no more.
 *
 * As ripgrep: in a file that was found and not named, a NUL byte ends the search, and one near the start makes it binary.
 */
import type { Cancel } from "../base/index.ts";
import { lineWindows, type WindowBuffer } from "./line-windows.ts";
import { NEWLINE, type Matcher } from "./matcher.ts";
import type { TextSource } from "./text-source.ts";

export interface Hit {
  /** 1-based; of the first line. */
  readonly line: number;
  readonly endLine: number;
  /** Of the line's first byte, and behind its last (without the line feed), in the source. */
  readonly start: number;
  readonly end: number;
  /** Of the match; the line's start when it was found for not matching. */
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
  readonly invert: boolean;
  /** Only what NUL bytes do depends on it. */
  readonly isNamed: boolean;
  /** Called for every window with its size. */
  readonly onBytes: (count: number) => void;
}

export interface FileNotes {
  isBinary: boolean;
  longLines: number;
  isStopped: boolean;
}

/** How far ripgrep's first buffer reaches. */
const BINARY_HEAD_BYTES: number = 64 * 1024;

export function* fileHits(search: FileSearch, notes: FileNotes): Generator<Hit, void, undefined> {
  const { source, matcher, buffer } = search;
  let line = 1;
  let long: LongLine | undefined;
  for (const window of lineWindows(source, buffer)) {
    search.onBytes(window.bytes.length);
    if (search.cancel.state() !== "none") {
      notes.isStopped = true;
      return;
    }
    const bytes =
      search.isNamed || source.isTranscoded ? window.bytes : beforeNul(window.bytes, window.position, notes);
    if (search.isNamed && window.position === 0 && bytes.subarray(0, BINARY_HEAD_BYTES).includes(0))
      notes.isBinary = true;
    if (window.kind === "whole") {
      const lines: LineCount = { at: 0, line };
      yield* search.invert
        ? missed(matcher.lineHits(bytes), bytes, window.position, lines)
        : found(matcher.lineHits(bytes), bytes, window.position, lines);
      line = lineAt(bytes, bytes.length, lines);
    } else {
      long ??= { start: window.position, hit: undefined };
      long.hit ??= hitInPiece(matcher, bytes, window.position, long.start);
      if (window.kind === "end" || notes.isBinary) {
        notes.longLines++;
        const end = window.position + bytes.length - (bytes.at(-1) === NEWLINE ? 1 : 0);
        if ((long.hit !== undefined) !== search.invert)
          yield longHit(long, line, end, bytes, window.position);
        line++;
        long = undefined;
      }
    }
    if (notes.isBinary && !search.isNamed) return;
  }
}

/** Up to the line that holds the first NUL; nothing when that is near the start of the file. */
function beforeNul(bytes: Buffer, position: number, notes: FileNotes): Buffer {
  const nul = bytes.indexOf(0);
  if (nul < 0) return bytes;
  notes.isBinary = true;
  if (position + nul < BINARY_HEAD_BYTES) return bytes.subarray(0, 0);
  return bytes.subarray(0, bytes.lastIndexOf(NEWLINE, nul) + 1);
}

interface LineCount {
  at: number;
  line: number;
}

/** The number of the line at an offset; counted on from the last one asked. */
function lineAt(bytes: Buffer, offset: number, count: LineCount): number {
  let { line } = count;
  for (let at = count.at; at < offset; at++) if (bytes[at] === NEWLINE) line++;
  count.at = offset;
  count.line = line;
  return line;
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

interface LongLine {
  readonly start: number;
  hit: { readonly at: number; readonly bytes: Buffer; readonly bytesAt: number } | undefined;
}

/** Kept from a long line: more than is ever shown of one. */
const KEPT_BYTES = 4096;

function hitInPiece(matcher: Matcher, bytes: Buffer, position: number, lineStart: number): LongLine["hit"] {
  const hits = matcher.lineHits(bytes);
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

function longHit(long: LongLine, line: number, end: number, bytes: Buffer, position: number): Hit {
  const hit = long.hit ?? {
    at: long.start,
    bytes: Buffer.from(bytes.subarray(0, KEPT_BYTES)),
    bytesAt: position,
  };
  return {
    line,
    endLine: line,
    start: long.start,
    end,
    matchStart: hit.at,
    bytes: hit.bytes,
    bytesAt: hit.bytesAt,
  };
}
