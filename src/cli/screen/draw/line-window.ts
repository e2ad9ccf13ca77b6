/**
 * The part of a proposal that has room on the screen, and the way through it. Only the lines near the window are laid out, so a
 * diff of twenty thousand lines costs as much as one of forty.
 *
 * Invariant: the reader's row is in the window.
 */
import type { ReviewLine } from "../../../review/index.ts";
import { lineSpans } from "./draw-diff.ts";
import type { LinePosition, OpenProposal } from "../screen-state.ts";
import { windowOfLine, wrapLine, type SpanLine } from "./spans.ts";

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
  readonly isWrapped: boolean;
  readonly isSpoken: boolean;
  readonly showsBlanks: boolean;
}

export interface WindowRow {
  readonly line: number;
  readonly spans: SpanLine;
  readonly isAt: boolean;
  /** The end of the line is in this row, and nothing of the line was cut. */
  readonly endsLine: boolean;
}

/** @param open its window moves as little as it must to have the reader's row in it */
export function layOut(open: OpenProposal, size: WindowSize): { top: LinePosition; rows: readonly WindowRow[] } {
  const top = topFor(open, size);
  const rows: WindowRow[] = [];
  for (let line = top.line; line < open.lines.length && rows.length < size.rows; line++) {
    const parts = rowsOf(open, line, size);
    for (let row = line === top.line ? top.row : 0; row < parts.spans.length && rows.length < size.rows; row++)
      rows.push({
        line,
        spans: parts.spans[row] ?? [],
        isAt: line === open.at.line && row === open.at.row,
        endsLine: parts.isWhole && row === parts.spans.length - 1,
      });
  }
  return { top, rows };
}

/** @param by rows, down or up */
export function moveRows(open: OpenProposal, by: number, size: WindowSize): LinePosition {
  let { line, row } = open.at;
  for (let left = Math.abs(by); left > 0; left--) {
    if (by > 0) {
      if (row + 1 < heightOf(open, line, size)) row++;
      else if (line + 1 < open.lines.length) [line, row] = [line + 1, 0];
      else break;
    } else if (row > 0) row--;
    else if (line > 0) [line, row] = [line - 1, heightOf(open, line - 1, size) - 1];
    else break;
  }
  return { line, row };
}

/** Notes the rows that are on the screen. @returns the hunks of which every row has been there by now */
export function noteShown({ lines, shown }: OpenProposal, rows: readonly WindowRow[]): readonly HunkLine[] {
  const whole: HunkLine[] = [];
  for (const { line: index, endsLine } of rows) {
    const line = lines[index];
    if (!endsLine || line?.kind !== "row") continue;
    const known = shown.get(line.hunk) ?? new Set();
    shown.set(line.hunk, known);
    if (known.has(line.row)) continue;
    known.add(line.row);
    if (known.size === line.hunk.rows.length) whole.push(line);
  }
  return whole;
}

type HunkLine = Extract<ReviewLine, { kind: "row" }>;

function topFor(open: OpenProposal, size: WindowSize): LinePosition {
  const { at, top } = open;
  if (isBefore(at, top)) return at;
  // Far below, the rows between are not laid out.
  let first = at;
  for (let left = size.rows - 1; left > 0; left--) {
    if (!isBefore(top, first)) return top;
    first = stepUp(open, first, size);
  }
  return isBefore(top, first) ? first : top;
}

function stepUp(open: OpenProposal, { line, row }: LinePosition, size: WindowSize): LinePosition {
  if (row > 0) return { line, row: row - 1 };
  return line === 0 ? { line, row } : { line: line - 1, row: heightOf(open, line - 1, size) - 1 };
}

function isBefore(a: LinePosition, b: LinePosition): boolean {
  return a.line < b.line || (a.line === b.line && a.row < b.row);
}

function heightOf(open: OpenProposal, line: number, size: WindowSize): number {
  return size.isWrapped ? rowsOf(open, line, size).spans.length : 1;
}

interface LaidOut {
  readonly spans: readonly SpanLine[];
  /** Nothing of the line was cut. */
  readonly isWhole: boolean;
}

function rowsOf(open: OpenProposal, index: number, size: WindowSize): LaidOut {
  const line = open.lines[index];
  if (!line) return { spans: [[]], isWhole: true };
  if ((line.kind !== "row" && line.kind !== "around") || line.row.raw.length < LONG_CHARS)
    return layLine(line, open, size);
  const { choices, split, left } = open;
  const as = [choices.out, split, left, size.columns, size.isWrapped, size.showsBlanks];
  const known = LONG.get(line);
  if (known?.as.every((one, at) => one === as[at])) return known.laid;
  const laid = layLine(line, open, size);
  LONG.set(line, { as, laid });
  return laid;
}

/** A line from this length on is laid out once, and not at every key. */
const LONG_CHARS = 4000;
const LONG: WeakMap<ReviewLine, { readonly as: readonly unknown[]; readonly laid: LaidOut }> = new WeakMap();

function layLine(line: ReviewLine, open: OpenProposal, size: WindowSize): LaidOut {
  const { columns, isWrapped, isSpoken, showsBlanks } = size;
  const { choices, split } = open;
  const spans = lineSpans(line, { choices, split, showsBlanks }, isSpoken);
  if (isWrapped) return { spans: wrapLine(spans, columns), isWhole: true };
  const { row, isWhole } = windowOfLine(spans, open.left, columns);
  return { spans: [row], isWhole };
}
