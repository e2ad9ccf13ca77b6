/**
 * Lines as an answer shows them: decoded, without their line end, and cut around the match between characters when they are
 * too long; and the lines around a hit. Those are read again from the file by position, which is rare enough to cost nothing
 * and independent of the windows that the search used.
 */
import { limits } from "../../base/index.ts";
import { NEWLINE } from "../engine/matcher.ts";
import type { TextSource } from "./line-windows.ts";

export interface ContextLine {
  line: number;
  text: string;
  cut?: true;
}

/** Read for one side of one hit; longer lines than this end the context. */
const CONTEXT_BYTES: number = 256 * 1024;
const STEP_BYTES: number = 4096;

/** Up to `count` lines that end before `position`, which starts line `line`; none before line `first`. */
export function linesBefore(
  source: TextSource,
  position: number,
  line: number,
  count: number,
  first: number,
): ContextLine[] {
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
export function linesAfter(
  source: TextSource,
  end: number,
  line: number,
  count: number,
  limit: number,
): ContextLine[] {
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
export function showLine(bytes: Buffer, match: number, isWhole = true): ShownText {
  const isEnded = isWhole && bytes.at(-1) === CARRIAGE_RETURN;
  return showPart(isEnded ? bytes.subarray(0, -1) : bytes, match, isWhole);
}

/** The same for a part of a line, which has no end to leave out. */
export function showPart(bytes: Buffer, match: number, isWhole = true): ShownText {
  const { length } = bytes;
  if (isWhole && length <= limits.MAX_GREP_LINE_BYTES)
    return { text: bytes.toString("utf8", 0, length), isCut: false };
  const from = characterStart(
    bytes,
    Math.max(0, Math.min(match - LEAD_BYTES, length - limits.MAX_GREP_LINE_BYTES)),
  );
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
