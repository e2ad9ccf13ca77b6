/**
 * Matches that may span lines, in a text that is held whole: each hit is the lines that a match touches; matches that
 * share a line are one hit. Larger files than fit are not searched, and counted.
 */
import { type Matcher, NEWLINE } from "../engine/matcher.ts";
import { BINARY_HEAD_BYTES, type FileSearch, type Hit } from "./file-hits.ts";
import type { TextSource } from "./line-windows.ts";
import { sharedScanner } from "../../text/index.ts";

/** Held twice: here and in the engine. */
export const MAX_MULTILINE_BYTES: number = 32 * 1024 * 1024;

export interface MultilineHit extends Hit {
  readonly spans: readonly number[];
}

export function* multilineHits(search: FileSearch): Generator<MultilineHit, void, undefined> {
  const { source, matcher, buffer, notes, isNamed, onBytes } = search;
  const { invert, binary, max_count } = search.plan;
  if (!source.isWhole && !invert && !mayMatch(search)) return;
  const text = readWhole(source, buffer.bytes);
  onBytes(text.length);
  if (binary !== "search" && text.subarray(0, BINARY_HEAD_BYTES).includes(0)) {
    notes.isBinary = true;
    if (!isNamed) return;
  }
  const ranges = rangesOf(matcher, text, invert ? Infinity : max_count);
  let line = 1;
  let counted = 0;
  let index = 0;
  let checked = -1;
  for (const { start, end, match, spans } of invert ? between(ranges, text) : ranges) {
    // As ripgrep: behind its first buffer only lines that it would give are looked at for NUL bytes; and matches of lines
    // that follow each other without another between them are one to it.
    const at = index++;
    if (!isNamed && binary !== "search" && start > checked) {
      const last = invert ? end : endOfRun(ranges, at);
      checked = last;
      if (text.subarray(start, last).includes(0)) {
        notes.isBinary = true;
        return;
      }
    }
    line += sharedScanner().count(text.subarray(counted, start), NEWLINE);
    const first = line;
    line += sharedScanner().count(text.subarray(start, end), NEWLINE);
    counted = end;
    yield {
      line: first,
      endLine: line,
      start,
      end,
      matchStart: match,
      bytes: text.subarray(start, end),
      bytesAt: start,
      spans,
    };
  }
}

/** Longer than anything that `mayMatch` of a matcher looks for. */
const OVERLAP_BYTES: number = 64 * 1024;

/** Piece by piece, so that of the large files of a tree only those with a match are held whole. */
function mayMatch({ source, buffer, matcher, plan, notes, onBytes }: FileSearch): boolean {
  const { bytes } = buffer;
  let [position, filled] = [0, source.head];
  for (;;) {
    let got = -1;
    for (; got !== 0 && filled < bytes.length; filled += got)
      got = source.read(bytes, filled, bytes.length - filled, position + filled);
    if (matcher.mayMatch(bytes.subarray(0, filled))) return true;
    if (position === 0 && plan.binary !== "search")
      notes.isBinary = bytes.subarray(0, Math.min(filled, BINARY_HEAD_BYTES)).includes(0);
    const used = filled - OVERLAP_BYTES;
    if (got === 0 || used <= 0) break;
    bytes.copyWithin(0, used, filled);
    position += used;
    filled = OVERLAP_BYTES;
  }
  onBytes(position + filled);
  return false;
}

function readWhole(source: TextSource, buffer: Buffer): Buffer {
  if (source.isWhole) return buffer.subarray(0, source.head);
  const text = Buffer.allocUnsafeSlow(Math.max(0, Math.min(source.size, MAX_MULTILINE_BYTES)));
  let length = 0;
  for (let got = -1; got !== 0 && length < text.length; length += got)
    got = source.read(text, length, text.length - length, length);
  return text.subarray(0, length);
}

interface Range {
  readonly start: number;
  end: number;
  readonly match: number;
  readonly spans: number[];
}

/** The first `most` matches decide which lines; then every match that starts in them is one of theirs. */
function rangesOf(matcher: Matcher, text: Buffer, most: number): Range[] {
  const spans = matcher.spans(text);
  const emptyMatch = emptyMatchIn(matcher, text);
  const ranges: Range[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    const from = spans[at] ?? 0;
    const to = spans[at + 1] ?? from;
    const before = ranges.at(-1);
    if (at >= most * 2) {
      if (!before || from > before.end) break;
      // As ripgrep: an empty match at the end of the text makes a line match, and is none to show.
      if (from < text.length) before.spans.push(from - before.start, to - before.start);
      continue;
    }
    // An empty match behind the last line end is in no line.
    if (from === text.length && text.at(-1) === NEWLINE) continue;
    if (text.length === 0) continue;
    const start = from === 0 ? 0 : text.lastIndexOf(NEWLINE, from - 1) + 1;
    // A match that ends with a line feed ends in that line.
    const last = to > from && text[to - 1] === NEWLINE ? to - 1 : to;
    const feed = text.indexOf(NEWLINE, last);
    const end = feed < 0 ? text.length : feed;
    const range = before && start <= before.end ? before : { start, end, match: from, spans: [] };
    if (range !== before) ranges.push(range);
    range.end = Math.max(range.end, end);
    if (from < text.length) range.spans.push(from - range.start, to - range.start);
    const line = last < to ? emptyMatch(to, spans[at + 2] ?? Infinity) : undefined;
    if (line) ranges.push(line);
  }
  return ranges;
}

/**
 * As ripgrep: an empty match right behind another is no match to show, but makes its line match. Only where no other one
 * begins in that line.
 * @returns for a match that ends with a line feed at `start`, the line that begins there, if nothing else matches it
 */
function emptyMatchIn(matcher: Matcher, text: Buffer): (start: number, next: number) => Range | undefined {
  let isPossible: boolean | undefined;
  return (start, next) => {
    if (start >= text.length) return undefined;
    isPossible ??= matcher.spans(NOTHING).length > 0;
    if (!isPossible) return undefined;
    const feed = text.indexOf(NEWLINE, start);
    const end = feed < 0 ? text.length : feed;
    if (next <= end || matcher.spans(text.subarray(start, end + 1))[0] !== 0) return undefined;
    return { start, end, match: start, spans: [] };
  };
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Where the last of the ranges ends that follow this one line upon line. */
function endOfRun(ranges: readonly Range[], first: number): number {
  let end = ranges[first]?.end ?? 0;
  for (let at = first + 1; ranges[at]?.start === end + 1; at++) end = ranges[at]?.end ?? end;
  return end;
}

/** Line by line what no range covers. */
function* between(ranges: readonly Range[], text: Buffer): Generator<Range, void, undefined> {
  let next = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf(NEWLINE, start);
    const end = feed < 0 ? text.length : feed;
    while ((ranges[next]?.end ?? Infinity) < start) next++;
    if (start < (ranges[next]?.start ?? Infinity)) yield { start, end, match: start, spans: [] };
    start = end + 1;
  }
}
