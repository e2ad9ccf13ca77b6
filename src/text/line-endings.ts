/**
 * Line ends, one line at a time: a file may mix them, and nobody but its owner may make them uniform.
 *
 * A lone CR ends a line only in a text that has no LF at all (classic Mac). Elsewhere it is a character in a line, as
 * for git, grep and ripgrep, so that line numbers agree with theirs.
 *
 * Usual mistake: asking for "the" line ending of a file and writing all of it back with that one.
 */

export type LineEnding = "\n" | "\r\n" | "\r";

export interface LineIndex {
  /** 1-based number of the line that holds this UTF-16 index; the index after the end belongs to the last line. */
  readonly lineOf: (index: number) => number;
  /** Index of the first character of a 1-based line. */
  readonly startOf: (line: number) => number;
  /** `"a\n"` has one line, `""` has none. */
  readonly count: number;
}

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

/** Every ending of a piece of new text rewritten, a lone CR too. */
export function withEnding(text: string, ending: LineEnding): string {
  return text.split(ANY_ENDING).join(ending);
}

/** For one question; ask `createLineIndex` when there are many. */
export function lineOfIndex(text: string, index: number): number {
  const stop = lineBreak(text);
  const last = Math.min(index, text.length - 1);
  let line = 1;
  for (let at = text.indexOf(stop); at !== -1 && at < last; at = text.indexOf(stop, at + 1)) line++;
  return line;
}

export function createLineIndex(text: string): LineIndex {
  const stop = lineBreak(text);
  const starts: number[] = text === "" ? [] : [0];
  for (let at = text.indexOf(stop); at !== -1 && at + 1 < text.length; at = text.indexOf(stop, at + 1)) {
    starts.push(at + 1);
  }
  return {
    lineOf: (index) => Math.max(1, countUpTo(starts, index)),
    startOf: (line) => starts[Math.max(1, line) - 1] ?? text.length,
    count: starts.length,
  };
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

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
