/**
 * Where a line of a large file begins, and how many lines there are, as far as a bounded amount of counting can tell.
 * What was not counted is said: a total is then "at least", a line number negative, counted from the end.
 */
import type { TextRead } from "./file-read.ts";
import type { FileSource } from "./file-source.ts";
import type { LineWindow } from "./line-window.ts";
import { readRange } from "./read-bytes.ts";
import { pastTheEnd } from "./read-whole-text.ts";
import { countNewlines, skipLines, skipLinesBack } from "./scan-lines.ts";

/** Counted beyond what the answer needs, to give a total: under 100 ms when the file is cached. */
const MAX_COUNTED_BYTES: number = 128 * 1024 * 1024;

const NEWLINE = 0x0a;

export interface LineStart {
  readonly position: number;
  /** Negative, counted from the end, when counting from the beginning would take too long. */
  readonly line: number;
  /** Lines before it, at least. */
  readonly before: number;
}

/** @throws Failure `invalid_input` when the line is past the end */
export async function findStart(source: FileSource): Promise<LineStart> {
  const offset = source.request.offset ?? 1;
  if (offset < 0) return await findStartFromEnd(source, -offset);
  const line = Math.max(1, offset);
  const { position, newlines } = await skipLines(source, line - 1);
  if (line === 1 || (newlines === line - 1 && position < source.size))
    return { position, line, before: line - 1 };
  throw pastTheEnd(source, line, newlines + (newlines < line - 1 && isUnterminated(source) ? 1 : 0));
}

async function findStartFromEnd(source: FileSource, lines: number): Promise<LineStart> {
  const position = await skipLinesBack(source, lines);
  const before = await countNewlines(source, 0, Math.min(position, MAX_COUNTED_BYTES));
  return { position, line: position <= MAX_COUNTED_BYTES ? before + 1 : -lines, before };
}

export async function totalLines(
  source: FileSource,
  start: LineStart,
  window: LineWindow,
): Promise<Pick<TextRead, "total_lines" | "total_lines_at_least">> {
  if (start.line < 0) return { total_lines: start.before - start.line, total_lines_at_least: true };
  const known = start.before + window.lines;
  if (window.isOpen) return { total_lines: known, total_lines_at_least: true };
  const end = Math.min(source.size, window.end + MAX_COUNTED_BYTES);
  const total = known + (await countNewlines(source, window.end, end));
  if (end < source.size) return { total_lines: total, total_lines_at_least: true };
  return { total_lines: total + (window.end < end && isUnterminated(source) ? 1 : 0) };
}

function isUnterminated(source: FileSource): boolean {
  return readRange(source.fd, source.size - 1, 1)[0] !== NEWLINE;
}
