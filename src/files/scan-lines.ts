/**
 * Finding lines in a file too large to hold, on bytes: a newline is the byte 0x0A in UTF-8 and in every code page that
 * the host knows. Reads window after window into one buffer and keeps nothing else.
 *
 * Measured: a plain loop counts 3 GiB/s whatever the line length; `Buffer.indexOf` for each newline does 1 GiB/s at 13
 * bytes a line, but finds the next of long lines faster, so counting loops and searching uses `indexOf`.
 */
import { throwIfStopped } from "../base/index.ts";
import type { FilesContext } from "./files-context.ts";
import { readInto } from "./read-bytes.ts";

const SCAN_WINDOW_BYTES: number = 1024 * 1024;
const NEWLINE = 0x0a;

export interface ScannedFile {
  readonly ctx: FilesContext;
  readonly fd: number;
  /** At fstat; bytes added later do not exist. */
  readonly size: number;
  readonly path: string;
}

export interface Skipped {
  /** Of the byte after the `lines`th newline; the size when the file ended before. */
  readonly position: number;
  /** Newlines that were passed; fewer than asked when the file ended. */
  readonly newlines: number;
}

/** The position after the given number of newlines, counted from the beginning. */
export async function skipLines(file: ScannedFile, newlines: number): Promise<Skipped> {
  if (newlines === 0) return { position: 0, newlines };
  let passed = 0;
  for await (const window of windows(file, 0, file.size)) {
    const here = countIn(window.bytes);
    if (passed + here < newlines) {
      passed += here;
      continue;
    }
    let at = 0;
    for (; passed < newlines; passed++) at = window.bytes.indexOf(NEWLINE, at) + 1;
    return { position: window.position + at, newlines: passed };
  }
  return { position: file.size, newlines: passed };
}

/** The start of the `lines`th line from the end; a newline at the very end ends the last line and starts none. */
export async function skipLinesBack(file: ScannedFile, lines: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(SCAN_WINDOW_BYTES);
  let found = 0;
  for (let end = file.size; end > 0;) {
    throwIfStopped(file.ctx.cancel, `reading "${file.path}"`);
    const start = Math.max(0, end - SCAN_WINDOW_BYTES);
    const bytes = readInto(file.fd, buffer.subarray(0, end - start), start);
    let from = end === file.size ? bytes.length - 2 : bytes.length - 1;
    while (from >= 0) {
      const at = bytes.lastIndexOf(NEWLINE, from);
      if (at === -1) break;
      if (++found === lines) return start + at + 1;
      from = at - 1;
    }
    end = start;
    const turn = file.ctx.turn?.pause();
    if (turn) await turn;
  }
  return 0;
}

/** Newlines in a part of the file. */
export async function countNewlines(file: ScannedFile, start: number, end: number): Promise<number> {
  let count = 0;
  for await (const window of windows(file, start, end)) count += countIn(window.bytes);
  return count;
}

/** The position of the first newline at or after `start`; -1 when there is none before `end`. */
export async function findNewline(file: ScannedFile, start: number, end: number): Promise<number> {
  for await (const window of windows(file, start, end)) {
    const at = window.bytes.indexOf(NEWLINE);
    if (at !== -1) return window.position + at;
  }
  return -1;
}

async function* windows(
  file: ScannedFile,
  start: number,
  end: number,
): AsyncGenerator<{ bytes: Buffer; position: number }> {
  if (start >= end) return;
  const buffer = Buffer.allocUnsafe(Math.min(SCAN_WINDOW_BYTES, end - start));
  for (let position = start; position < end;) {
    throwIfStopped(file.ctx.cancel, `reading "${file.path}"`);
    const bytes = readInto(file.fd, buffer.subarray(0, Math.min(buffer.length, end - position)), position);
    if (bytes.length === 0) return;
    yield { bytes, position };
    position += bytes.length;
    file.ctx.progress(position, file.size, "bytes read");
    const turn = file.ctx.turn?.pause();
    if (turn) await turn;
  }
}

function countIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
