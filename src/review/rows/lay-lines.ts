/**
 * The hunks of a file as lines of a surface that shows only a part of them at a time: heads of hunks and rows, one under the
 * other or side by side, in a list that can be cut anywhere. A line that is too long for one is continued in the next, so that
 * all of it is shown and none of it is cut.
 */
import type { DiffRow, ShownHunk } from "./read-diff.ts";
import type { Piece } from "./show-line.ts";

export type ReviewLayout = "unified" | "split";

/** One side of a line: a row, or a part of a long one. */
export interface LaidRow {
  readonly kind: DiffRow["kind"];
  readonly old?: number;
  readonly new?: number;
  readonly pieces: readonly Piece[];
  readonly place?: string;
  /** The file ends with it, without a line feed. */
  readonly isUnended?: true;
  /** Goes on with the row of the line before. */
  readonly isRest?: true;
}

export type LaidLine =
  | { readonly hunk: number }
  | { readonly row: LaidRow; readonly in: number }
  | { readonly left?: LaidRow | undefined; readonly right?: LaidRow | undefined; readonly in: number };

/** What a browser lays out at once without being felt. */
const MAX_CHARS = 2000;

/** `in` is the number of the hunk that a line belongs to. */
export function layLines(hunks: readonly ShownHunk[], layout: ReviewLayout): LaidLine[] {
  return hunks.flatMap(({ number, rows }): LaidLine[] => [
    { hunk: number },
    ...(layout === "unified"
      ? rows.flatMap((row) => partsOfRow(row).map((part) => ({ row: part, in: number })))
      : pairs(rows).flatMap(([left, right]) => {
          const [lefts, rights] = [left, right].map((row) => (row ? partsOfRow(row) : []));
          const count = Math.max(lefts?.length ?? 0, rights?.length ?? 0);
          return Array.from({ length: count }, (_, at) => ({ left: lefts?.[at], right: rights?.[at], in: number }));
        })),
  ]);
}

/** Context stands on both sides; of a place of change the lines that go stand beside those that come. */
function pairs(rows: readonly DiffRow[]): [DiffRow | undefined, DiffRow | undefined][] {
  const found: [DiffRow | undefined, DiffRow | undefined][] = [];
  let [removed, added]: [DiffRow[], DiffRow[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) found.push([removed[at], added[at]]);
    [removed, added] = [[], []];
  };
  let place: string | undefined;
  for (const row of rows) {
    if (row.place !== place) flush();
    place = row.place;
    if (row.kind === "same") found.push([row, row]);
    else (row.kind === "removed" ? removed : added).push(row);
  }
  flush();
  return found;
}

function partsOfRow(row: DiffRow): LaidRow[] {
  const { kind, old, new: now, place, isUnended } = row;
  const facts = {
    kind,
    ...(old === undefined ? {} : { old }),
    ...(now === undefined ? {} : { new: now }),
    ...(place === undefined ? {} : { place }),
  };
  const ended = isUnended ? { isUnended: true as const } : {};
  // The pieces of a short line are made when it is shown.
  if (row.raw.length * MAX_SIGN_CHARS <= MAX_CHARS)
    return [
      {
        ...facts,
        ...ended,
        get pieces() {
          return row.pieces;
        },
      },
    ];
  const parts = cut(row.pieces);
  return parts.map((part, at) => ({
    ...facts,
    pieces: part,
    ...(at === parts.length - 1 ? ended : {}),
    ...(at > 0 ? { isRest: true as const } : {}),
  }));
}

/** The longest sign that stands for one unit of a line. */
const MAX_SIGN_CHARS = 10;

function cut(pieces: readonly Piece[]): (readonly Piece[])[] {
  if (pieces.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHARS) return [pieces];
  const parts: Piece[][] = [[]];
  let left = MAX_CHARS;
  for (const { text, ...piece } of pieces)
    for (let at = 0; at < text.length;) {
      if (left <= 1) {
        parts.push([]);
        left = MAX_CHARS;
      }
      const length = wholeCharacters(text, at, left);
      parts.at(-1)?.push({ ...piece, text: text.slice(at, at + length) });
      at += length;
      left -= length;
    }
  return parts;
}

/** A character of two units is not torn. */
function wholeCharacters(text: string, at: number, most: number): number {
  const end = Math.min(text.length, at + most);
  const isTorn = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return end - at - (isTorn ? 1 : 0);
}
