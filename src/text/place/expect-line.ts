/**
 * Where the line number of a hunk leads. A file that has changed since its diff was made has moved lines, and hunks whose old
 * lines stand in one place show how far: the numbers of the hunks around them are off by as much, and they stand between them.
 * GNU patch carries the offset of a hunk to the next one in the same way.
 *
 * Invariant: a number only decides between places that fit equally well, with or without this.
 */
import { foldNothing } from "../lines/sent-lines.ts";
import type { Hunk } from "../patch/model.ts";
import { oldTextsOf, type PlacingTarget } from "./target.ts";

export interface ExpectedLine {
  /** 0-based, where the hunk would begin. */
  readonly start: number;
  /** How many lines that is below its number. */
  readonly drift: number;
  /** The first and behind the last line that the hunks around it leave. */
  readonly from: number;
  readonly to: number;
}

/** `undefined` for a hunk without a number. */
export type ExpectLine = (hunk: Hunk) => ExpectedLine | undefined;

/** Equal lines at the very number that a diff tool gave are its place; what else it says only helps to find them. */
export function mayHitByNumber(hunk: Hunk): boolean {
  const isEnd = hunk.endOfFile || hunk.oldNoNewline === true;
  return hunk.anchorKind === "soft" && hunk.startLine !== undefined && !isEnd && hunk.follows !== true;
}

/** The other hunks are looked for when the first one asks: most patches have no hunk that does. */
export function createExpectation(target: PlacingTarget, hunks: readonly Hunk[]): ExpectLine {
  let found: readonly Certain[] | undefined;
  return (hunk) => {
    const { startLine } = hunk;
    if (startLine === undefined) return undefined;
    found ??= hunks.flatMap((one) => findCertain(target, one) ?? []).sort((a, b) => a.startLine - b.startLine);
    const above = found.findLast((one) => one.startLine < startLine);
    const below = found.find((one) => one.startLine > startLine);
    const isAboveNearer = below === undefined || (above && startLine - above.startLine <= below.startLine - startLine);
    const near = isAboveNearer ? above : below;
    const drift = near === undefined ? 0 : near.start + 1 - near.startLine;
    return { start: startLine - 1 + drift, drift, from: above?.end ?? 0, to: below?.start ?? Infinity };
  };
}

/** A hunk whose old lines stand in one place. */
interface Certain {
  readonly startLine: number;
  readonly start: number;
  readonly end: number;
}

function findCertain({ finder }: PlacingTarget, hunk: Hunk): Certain | undefined {
  const old = oldTextsOf(hunk.lines);
  if (hunk.startLine === undefined || !mayHitByNumber(hunk) || old.length === 0) return undefined;
  const [start, another] = finder.find(foldNothing, old, 2);
  if (start === undefined || another !== undefined) return undefined;
  return { startLine: hunk.startLine, start, end: start + old.length };
}

/** Whether a hunk that begins there stands between its neighbours. */
export function isBetween(start: number, { from, to }: ExpectedLine): boolean {
  return start >= from && start < to;
}

/** Says why another line than that of the number was taken; `""` where none was. */
export function sayDrift({ drift }: ExpectedLine): string {
  if (drift === 0) return "";
  const lines = Math.abs(drift) === 1 ? "1 line" : `${Math.abs(drift)} lines`;
  return `, because the hunks around it stand ${lines} further ${drift > 0 ? "down" : "up"} than their numbers say`;
}
