/**
 * Matches that may span lines, in a text that is held whole: each hit is the lines that a match touches; matches that
 * share a line are one hit. Larger files than fit are not searched, and counted.
 */
import { BINARY_HEAD_BYTES, type FileNotes, type FileSearch, type Hit } from "./file-hits.ts";
import { NEWLINE } from "./matcher.ts";
import { sharedScanner } from "../text/index.ts";
import type { TextSource } from "./text-source.ts";

/** Held twice: here and in the engine. */
export const MAX_MULTILINE_BYTES: number = 32 * 1024 * 1024;

export interface MultilineHit extends Hit {
  /** The matches in it, as offsets in `bytes`. */
  readonly spans: readonly number[];
}

export function* multilineHits(
  search: FileSearch,
  notes: FileNotes,
): Generator<MultilineHit, void, undefined> {
  const text = readWhole(search.source, search.buffer.bytes);
  search.onBytes(text.length);
  if (!search.isText && text.subarray(0, BINARY_HEAD_BYTES).includes(0)) {
    notes.isBinary = true;
    if (!search.isNamed) return;
  }
  const ranges = rangesOf(search.matcher.spans(text), text, search.invert ? Infinity : search.maxMatches);
  let line = 1;
  let counted = 0;
  let index = 0;
  let checked = -1;
  for (const { start, end, match, spans } of search.invert ? between(ranges, text) : ranges) {
    // As ripgrep: behind its first buffer only lines that it would give are looked at for NUL bytes; and matches of lines
    // that follow each other without another between them are one to it.
    const at = index++;
    if (!search.isNamed && !search.isText && start > checked) {
      const last = search.invert ? end : endOfRun(ranges, at);
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
function rangesOf(spans: readonly number[], text: Buffer, most: number): Range[] {
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
  }
  return ranges;
}

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
