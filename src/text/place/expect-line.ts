/**
 * Where the line number of a hunk leads. A file that has changed since its diff was made has moved lines, and hunks that stand in
 * one place show how far: the numbers of the hunks around them are off by as much, and they stand between them. GNU patch carries
 * the offset of a hunk to the next one too, but never to the one before. Hunks that were made before have moved what is below
 * them as well.
 *
 * Invariant: a number only decides between places that fit equally well, with or without this.
 */
import { foldNothing } from "../lines/sent-lines.ts";
import type { Hunk } from "../patch/model.ts";
import type { FindApplied } from "./find-applied.ts";
import { oldTextsOf, type PlacingTarget } from "./target.ts";

export interface ExpectedLine {
  /** 0-based, where the hunk would begin. */
  readonly start: number;
  /** How many lines that is below its number. */
  readonly drift: number;
  /** The first and behind the last line that the hunks around it leave. */
  readonly from: number;
  readonly to: number;
  /** Whether the hunks above and below it have moved by as many lines. */
  readonly isAgreed: boolean;
}

/** `undefined` for a hunk without a number. */
export type ExpectLine = (hunk: Hunk) => ExpectedLine | undefined;

/** Equal lines at the very number that a diff tool gave are its place; what else it says only helps to find them. */
export function mayHitByNumber(hunk: Hunk): boolean {
  const isEnd = hunk.endOfFile || hunk.oldNoNewline === true;
  return hunk.anchorKind === "soft" && hunk.startLine !== undefined && !isEnd && hunk.follows !== true;
}

export interface Sought {
  readonly target: PlacingTarget;
  readonly hunks: readonly Hunk[];
  readonly findApplied: FindApplied;
  /** All hunks count as made before, also those that nothing but a number tells of. */
  readonly isRepeat: boolean;
}

/** The other hunks are looked for when the first one asks: most patches have no hunk that does. */
export function createExpectation(sought: Sought): ExpectLine {
  let known: Known | undefined;
  return (hunk) => {
    const { startLine } = hunk;
    if (startLine === undefined) return undefined;
    known ??= findAllCertain(sought);
    const above = known.certain.findLast((one) => one.startLine < startLine);
    const below = known.certain.find((one) => one.startLine > startLine);
    const isAboveNearer = below === undefined || (above && startLine - above.startLine <= below.startLine - startLine);
    const near = isAboveNearer ? above : below;
    const drift = (near?.drift ?? 0) + (known.shifts.get(hunk) ?? 0);
    const isAgreed = !above || !below || above.drift === below.drift;
    return { start: startLine - 1 + drift, drift, from: above?.end ?? 0, to: below?.start ?? Infinity, isAgreed };
  };
}

interface Known {
  /** By their numbers, ascending. */
  readonly certain: readonly Certain[];
  /** How many lines the made hunks above each hunk have added. */
  readonly shifts: ReadonlyMap<Hunk, number>;
}

/** A hunk that stands in one place, whether made or not. */
interface Certain {
  readonly startLine: number;
  readonly start: number;
  readonly end: number;
  /** How many lines it is below its number, but for what the patch itself has added above. */
  readonly drift: number;
}

function findAllCertain({ target, hunks, findApplied, isRepeat }: Sought): Known {
  const certain: Certain[] = [];
  const shifts = new Map<Hunk, number>();
  let shift = 0;
  const numbered = hunks.flatMap((hunk) => (hunk.startLine === undefined ? [] : { hunk, startLine: hunk.startLine }));
  for (const { hunk, startLine } of numbered.sort((a, b) => a.startLine - b.startLine)) {
    shifts.set(hunk, shift);
    const found = findCertain(target, hunk, findApplied);
    if (found) {
      const { start, length } = found;
      certain.push({ startLine, start, end: start + length, drift: start + 1 - startLine - shift });
    }
    if (isRepeat || found?.isMade === true) shift += linesAdded(hunk);
  }
  return { certain, shifts };
}

interface FoundLines {
  readonly start: number;
  readonly length: number;
  readonly isMade: boolean;
}

function findCertain({ finder }: PlacingTarget, hunk: Hunk, findApplied: FindApplied): FoundLines | undefined {
  const old = oldTextsOf(hunk.lines);
  if (!mayHitByNumber(hunk) || old.length === 0) return undefined;
  const [start, another] = finder.find(foldNothing, old, 2);
  if (another !== undefined) return undefined;
  if (start !== undefined) return { start, length: old.length, isMade: false };
  const applied = findApplied(hunk);
  return applied && { ...applied, isMade: true };
}

function linesAdded({ lines }: Hunk): number {
  return lines.reduce((sum, { kind }) => sum + (kind === "insert" ? 1 : kind === "remove" ? -1 : 0), 0);
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
