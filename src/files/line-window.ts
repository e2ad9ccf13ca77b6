/**
 * One piece of a large file for decoding: whole lines, as many as are wanted and fit. A line longer than the piece comes
 * alone, and only its beginning.
 */
import { limits } from "../base/index.ts";
import { readRange } from "./read-bytes.ts";
import { findNewline, type ScannedFile } from "./scan-lines.ts";

/** Twice the largest answer, so that a window ends early only where lines have to be cut anyway. */
const WINDOW_BYTES: number = 2 * limits.MAX_READ_BYTES;
/** How far the end of a line is looked for that does not end in its window. */
const MAX_LINE_SEARCH_BYTES: number = 128 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface LineWindow {
  readonly bytes: Buffer;
  /** Where the line after the last one begins: also behind what is left out of a long line. */
  readonly end: number;
  readonly lines: number;
  /** The bytes of the one line that are left out. */
  readonly left?: number;
  /** The end of the one line was not found: `end` and `left` say how far it goes at least. */
  readonly isOpen?: true;
}

export async function readLineWindow(
  file: ScannedFile,
  start: number,
  maxLines: number,
): Promise<LineWindow> {
  const wanted = Math.max(0, Math.min(WINDOW_BYTES, file.size - start));
  const bytes = readRange(file.fd, start, wanted);
  const isLast = bytes.length < wanted || start + wanted >= file.size;
  const { end, lines } = endOfLines(bytes, maxLines, isLast);
  if (lines === 0 && bytes.length > 0) return await cutLine(file, start, bytes);
  const reachesEnd = isLast && end === bytes.length;
  return { bytes: bytes.subarray(0, end), end: reachesEnd ? file.size : start + end, lines };
}

function endOfLines(bytes: Buffer, maxLines: number, isLast: boolean): { end: number; lines: number } {
  let end = 0;
  let lines = 0;
  while (lines < maxLines && end < bytes.length) {
    const at = bytes.indexOf(NEWLINE, end);
    if (at === -1 && !isLast) break;
    end = at === -1 ? bytes.length : at + 1;
    lines++;
  }
  return { end, lines };
}

async function cutLine(file: ScannedFile, start: number, bytes: Buffer): Promise<LineWindow> {
  const kept = bytes.subarray(0, characterBorder(bytes, limits.MAX_READ_LINE_BYTES));
  const limit = Math.min(file.size, start + MAX_LINE_SEARCH_BYTES);
  const newline = await findNewline(file, start + bytes.length, limit);
  const end = newline === -1 ? limit : newline + 1;
  const left = (newline === -1 ? end : newline) - start - kept.length;
  return { bytes: kept, end, lines: 1, left, ...(newline === -1 && end < file.size ? { isOpen: true } : {}) };
}

/** Not inside a UTF-8 character; in a code page that has none of its forms this may give up three bytes for nothing. */
function characterBorder(bytes: Uint8Array, at: number): number {
  let border = at;
  while (border > at - 3 && ((bytes[border] ?? 0) & 0xc0) === 0x80) border--;
  return border;
}
