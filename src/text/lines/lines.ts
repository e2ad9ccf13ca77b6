/**
 * Lines of a text: their ends, one line at a time, and a window of them for reading. A file may mix line ends, and
 * nobody but its owner may make them uniform: text is found without regard to them, and new text is given those of the
 * place it goes to. A window is bounded in lines, bytes and bytes of one line, and says what was left out and where to
 * go on.
 *
 * A lone CR ends a line only in a text that has no LF at all (classic Mac). Elsewhere it is a character in a line, as
 * for git, grep and ripgrep, so that line numbers agree with theirs.
 *
 * Usual mistakes: asking for "the" line ending of a file and writing all of it back with that one; splitting 64 MB to
 * show 20 lines.
 */
import { truncateUtf8 } from "../show-text.ts";

type LineEnding = "\n" | "\r\n" | "\r";

/** The most frequent ending, the first seen when two are equal; `undefined` when no line is ended. */
export function dominantEnding(text: string): LineEnding | undefined {
  if (!text.includes("\r")) return text.includes("\n") ? "\n" : undefined;
  if (!text.includes("\n")) return "\r";
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text.charCodeAt(at - 1) === CR) crlf++;
    else lf++;
  }
  if (lf === crlf) return endingAt(text, text.indexOf("\n"));
  return crlf > lf ? "\r\n" : "\n";
}

/** The ending of the line at the index; for a last line without one, that of the line before; else LF. */
export function endingNear(text: string, index: number): LineEnding {
  const stop = lineBreak(text);
  const own = text.indexOf(stop, Math.max(0, index));
  if (own !== -1) return endingAt(text, own);
  const previous = text.lastIndexOf(stop);
  return previous === -1 ? "\n" : endingAt(text, previous);
}

export function withEnding(text: string, ending: LineEnding): string {
  return text.split(ANY_ENDING).join(ending);
}

/** Answers one question; use `createLineIndex` when there are many. */
export function lineOfIndex(text: string, index: number): number {
  const stop = lineBreak(text);
  const last = Math.min(index, text.length - 1);
  let line = 1;
  for (let at = text.indexOf(stop); at !== -1 && at < last; at = text.indexOf(stop, at + 1)) line++;
  return line;
}

/** @returns the 1-based line that holds an index; the index after the end belongs to the last line */
export function createLineIndex(text: string): (index: number) => number {
  const stop = lineBreak(text);
  const starts: number[] = text === "" ? [] : [0];
  for (let at = text.indexOf(stop); at !== -1 && at + 1 < text.length; at = text.indexOf(stop, at + 1)) {
    starts.push(at + 1);
  }
  return (index) => Math.max(1, countUpTo(starts, index));
}

/** The character that ends a line in this text; the CR of a CRLF then is the last character of its line. */
export function lineBreak(text: string): "\n" | "\r" {
  return !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
}

/** Splits at every kind of ending, without the rule about lone CRs: for text that a caller sent. */
export const ANY_ENDING: RegExp = /\r\n|\n|\r/;

const CR = 13;

function endingAt(text: string, at: number): LineEnding {
  if (text[at] === "\r") return "\r";
  return text.charCodeAt(at - 1) === CR ? "\r\n" : "\n";
}

/** How many of the ascending numbers are at most `limit`. @param of the number that stands for one */
export function countUpTo<One>(ascending: readonly One[], limit: number, of: (one: One) => number = Number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = ascending[middle];
    if (one !== undefined && of(one) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface EndingBlindText {
  readonly flat: string;
  /** Carries ascending places in `flat` back to the original. */
  readonly toOriginal: (ascending: readonly number[]) => number[];
  /** Does so for one place after the other. */
  readonly carryBack: () => (place: number) => number;
}

export function createEndingBlindText(text: string): EndingBlindText {
  const carryBack = text.includes("\r") ? () => createCarrier(text) : () => (place: number) => place;
  return { flat: flatten(text), toOriginal: (places) => places.map(carryBack()), carryBack };
}

export function flatten(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, () => "\n") : text;
}

/** Starts of occurrences, up to `max`: all of them, or only those that do not overlap an earlier one. */
export function findOccurrences(text: string, wanted: string, max: number, mayOverlap: boolean): number[] {
  const found: number[] = [];
  const step = mayOverlap ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at !== -1 && found.length < max; at = text.indexOf(wanted, at + step)) {
    found.push(at);
  }
  return found;
}

