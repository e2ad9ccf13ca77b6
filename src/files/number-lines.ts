/**
 * The gutter of line numbers for text whose place in its file is known from outside, in the form that `sliceLines`
 * gives. Numbers may be negative: they count from the end, and are offsets that a caller can use.
 */
const GUTTER_WIDTH = 6;

export interface NumberedLines {
  readonly text: string;
  readonly lines: number;
}

/** As many lines as fit with their numbers; the first in any case. */
export function numberLines(text: string, firstLine: number, maxBytes: number): NumberedLines {
  const parts: string[] = [];
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    const part = `${String(firstLine + parts.length).padStart(GUTTER_WIDTH)}\t${text.slice(start, end)}`;
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes && parts.length > 0) break;
    parts.push(part);
    start = end;
  }
  return { text: parts.join(""), lines: parts.length };
}
