/**
 * The matches of one file as an answer shows them: each line, or each match in it, until the answer is full. A line is decoded,
 * without its line end, and cut around the match between characters when it is too long. The lines around a hit are read
 * again from the file by position, which is rare enough to cost nothing and independent of the windows of the search.
 */
import { type InTurns, limits } from "../../base/index.ts";
import { isFull, type Room, takeOne } from "../context.ts";
import { NEWLINE } from "../engine/matcher.ts";
import { fileHits, type FileSearch, type Hit, type Hits } from "./file-hits.ts";
import {
  sizeOf,
  type ContextLine,
  type FileFound,
  type FilePlace,
  type GrepMatch,
  type GrepRun,
} from "./grep-answer.ts";
import type { TextSource } from "./line-windows.ts";
import { multilineHits, type MultilineHit } from "./multiline-hits.ts";

/** A hit that waits for the next one, because its context ends there. */
interface Waiting {
  readonly hit: Hit;
  readonly match: GrepMatch;
}

export function* collectMatches(search: FileSearch, room: Room, after: FilePlace | undefined): InTurns<FileFound> {
  const { plan, source } = search;
  const most = maxHits(search);
  const matches: GrepMatch[] = [];
  let waiting: Waiting | undefined;
  let shown = 0;
  let lines = 0;
  const settle = (next: number): void => {
    if (!waiting || plan.after === 0) return;
    const context = linesAfter(source, waiting.hit.end, waiting.hit.endLine, plan.after, next);
    if (context.length === 0) return;
    waiting.match.after = context;
    shown = context.at(-1)?.line ?? shown;
  };
  for (const hit of hitsOf(search)) {
    if (hit instanceof Promise) {
      yield hit;
      continue;
    }
    if (++lines > most) break;
    settle(hit.line);
    waiting = undefined;
    for (const match of matchesOf(search, hit)) {
      if (after && isBefore(match, after)) continue;
      if (isFull(room)) return { end: "full", count: 0, matches };
      if (plan.before > 0) {
        const context = linesBefore(source, hit.start, hit.line, plan.before, shown + 1);
        if (context.length > 0) match.before = context;
      }
      if (!takeOne(room, sizeOf(match))) return { end: "full", count: 0, matches };
      shown = hit.endLine;
      waiting = { hit, match };
      matches.push(match);
    }
  }
  settle(Infinity);
  return { end: "done", count: 0, matches };
}

export function hitsOf(search: FileSearch): Hits {
  return search.matcher.spansLines ? multilineHits(search) : fileHits(search);
}

function matchesOf(search: FileSearch, hit: Hit): GrepMatch[] {
  const { plan, path } = search;
  if (plan.only_matching) return partsOf(hit, spansIn(search, hit), path);
  const isWhole = hit.bytesAt === hit.start && hit.bytes.length === hit.end - hit.start;
  const { text, isCut } = showLine(hit.bytes, hit.matchStart - hit.bytesAt, isWhole);
  return [
    {
      path,
      line: hit.line,
      column: hit.matchStart - hit.start + 1,
      text,
      ...(hit.endLine > hit.line ? { end_line: hit.endLine } : {}),
      ...(isCut ? { cut: true as const } : {}),
    },
  ];
}

/** Each match by itself, empty ones too. */
function partsOf(hit: Hit, spans: readonly number[], path: string): GrepMatch[] {
  const parts: GrepMatch[] = [];
  let line = hit.line;
  let lineStart = 0;
  for (let at = 0; at < spans.length; at += 2) {
    const from = spans[at] ?? 0;
    const to = spans[at + 1] ?? from;
    for (
      let feed = hit.bytes.indexOf(10, lineStart);
      feed >= 0 && feed < from;
      feed = hit.bytes.indexOf(10, lineStart)
    ) {
      line++;
      lineStart = feed + 1;
    }
    const { text, isCut } = (to > hit.bytes.length ? showLine : showPart)(hit.bytes.subarray(from, to), 0);
    const column = hit.bytesAt - hit.start + from - lineStart + 1;
    parts.push({ path, line, column, text, ...(isCut ? { cut: true as const } : {}) });
  }
  return parts;
}

function isBefore(match: GrepMatch, place: FilePlace): boolean {
  return match.line < place.line || (match.line === place.line && match.column <= place.column);
}

