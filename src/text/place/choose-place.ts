/**
 * Decides between places where the old lines of a hunk stand equally well: by its anchors, the end of the file, the
 * hunk before it, and last the line number. A hard anchor must hold even when there is only one place. A hunk that only
 * inserts has no old lines, and is placed by the same signs alone.
 *
 * Usual mistakes: taking the first of several places; appending at the end of the file whatever the anchor says.
 */
import type { Hunk } from "../patch/model.ts";
import {
  ambiguousProblem,
  nameOfHunk,
  namedLines,
  problemOf,
  upper,
  type HunkProblem,
  type NumberedHunk,
} from "./explain.ts";
import { quoteLine } from "./show-difference.ts";
import { type ExpectedLine, type ExpectLine, isBetween, mayHitByNumber, sayDrift } from "./expect-line.ts";
import { isInsertedAlready, standsAt } from "./find-applied.ts";
import { findAnchorLines, type PlaceResult, type PlacingTarget } from "./target.ts";

export interface PlacementTurn extends NumberedHunk {
  /** The line behind the hunk before. */
  readonly previousEnd: number | undefined;
  /** Where the number of the hunk leads. */
  readonly expect: ExpectLine;
  /** The patch is looked for as one that was applied before. */
  readonly isRepeat: boolean;
}

interface Chosen {
  readonly start: number;
  readonly note?: string;
}

/** @param starts at least one place, where the old lines stand */
export function choosePlace(
  file: PlacingTarget,
  turn: PlacementTurn,
  starts: readonly number[],
  length: number,
): Chosen | HunkProblem {
  const { hunk } = turn;
  const expected = starts.length > 1 ? hitByNumber(turn) : undefined;
  if (expected && starts.includes(expected.start)) return takeNear(expected, expected.start, "several");
  const anchors = findAnchorLines(file, hunk);
  let left = starts;
  if (hunk.anchors.length > 0) {
    const least = anchors[0] ?? Infinity;
    const after = starts.filter((start) => least < start + length);
    if (after.length > 0) left = after;
    else if (hunk.anchorKind === "hard") return anchorBelow(turn, starts, anchors);
  }
  const atEnd = left.filter((start) => start + length === file.texts.length);
  const isEnd = hunk.endOfFile || hunk.oldNoNewline === true;
  if (isEnd && atEnd.length > 0) left = atEnd;
  const [first] = left;
  if (left.length === 1 && first !== undefined) {
    const note = "is marked as the end of the file, and stands elsewhere";
    return { start: first, ...(isEnd && atEnd.length === 0 ? { note } : {}) };
  }
  return decide(turn, left, length, anchors);
}

/** Where its number leads, if lines that stand there are its place. */
export function hitByNumber({ hunk, expect }: PlacementTurn): ExpectedLine | undefined {
  const expected = mayHitByNumber(hunk) ? expect(hunk) : undefined;
  return expected && isBetween(expected.start, expected) ? expected : undefined;
}

/** Nothing but its line number says where it belongs. */
export function onlyHasNumber(hunk: Hunk): boolean {
  return mayHitByNumber(hunk) && hunk.lines.every(({ kind }) => kind === "insert");
}

function decide(
  turn: PlacementTurn,
  starts: readonly number[],
  length: number,
  anchors: readonly number[],
): Chosen | HunkProblem {
  const { hunk, previousEnd } = turn;
  if (hunk.follows === true && previousEnd !== undefined && starts.includes(previousEnd)) {
    return { start: previousEnd };
  }
  const expected = turn.expect(hunk);
  if (expected) {
    const between = starts.filter((place) => isBetween(place, expected));
    const start = nearest(between.length > 0 ? between : starts, expected.start);
    if (start === undefined) return ambiguousProblem(turn, starts);
    return takeNear(expected, start, starts.length);
  }
  // The cursor of this dialect goes on behind the anchor, so the first place below a unique one is meant.
  const [anchor] = anchors;
  if (hunk.anchorKind === "hard" && anchors.length === 1 && anchor !== undefined) {
    const start = starts.find((place) => place + length > anchor);
    if (start !== undefined) return { start };
  }
  return ambiguousProblem(turn, starts);
}

function takeNear(expected: ExpectedLine, start: number, places: number | "several"): Chosen {
  const isThere = start === expected.start;
  if (isThere && expected.drift === 0) return { start };
  const line = expected.drift === 0 ? `its line number ${expected.start + 1}` : `line ${expected.start + 1}`;
  const which = `the one ${isThere ? "at" : "nearest to"} ${line} was taken`;
  return { start, note: `stands in ${places} places; ${which}${sayDrift(expected)}` };
}

function nearest(numbers: readonly number[], wanted: number): number | undefined {
  const least = numbers.reduce((known, number) => Math.min(known, Math.abs(number - wanted)), Infinity);
  const [best, another] = numbers.filter((number) => Math.abs(number - wanted) === least);
  return another === undefined ? best : undefined;
}

/**
 * Places a hunk that only inserts: at the end if it says so, below its anchor, behind the hunk it goes on from, or before
 * its line number. With none of these it could mean any place, and is refused unless the file is empty.
 */
