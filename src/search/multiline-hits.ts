/**
 * Matches that may span lines, in a text that is held whole: each hit is the lines that a match touches; matches that
 * share a line are one hit. Larger files than fit are not searched, and counted.
 */
import type { FileNotes, FileSearch, Hit } from "./file-hits.ts";
import { NEWLINE } from "./matcher.ts";
import type { TextSource } from "./text-source.ts";

/** Held twice: here and in the engine. */
export const MAX_MULTILINE_BYTES: number = 32 * 1024 * 1024;

export interface MultilineHit extends Hit {
  /** Matches in it. */
  readonly matches: number;
}

export function* multilineHits(
  search: FileSearch,
  notes: FileNotes,
): Generator<MultilineHit, void, undefined> {
  const text = readWhole(search.source);
  search.onBytes(text.length);
  if (!search.source.isTranscoded && text.includes(0)) {
    notes.isBinary = true;
    if (!search.isNamed) return;
  }
  const ranges = rangesOf(search.matcher.spans(text), text);
  let line = 1;
  let counted = 0;
  for (const { start, end, match, matches } of search.invert ? between(ranges, text) : ranges) {
    for (; counted < start; counted++) if (text[counted] === NEWLINE) line++;
    const first = line;
    for (; counted < end; counted++) if (text[counted] === NEWLINE) line++;
    yield {
      line: first,
      endLine: line,
      start,
      end,
      matchStart: match,
      bytes: text.subarray(start, end),
      bytesAt: start,
      matches,
    };
  }
}

function readWhole(source: TextSource): Buffer {
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
  matches: number;
}

function rangesOf(spans: readonly number[], text: Buffer): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    const from = spans[at] ?? 0;
    const to = spans[at + 1] ?? from;
    // An empty match behind the last line end is in no line.
    if (from === text.length && text.at(-1) === NEWLINE) continue;
    if (text.length === 0) continue;
    const start = from === 0 ? 0 : text.lastIndexOf(NEWLINE, from - 1) + 1;
    // A match that ends with a line feed ends in that line.
    const last = to > from && text[to - 1] === NEWLINE ? to - 1 : to;
    const feed = text.indexOf(NEWLINE, last);
    const end = feed < 0 ? text.length : feed;
    const before = ranges.at(-1);
    if (before && start <= before.end) {
      before.end = Math.max(before.end, end);
      before.matches++;
    } else ranges.push({ start, end, match: from, matches: 1 });
  }
  return ranges;
}

/** Line by line what no range covers. */
function* between(ranges: readonly Range[], text: Buffer): Generator<Range, void, undefined> {
  let next = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf(NEWLINE, start);
    const end = feed < 0 ? text.length : feed;
    while ((ranges[next]?.end ?? Infinity) < start) next++;
    if (start < (ranges[next]?.start ?? Infinity)) yield { start, end, match: start, matches: 1 };
    start = end + 1;
  }
}
