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
import { KeyLook } from "./key-look.ts";
import { readRange, type TextSource } from "./line-windows.ts";
import { multilineHits, type MultilineHit } from "./multiline-hits.ts";

/** A file whose lines are shown, and how parts of private keys in them are known where they are hidden. */
interface ShownFile {
  readonly source: TextSource;
  readonly keys: KeyLook | undefined;
}

/** A hit that waits for the next one, because its context ends there. */
interface Waiting {
  readonly hit: Hit;
  readonly match: GrepMatch;
}

export function* collectMatches(search: FileSearch, room: Room, after: FilePlace | undefined): InTurns<FileFound> {
  const { plan, source, ctx } = search;
  const file: ShownFile = { source, keys: ctx.hidesKeys === true ? new KeyLook(source) : undefined };
  const most = maxHits(search);
  const matches: GrepMatch[] = [];
  let waiting: Waiting | undefined;
  let shown = 0;
  let lines = 0;
  const settle = (next: number): void => {
    if (!waiting || plan.after === 0) return;
    const context = linesAfter(file, waiting.hit.end, waiting.hit.endLine, plan.after, next);
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
    for (const { match, at } of matchesOf(search, hit)) {
      if (after && isBefore(match, after)) continue;
      if (isFull(room)) return { end: "full", count: 0, matches };
      if (plan.before > 0) {
        const context = linesBefore(file, hit.start, hit.line, plan.before, shown + 1);
        if (context.length > 0) match.before = context;
      }
      // After the lines before it: the look goes forward.
      if (file.keys) match.text = file.keys.hide(match.text, at, around(hit, at, match.text));
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

/** How much of the line beside a match is looked at, to tell what it is a part of. */
const BESIDE_BYTES = 64;

function around({ bytes, bytesAt }: Hit, at: number, text: string): string {
  const from = at - bytesAt;
  return bytes.toString("latin1", Math.max(0, from - BESIDE_BYTES), from + Buffer.byteLength(text) + BESIDE_BYTES);
}

interface PlacedMatch {
  readonly match: GrepMatch;
  /** Where its text begins in the source. */
  readonly at: number;
}

function matchesOf(search: FileSearch, hit: Hit): PlacedMatch[] {
  const { plan, path } = search;
  if (plan.only_matching) return partsOf(hit, spansIn(search, hit), path);
  const isWhole = hit.bytesAt === hit.start && hit.bytes.length === hit.end - hit.start;
  const { text, from, isCut } = showLine(hit.bytes, hit.matchStart - hit.bytesAt, isWhole);
  const match: GrepMatch = {
    path,
    line: hit.line,
    column: hit.matchStart - hit.start + 1,
    text,
    ...(hit.endLine > hit.line ? { end_line: hit.endLine } : {}),
    ...(isCut ? { cut: true as const } : {}),
  };
  return [{ match, at: hit.bytesAt + from }];
}

/** Each match by itself, empty ones too. */
function partsOf(hit: Hit, spans: readonly number[], path: string): PlacedMatch[] {
  const parts: PlacedMatch[] = [];
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
    const match: GrepMatch = { path, line, column, text, ...(isCut ? { cut: true as const } : {}) };
    parts.push({ match, at: hit.bytesAt + from });
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
function linesBefore(file: ShownFile, position: number, line: number, count: number, first: number): ContextLine[] {
  const wanted = Math.min(count, line - Math.max(1, first));
  if (wanted <= 0) return [];
  for (let size = STEP_BYTES; ; size *= 4) {
    const from = Math.max(0, position - Math.min(size, CONTEXT_BYTES));
    const bytes = readRange(file.source, from, position - from);
    const lines = splitLines(bytes.subarray(0, bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length));
    // The first may have lost its head.
    if (from > 0) lines.shift();
    if (lines.length >= wanted || from === 0 || size >= CONTEXT_BYTES) {
      const kept = lines.slice(-wanted);
      return shownLines(file, kept, line - kept.length, from - bytes.byteOffset);
    }
  }
}

/** Up to `count` lines after the line feed at `end`, which ends line `line`; none from line `limit` on. */
function linesAfter(file: ShownFile, end: number, line: number, count: number, limit: number): ContextLine[] {
  const wanted = Math.min(count, limit - line - 1);
  if (wanted <= 0) return [];
  for (let size = STEP_BYTES; ; size *= 4) {
    const bytes = readRange(file.source, end + 1, Math.min(size, CONTEXT_BYTES));
    const isWhole = bytes.length < Math.min(size, CONTEXT_BYTES);
    const lines = splitLines(bytes);
    // Behind the last line end there is no line; without one the last line may have lost its tail.
    if (lines.length > 0 && (!isWhole || lines.at(-1)?.length === 0)) lines.pop();
    if (lines.length >= wanted || isWhole || size >= CONTEXT_BYTES)
      return shownLines(file, lines.slice(0, wanted), line + 1, end + 1 - bytes.byteOffset);
  }
}

/** @param first the number of the first line @param offset from where a line stands in memory to where it stands in the source */
function shownLines({ keys }: ShownFile, lines: readonly Buffer[], first: number, offset: number): ContextLine[] {
  return lines.map((bytes, index) => {
    const shown = showLine(bytes, 0);
    const text = keys?.hide(shown.text, bytes.byteOffset + offset) ?? shown.text;
    return { line: first + index, text, ...(shown.isCut ? { cut: true as const } : {}) };
  });
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
  /** Where it begins in the bytes. */
  readonly from: number;
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
  if (isWhole && length <= limits.MAX_GREP_LINE_BYTES) return { text: bytes.toString("utf8"), from: 0, isCut: false };
  const from = characterStart(bytes, Math.max(0, Math.min(match - LEAD_BYTES, length - limits.MAX_GREP_LINE_BYTES)));
  const to = characterStart(bytes, Math.min(length, from + limits.MAX_GREP_LINE_BYTES));
  return { text: bytes.toString("utf8", from, to), from, isCut: true };
}

const CARRIAGE_RETURN = 13;

/** Back to the first byte of the character at `at`; at most three steps, because the bytes may not be UTF-8. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