/** Lines; where matches span lines `multilineHits` has counted matches already. */
export function maxHits({ plan, matcher }: GrepRun): number {
  return matcher.spansLines && !plan.invert ? Infinity : plan.max_count;
}

export function spansIn({ matcher, source }: FileSearch, hit: Hit | MultilineHit): readonly number[] {
  if ("spans" in hit) return hit.spans;
  const spans = matcher.spans(hit.bytes);
  // As ripgrep: at the end of a text that does not end its last line, an empty match is none.
  const isDropped = spans.at(-2) === hit.bytes.length && hit.end >= source.size;
  return isDropped ? spans.slice(0, -2) : spans;
}

/** Read for one side of one hit; longer lines than this end the context. */
const CONTEXT_BYTES: number = 256 * 1024;
const STEP_BYTES: number = 4096;

/** Up to `count` lines that end before `position`, which starts line `line`; none before line `first`. */
function linesBefore(source: TextSource, position: number, line: number, count: number, first: number): ContextLine[] {
  const wanted = Math.min(count, line - Math.max(1, first));
  if (wanted <= 0) return [];
  for (let size = STEP_BYTES; ; size *= 4) {
    const from = Math.max(0, position - Math.min(size, CONTEXT_BYTES));
    const bytes = readRange(source, from, position - from);
    const lines = splitLines(bytes.subarray(0, bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length));
    // The first may have lost its head.
    if (from > 0) lines.shift();
    if (lines.length >= wanted || from === 0 || size >= CONTEXT_BYTES) {
      const kept = lines.slice(-wanted);
      return kept.map((text, index) => contextLine(text, line - kept.length + index));
    }
  }
}

/** Up to `count` lines after the line feed at `end`, which ends line `line`; none from line `limit` on. */
function linesAfter(source: TextSource, end: number, line: number, count: number, limit: number): ContextLine[] {
  const wanted = Math.min(count, limit - line - 1);
  if (wanted <= 0) return [];
  for (let size = STEP_BYTES; ; size *= 4) {
    const bytes = readRange(source, end + 1, Math.min(size, CONTEXT_BYTES));
    const isWhole = bytes.length < Math.min(size, CONTEXT_BYTES);
    const lines = splitLines(bytes);
    // Behind the last line end there is no line; without one the last line may have lost its tail.
    if (lines.length > 0 && (!isWhole || lines.at(-1)?.length === 0)) lines.pop();
    if (lines.length >= wanted || isWhole || size >= CONTEXT_BYTES)
      return lines.slice(0, wanted).map((text, index) => contextLine(text, line + 1 + index));
  }
}

function contextLine(bytes: Buffer, line: number): ContextLine {
  const { text, isCut } = showLine(bytes, 0);
  return isCut ? { line, text, cut: true } : { line, text };
}

function readRange(source: TextSource, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  for (let got = -1; got !== 0 && filled < length; filled += got)
    got = source.read(bytes, filled, length - filled, from + filled);
  return bytes.subarray(0, filled);
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let feed = bytes.indexOf(NEWLINE); feed >= 0; feed = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, feed));
    start = feed + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** What stands before the match in a cut line. */
const LEAD_BYTES = 256;

/** @param isWhole `bytes` is the whole line, not a part of a longer one */
function showLine(bytes: Buffer, match: number, isWhole = true): ShownText {
  const isEnded = isWhole && bytes.at(-1) === CARRIAGE_RETURN;
  return showPart(isEnded ? bytes.subarray(0, -1) : bytes, match, isWhole);
}

function showPart(bytes: Buffer, match: number, isWhole = true): ShownText {
  const { length } = bytes;
  if (isWhole && length <= limits.MAX_GREP_LINE_BYTES) return { text: bytes.toString("utf8", 0, length), isCut: false };
  const from = characterStart(bytes, Math.max(0, Math.min(match - LEAD_BYTES, length - limits.MAX_GREP_LINE_BYTES)));
  const to = characterStart(bytes, Math.min(length, from + limits.MAX_GREP_LINE_BYTES));
  return { text: bytes.toString("utf8", from, to), isCut: true };
}

const CARRIAGE_RETURN = 13;

/** Back to the first byte of the character at `at`; at most three steps, because the bytes may not be UTF-8. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
