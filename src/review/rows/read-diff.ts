/**
 * A unified diff as hunks and rows. Every changed row knows its place of change, the smallest part that a person can leave out,
 * by the name that `ringfence/proposals/apply` takes.
 *
 * The pieces of a row, and with them the comparison of its words, are made when a surface first asks for them: of twenty
 * thousand rows a screen shows forty.
 */
import { diffLines } from "../../approval/index.ts";
import { showLine, type Piece } from "./show-line.ts";
import { markWords, type MarkedPair } from "./word-marks.ts";

export interface DiffRow {
  readonly kind: "same" | "removed" | "added";
  /** The number of the line before and after the change. */
  readonly old?: number;
  readonly new?: number;
  /** The line as it is in the file, without its end; for a comment to quote. */
  readonly raw: string;
  readonly pieces: readonly Piece[];
  /** The name of its place of change, as `2.1`; absent for context. */
  readonly place?: string;
  /** The file ends with this line, without a line feed. */
  readonly isUnended: boolean;
}

export interface ShownHunk {
  /** From 1. */
  readonly number: number;
  readonly rows: readonly DiffRow[];
  /** The names of its places of change, in their order. */
  readonly places: readonly string[];
}

type Line = ReturnType<typeof diffLines> extends Generator<infer One> ? One : never;

/** A row as it travels between processes: without its pieces, which `showHunk` makes anew. */
export type BareRow = Omit<DiffRow, "pieces">;

export interface BareHunk extends Omit<ShownHunk, "rows"> {
  readonly rows: readonly BareRow[];
}

/** @param diff of one file, whole */
export function readDiff(diff: string): ShownHunk[] {
  const hunks: { number: number; rows: BareRow[]; places: string[] }[] = [];
  for (const { hunk, lines, number } of runsOf(diff)) {
    const read = hunks[hunk - 1] ?? { number: hunk, rows: [], places: [] };
    hunks[hunk - 1] = read;
    if (number === 0) {
      read.rows.push(...lines.map((line) => rowOf(line)));
      continue;
    }
    const place = `${hunk}.${number}`;
    read.places.push(place);
    const isAdded = ({ isOld }: Line): boolean => !isOld;
    const ordered = [...lines.filter(({ isNew }) => !isNew), ...lines.filter(isAdded)];
    read.rows.push(...ordered.map((line) => rowOf(line, place)));
  }
  return hunks.map((hunk) => showHunk(hunk));
}

/** Adds the pieces, each made when it is first asked for. */
export function showHunk(hunk: BareHunk): ShownHunk {
  const rows: DiffRow[] = [];
  let at = 0;
  while (at < hunk.rows.length) {
    const place = hunk.rows[at]?.place;
    let end = at + 1;
    while (end < hunk.rows.length && hunk.rows[end]?.place === place) end++;
    const run = hunk.rows.slice(at, end);
    rows.push(...(place === undefined ? run.map((row) => shownRow(row)) : markedRows(run)));
    at = end;
  }
  return { ...hunk, rows };
}

/** The hunk without its pieces; none of them is made for that. */
export function bareHunk({ number, rows, places }: ShownHunk): BareHunk {
  return {
    number,
    places,
    rows: rows.map((row) => ({
      kind: row.kind,
      ...(row.old === undefined ? {} : { old: row.old }),
      ...(row.new === undefined ? {} : { new: row.new }),
      raw: row.raw,
      ...(row.place === undefined ? {} : { place: row.place }),
      isUnended: row.isUnended,
    })),
  };
}

interface Run {
  readonly hunk: number;
  /** The number of the place of change in its hunk, from 1; 0 for context. */
  readonly number: number;
  readonly lines: Line[];
}

/** Gives runs of context and places of change by turns. */
function* runsOf(diff: string): Generator<Run> {
  let run: Run | undefined;
  let changes = 0;
  for (const line of diffLines(diff)) {
    const isSame = line.isOld && line.isNew;
    if (run?.hunk !== line.hunk || isSame !== (run.number === 0)) {
      if (run) yield run;
      if (run?.hunk !== line.hunk) changes = 0;
      run = { hunk: line.hunk, number: isSame ? 0 : ++changes, lines: [] };
    }
    run.lines.push(line);
  }
  if (run) yield run;
}

/** Lines are compared by words one by one, where as many go as come. */
function markedRows(rows: readonly BareRow[]): DiffRow[] {
  const removed = rows.filter(({ kind }) => kind === "removed");
  const added = rows.filter(({ kind }) => kind === "added");
  const pairs = new Map<number, MarkedPair>();
  const pairAt = (index: number): MarkedPair | undefined => {
    if (removed.length !== added.length) return undefined;
    const known = pairs.get(index) ?? markWords(removed[index]?.raw ?? "", added[index]?.raw ?? "");
    pairs.set(index, known);
    return known;
  };
  return [
    ...removed.map((row, index) => shownRow(row, () => pairAt(index)?.old)),
    ...added.map((row, index) => shownRow(row, () => pairAt(index)?.new)),
  ];
}

/** A line that the diff does not have, because nothing near it changes. */
export function contextRow(text: string, old: number, now: number): DiffRow {
  return shownRow(rowOf({ text, oldLine: old, newLine: now, isOld: true, isNew: true, isUnended: false }));
}

type ShownLine = Pick<Line, "text" | "oldLine" | "newLine" | "isOld" | "isNew" | "isUnended">;

function shownRow(row: BareRow, marks?: () => MarkedPair["old"] | undefined): DiffRow {
  let pieces: readonly Piece[] | undefined;
  return {
    ...row,
    get pieces() {
      return (pieces ??= showLine(row.raw, marks?.()));
    },
  };
}

function rowOf({ text, isOld, isNew, isUnended, oldLine, newLine }: ShownLine, place?: string): BareRow {
  return {
    kind: isOld && isNew ? "same" : isOld ? "removed" : "added",
    ...(isOld ? { old: oldLine } : {}),
    ...(isNew ? { new: newLine } : {}),
    raw: text,
    ...(place === undefined ? {} : { place }),
    isUnended,
  };
}