export function placeInsertion(target: PlacingTarget, turn: PlacementTurn): PlaceResult {
  const { hunk, index } = turn;
  const { lines, endOfFile } = hunk;
  const made = turn.isRepeat && onlyHasNumber(hunk) ? turn.expect(hunk) : undefined;
  if (made?.isAgreed === true && standsAt(target, lines, made.start))
    return { kind: "already", start: made.start, length: lines.length };
  const place = findPlace(target, turn);
  if (!("start" in place)) return { kind: "failed", problem: place };
  const { start, note } = place;
  if (hunk.anchorKind === "hard" && isInsertedAlready(target, hunk, start))
    return { kind: "already", start: endOfFile ? start - lines.length : start, length: lines.length };
  const hasOwnEndings = target.texts.length === 0;
  const tolerance = note === undefined ? {} : { tolerance: `${upper(nameOfHunk(turn))} ${note}.` };
  return { kind: "placed", index, hunk, unit: "lines", start, length: 0, lines, hasOwnEndings, ...tolerance };
}

function findPlace(target: PlacingTarget, turn: PlacementTurn): Chosen | HunkProblem {
  const { hunk, previousEnd } = turn;
  const { anchors: names, startLine } = hunk;
  const count = target.texts.length;
  if (count === 0) return { start: 0 };
  const anchors = findAnchorLines(target, hunk);
  const isHard = hunk.anchorKind === "hard" && names.length > 0;
  if (isHard && anchors.length === 0) return anchorMissing(turn);
  if (hunk.endOfFile) return { start: count };
  if (hunk.follows === true && previousEnd !== undefined) return { start: previousEnd };
  const expected = turn.expect(hunk);
  if (expected && !isHard) return insertAt(expected, turn, count);
  const [only, another] = anchors;
  if (only !== undefined && another === undefined) return { start: only + 1 };
  const near = startLine === undefined ? undefined : nearest(anchors, startLine - 1);
  if (near !== undefined) return { start: near + 1 };
  return anchors.length > 0 ? ambiguousAnchor(turn, anchors) : noPlace(turn);
}

function insertAt(expected: ExpectedLine, turn: PlacementTurn, count: number): Chosen | HunkProblem {
  const { start, drift, from, to, isAgreed } = expected;
  // Nothing but its number says where it belongs, so nothing may contradict that. It may stand right before the next hunk.
  if (!isAgreed || start < from || start > to) return contradicted(turn, expected);
  if (start < 0 || start > count) return behindEnd(turn, start + 1, count);
  return { start, ...(drift === 0 ? {} : { note: `inserts before line ${start + 1}${sayDrift(expected)}` }) };
}

function nameOfAnchor(one: NumberedHunk): string {
  return `the anchor ${quoteLine(one.hunk.anchors.join(" @@ "))} of ${nameOfHunk(one)}`;
}

function anchorBelow(one: NumberedHunk, starts: readonly number[], anchors: readonly number[]): HunkProblem {
  const lines = namedLines(starts);
  const where = anchors.length === 0 ? "is not in the file" : `is at line ${(anchors[0] ?? 0) + 1}`;
  const message = `${nameOfAnchor(one)} ${where}, and must be above its lines`;
  const hint = `Its lines stand at line ${lines.join(", ")}. Leave the anchor out, or copy the line above them.`;
  return problemOf(one, { code: "no_match", lines, message, hint });
}

function anchorMissing(one: NumberedHunk): HunkProblem {
  const hint = "Copy the line below which to insert, or give it as context with a blank before it.";
  return problemOf(one, { code: "no_match", message: `${nameOfAnchor(one)} is not in the file`, hint });
}

function ambiguousAnchor(one: NumberedHunk, anchors: readonly number[]): HunkProblem {
  const lines = namedLines(anchors);
  const message = `${nameOfAnchor(one)} stands at ${anchors.length} places, and must stand at one`;
  const hint = `It stands at lines ${lines.join(", ")}. Add the line next to the insertion, with a blank before it.`;
  return problemOf(one, { code: "ambiguous", message, hint, lines });
}

function noPlace(one: NumberedHunk): HunkProblem {
  const hint = 'Add the line above or below with a blank before it, or "*** End of File" to append.';
  return problemOf(one, {
    code: "ambiguous",
    message: `${nameOfHunk(one)} only inserts, and does not say where`,
    hint,
  });
}

function contradicted(one: NumberedHunk, { from, to }: ExpectedLine): HunkProblem {
  const message = `${nameOfHunk(one)} only inserts, and the hunks around it do not stand where their numbers say`;
  const hint = "Add the line above or below with a blank before it: its number alone does not tell its place.";
  return problemOf(one, { code: "ambiguous", message, hint, lines: namedLines(to === Infinity ? [from] : [from, to]) });
}

function behindEnd(one: NumberedHunk, startLine: number, count: number): HunkProblem {
  const message = `${nameOfHunk(one)} inserts before line ${startLine}, and the file has ${count}`;
  return problemOf(one, { code: "no_match", lines: [count], message, hint: "Add the line above or below as context." });
}
