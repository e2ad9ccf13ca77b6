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

/** @param diff of one file, whole */
export function readDiff(diff: string): ShownHunk[] {
  const hunks: { number: number; rows: DiffRow[]; places: string[] }[] = [];
  for (const { hunk, lines, number } of runsOf(diff)) {
    const shown = hunks[hunk - 1] ?? { number: hunk, rows: [], places: [] };
    hunks[hunk - 1] = shown;
    if (number === 0) {
      shown.rows.push(...lines.map((line) => rowOf(line)));
      continue;
    }
    const place = `${hunk}.${number}`;
    shown.places.push(place);
    shown.rows.push(...markedRows(lines, place));
  }
  return hunks;
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
function markedRows(lines: readonly Line[], place: string): DiffRow[] {
  const removed = lines.filter(({ isNew }) => !isNew);
  const added = lines.filter(({ isOld }) => !isOld);
  const pairs = new Map<number, MarkedPair>();
  const pairAt = (index: number): MarkedPair | undefined => {
    if (removed.length !== added.length) return undefined;
    const known = pairs.get(index) ?? markWords(removed[index]?.text ?? "", added[index]?.text ?? "");
    pairs.set(index, known);
    return known;
  };
  return [
    ...removed.map((line, index) => rowOf(line, () => pairAt(index)?.old, place)),
    ...added.map((line, index) => rowOf(line, () => pairAt(index)?.new, place)),
  ];
}

/** A line that the diff does not have, because nothing near it changes. */
export function contextRow(text: string, old: number, now: number): DiffRow {
  const line = { text, oldLine: old, newLine: now, isOld: true, isNew: true, isUnended: false };
  return rowOf(line);
}

type ShownLine = Pick<Line, "text" | "oldLine" | "newLine" | "isOld" | "isNew" | "isUnended">;

function rowOf(line: ShownLine, marks?: () => MarkedPair["old"] | undefined, place?: string): DiffRow {
  const { text, isOld, isNew, isUnended, oldLine, newLine } = line;
  let pieces: readonly Piece[] | undefined;
  return {
    kind: isOld && isNew ? "same" : isOld ? "removed" : "added",
    ...(isOld ? { old: oldLine } : {}),
    ...(isNew ? { new: newLine } : {}),
    raw: text,
    get pieces() {
      return (pieces ??= showLine(text, marks?.()));
    },
    ...(place === undefined ? {} : { place }),
    isUnended,
  };
}