/** A place in the flat text lies as many characters further on as CRLFs stand wholly before it. */
function createCarrier(text: string): (place: number) => number {
  let pairs = 0;
  let next = text.indexOf("\r\n");
  return (place) => {
    while (next !== -1 && next - pairs < place) {
      pairs++;
      next = text.indexOf("\r\n", next + 2);
    }
    return place + pairs;
  };
}

/** `start` and `end` bound the region of the file's text that `newText` replaces. */
type EndingFitter = (start: number, end: number, newText: string) => string;

/** Looks the text over once, because an edit may have 100 000 regions. */
export function createEndingFitter(text: string): EndingFitter {
  const hasLf = text.includes("\n");
  const hasCr = text.includes("\r");
  if (!hasLf && !hasCr) return (_start, _end, newText) => newText;
  if (!hasLf) return (_start, _end, newText) => withEnding(newText, "\r");
  if (!hasCr) return (_start, _end, newText) => withEnding(newText, "\n");
  return (start, end, newText) => (/[\r\n]/.test(newText) ? fit(text, start, end, newText) : newText);
}

function fit(text: string, start: number, end: number, newText: string): string {
  const region = text.slice(start, end);
  const oldLines = region.split(ANY_ENDING);
  const oldEndings = region.match(EVERY_ENDING) ?? [];
  const newLines = newText.split(ANY_ENDING);
  const rest = neighbour(text, start, end);
  const tail = sharedTail(oldLines, newLines);
  const parts: string[] = [];
  for (const [index, line] of newLines.entries()) {
    parts.push(line);
    if (index === newLines.length - 1) break;
    const isTail = index >= newLines.length - tail;
    const oldIndex = isTail ? index + oldLines.length - newLines.length : index;
    // A new line may not take the ending of a line that the tail keeps.
    const isLeftOver = !isTail && index >= oldLines.length - tail;
    parts.push((isLeftOver ? undefined : oldEndings[oldIndex]) ?? rest);
  }
  return parts.join("");
}

const EVERY_ENDING = /\r\n|\n|\r/g;

/** The ending of the line in which the region stops; its own last one when it stops with a line's end. */
function neighbour(text: string, start: number, end: number): LineEnding {
  const last = end > start ? text[end - 1] : undefined;
  if (last === "\r") return "\r";
  if (last !== "\n") return endingNear(text, end);
  return text[end - 2] === "\r" ? "\r\n" : "\n";
}

function sharedTail(a: readonly string[], b: readonly string[]): number {
  const max = Math.min(a.length, b.length);
  let count = 0;
  while (count < max && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

interface SliceOptions {
  /** First line, 1-based; negative counts from the end (-1 is the last line); 0 reads as 1. Default 1. */
  readonly offset?: number;
  readonly limit?: number;
  /** Bounds the whole answer, line numbers included. The first line is given in any case, cut to this. */
  readonly maxBytes: number;
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
  readonly cutLines: number[];
  /** Where in the text what is left out of the first of them begins. */
  readonly cutAt?: number;
  readonly nextOffset?: number;
}

export function sliceLines(text: string, options: SliceOptions): LineSlice {
  const stop = lineBreak(text);
  const totalLines = countLines(text, stop);
  const { offset = 1 } = options;
  const firstLine = Math.max(1, offset < 0 ? totalLines + offset + 1 : offset);
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

/** A text that does not end in a line break has one more. */
export function countLines(text: string, stop: string = lineBreak(text)): number {
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
