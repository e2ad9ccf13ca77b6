/**
 * A window of lines out of a text, for reading. Bounded three ways (lines, bytes, bytes of one line), and it says what
 * was left out and where to go on. Lines keep their own endings; nothing is cut inside a code point.
 *
 * Usual mistake: splitting a 64 MB text into an array to show 20 lines of it.
 */
import { lineBreak } from "./line-endings.ts";
import { truncateUtf8 } from "../show-text.ts";

interface SliceOptions {
  /** First line, 1-based; negative counts from the end (-1 is the last line); 0 reads as 1. Default 1. */
  readonly offset?: number;
  readonly limit?: number;
  /** Bounds the whole answer, line numbers included. The first line is given in any case, cut to this. */
  readonly maxBytes: number;
  /** Bounds one line without its ending. */
  readonly maxLineBytes: number;
  readonly lineNumbers?: boolean;
  /** The number of line 1, for a piece of a larger text; negative numbers count from its end. Default 1. */
  readonly numberFrom?: number;
}

export interface LineSlice {
  readonly text: string;
  readonly firstLine: number;
  readonly lines: number;
  readonly totalLines: number;
  /** Something after the first line is missing: later lines, or the rest of a long line. */
  readonly truncated: boolean;
  /** Numbers of the lines that were cut for their length. */
  readonly cutLines: number[];
  /** Where in the text what is left out of the first of them begins. */
  readonly cutAt?: number;
  /** Where to go on; absent when the last line was reached. */
  readonly nextOffset?: number;
}

export function sliceLines(text: string, options: SliceOptions): LineSlice {
  const stop = lineBreak(text);
  const totalLines = countLines(text, stop);
  const firstLine = resolveOffset(options.offset ?? 1, totalLines);
  const cutLines: number[] = [];
  const parts: string[] = [];
  const lastLine = Math.min(totalLines, firstLine - 1 + Math.max(0, options.limit ?? totalLines));
  let bytes = 0;
  let cutAt: number | undefined;
  let line = firstLine;
  let start = startOfLine(text, firstLine);
  for (; line <= lastLine; line++) {
    const end = endOfLine(text, stop, start);
    const shown = showLine(text.slice(start, end), line, options);
    bytes += Buffer.byteLength(shown.text);
    if (bytes > options.maxBytes && line > firstLine) break;
    parts.push(shown.text);
    if (shown.kept !== undefined) {
      cutLines.push(line);
      cutAt ??= start + shown.kept;
    }
    start = end;
  }
  const hasMore = line <= totalLines;
  return {
    text: parts.join(""),
    firstLine,
    lines: parts.length,
    totalLines,
    truncated: hasMore || cutLines.length > 0,
    cutLines,
    ...(cutAt === undefined ? {} : { cutAt }),
    ...(hasMore ? { nextOffset: line } : {}),
  };
}

const GUTTER_WIDTH = 6;

function resolveOffset(offset: number, totalLines: number): number {
  return offset < 0 ? Math.max(1, totalLines + offset + 1) : Math.max(1, offset);
}

function countLines(text: string, stop: string): number {
  let count = 0;
  let start = 0;
  while (start < text.length) {
    start = endOfLine(text, stop, start);
    count++;
  }
  return count;
}

/** @param line 1-based. @returns where it begins; the end of the text when there is no such line */
export function startOfLine(text: string, line: number): number {
  const stop = lineBreak(text);
  let start = 0;
  for (let before = 1; before < line && start < text.length; before++) start = endOfLine(text, stop, start);
  return start;
}

function endOfLine(text: string, stop: string, start: number): number {
  const at = text.indexOf(stop, start);
  return at === -1 ? text.length : at + 1;
}

/** What stands before a line to number it. */
export function gutterOf(line: number): string {
  return `${String(line).padStart(GUTTER_WIDTH)}\t`;
}

/** @returns as `kept` how much of a line that was cut is shown */
function showLine(line: string, number: number, options: SliceOptions): { text: string; kept?: number } {
  const gutter = options.lineNumbers === true ? gutterOf(number + (options.numberFrom ?? 1) - 1) : "";
  const ending = /\r?\n$|\r$/.exec(line)?.[0] ?? "";
  const content = line.slice(0, line.length - ending.length);
  const kept = truncateUtf8(content, Math.min(options.maxLineBytes, options.maxBytes));
  if (!kept.truncated) return { text: gutter + line };
  const left = kept.totalBytes - Buffer.byteLength(kept.text);
  return { text: `${gutter}${kept.text} … [${left} more bytes]${ending}`, kept: kept.text.length };
}
