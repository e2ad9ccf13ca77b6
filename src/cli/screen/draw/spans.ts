/**
 * Text with looks, measured in the columns of a terminal: widths, cuts and wraps between characters as people see them, also
 * wide ones and those of several code points. Nothing that is wrapped gets lost.
 */
import { TAB, type Piece } from "../../../review/index.ts";
import type { Style, Theme } from "./themes.ts";

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** What a screen shows in one of its rows. */
export type SpanLine = readonly Span[];

export function span(text: string, style: Style = "plain"): Span {
  return { text, style };
}

export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : Bun.stringWidth(text);
}

export function lineWidth(line: SpanLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** Wraps a line into rows of at most so many columns; an empty one is one row. */
export function wrapLine(line: SpanLine, columns: number): readonly SpanLine[] {
  const rows: Span[][] = [[]];
  let left = columns;
  for (const { text, style } of line)
    for (let rest = text; rest !== "";) {
      const head = headOf(rest, left);
      if (head === "" && left < columns) {
        rows.push([]);
        left = columns;
        continue;
      }
      // A character that is wider than the screen is shown all the same.
      const taken = head === "" ? firstOf(rest) : head;
      rows.at(-1)?.push({ text: taken, style });
      left -= widthOf(taken);
      rest = rest.slice(taken.length);
    }
  return rows;
}

/** The columns from `from` on, at most so many; what was left out is told by a sign at the edge. */
export function windowOfLine(line: SpanLine, from: number, columns: number): { row: SpanLine; isWhole: boolean } {
  const rest = from === 0 ? line : dropColumns(line, from);
  const isWhole = lineWidth(rest) <= columns;
  if (isWhole) return { row: rest, isWhole: from === 0 };
  const [first = []] = wrapLine(rest, columns - 1);
  return { row: [...first, span("›", "sign")], isWhole: false };
}

/** Cuts what is no part of a proposal, as a title in a list: `…` says so. */
export function shorten(text: string, columns: number): string {
  return widthOf(text) <= columns ? text : `${headOf(text, Math.max(0, columns - 1))}…`;
}

/** Fills a row up with blanks. */
export function padTo(line: SpanLine, columns: number, style: Style = "plain"): SpanLine {
  const missing = columns - lineWidth(line);
  return missing > 0 ? [...line, span(" ".repeat(missing), style)] : line;
}

/** With the codes of a theme; the end of a row never colours the next one. */
export function paint(line: SpanLine, theme: Theme): string {
  return line
    .map(({ text, style }) => (theme[style] === "" || text === "" ? text : `\u001b[${theme[style]}m${text}\u001b[0m`))
    .join("");
}

/**
 * A tab is an arrow as wide as the next stop is far.
 * @param style of what is as in the file. @param showsBlanks every blank is a dot
 */
export function piecesToSpans(pieces: readonly Piece[], style: Style, word: Style, showsBlanks = false): Span[] {
  let column = 0;
  const all = showsBlanks ? pieces.flatMap(blanksApart) : pieces;
  return all.map(({ kind, text }) => {
    const shown = text === TAB ? `→${" ".repeat(TAB_COLUMNS - 1 - (column % TAB_COLUMNS))}` : text;
    column += widthOf(shown);
    return { text: shown, style: kind === "plain" ? style : kind === "word" ? word : "sign" };
  });
}

function blanksApart({ kind, text }: Piece): Piece[] {
  if (kind === "sign") return [{ kind, text }];
  return text
    .split(/( +)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(" ") ? { kind: "sign", text: "·".repeat(part.length) } : { kind, text: part }));
}

const TAB_COLUMNS = 8;
const ASCII = /^[\x20-\x7e]*$/;

function dropColumns(line: SpanLine, count: number): SpanLine {
  let left = count;
  return line.flatMap((one) => {
    if (left <= 0) return [one];
    const width = widthOf(one.text);
    if (width <= left) {
      left -= width;
      return [];
    }
    const head = headOf(one.text, left);
    left = 0;
    return [{ ...one, text: one.text.slice(head.length) }];
  });
}

/** As much of the beginning as has room. */
function headOf(text: string, columns: number): string {
  if (columns <= 0) return "";
  // A character that is shown takes a column at least, so nothing behind these has room.
  const near = text.slice(0, columns * MOST_UNITS);
  if (ASCII.test(near)) return near.slice(0, columns);
  let [end, width] = [0, 0];
  for (const { segment } of SEGMENTS.segment(near)) {
    width += widthOf(segment);
    if (width > columns) break;
    end += segment.length;
  }
  return near.slice(0, end);
}

/** UTF-16 units in a character as people see it; longer ones are cut between their code points. */
const MOST_UNITS = 12;

function firstOf(text: string): string {
  for (const { segment } of SEGMENTS.segment(text.slice(0, MOST_UNITS))) return segment;
  return text;
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });
