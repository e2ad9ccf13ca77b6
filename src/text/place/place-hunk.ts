/**
 * Finds the one place of a hunk in the original file, in rounds: as sent, then part of a line (SEARCH/REPLACE), then with
 * one tolerance after the other. A round that finds something ends the search; a tolerant one must find one place.
 *
 * Between the first round and the others it is asked whether the hunk was applied already, so that a repeated call
 * changes nothing. Usual mistake: going on to a more tolerant round when a strict one found two places.
 */
import { findOccurrences } from "../lines/lines.ts";
import { choosePlace, hitByNumber, placeInsertion, type PlacementTurn } from "./choose-place.ts";
import { type FindApplied, findNewText, isAppendedAlready, isInsideAlready } from "./find-applied.ts";
import { tellOfResult } from "./made-before.ts";
import { lineAt, newTextsOf, oldTextsOf, type FileLines, type PlaceResult, type PlacingTarget } from "./target.ts";
import {
  GUTTERS,
  foldBlanks,
  foldNothing,
  foldTrailing,
  foldTypography,
  unescapeOnce,
  type Fold,
} from "../lines/sent-lines.ts";
import {
  ambiguousProblem,
  nameOfHunk,
  noMatchProblem,
  problemOf,
  upper,
  type HunkProblem,
  type NumberedHunk,
} from "./explain.ts";
import { quoteLine } from "./show-difference.ts";
import type { Hunk, HunkLine } from "../patch/model.ts";

interface PlacingTurn extends PlacementTurn {
  readonly isExplained: boolean;
  readonly findApplied: FindApplied;
}

export function placeHunk(target: PlacingTarget, turn: PlacingTurn): PlaceResult {
  const { hunk } = turn;
  const old = oldTextsOf(hunk.lines);
  if (old.length === 0) return placeInsertion(target, turn);
  const exact = findPlaces(target, turn, foldNothing, old);
  if (exact.length > 0) return settle(target, turn, exact, EXACT, hunk.lines);
  const inside = hunk.insideLine === true ? placeInside(target, turn, old) : undefined;
  if (inside) return inside;
  const applied = turn.findApplied(hunk);
  for (const round of ROUNDS) {
    for (const lines of round.read(hunk.lines)) {
      const wanted = lines === hunk.lines ? old : oldTextsOf(lines);
      const starts = round.mayChoose
        ? findPlaces(target, turn, round.fold, wanted)
        : target.finder.find(round.fold, wanted);
      if (starts.length === 0 || isBlankOnly(lines)) continue;
      const isAllApplied = applied && starts.every((start) => touches(start, wanted.length, applied));
      if (isAllApplied) return { kind: "already", ...applied };
      return settle(target, turn, starts, round, lines);
    }
  }
  if (applied) return { kind: "already", ...applied };
  if (target.finder.isExhausted()) return { kind: "failed", problem: tooCostly(turn) };
  const problem = noMatchProblem(target.text, turn, old, turn.isExplained);
  const found = turn.isExplained ? findNewText(target, hunk) : undefined;
  if (found === undefined) return { kind: "failed", problem };
  return { kind: "failed", problem: { ...problem, hint: problem.hint + tellOfResult("hunk", found + 1) } };
}

/**
 * All places when something may decide between them. In a file that repeats itself there may be very many; when the
 * line number hits one of them it decides, and then two others are enough to know that the hunk is not alone.
 */
function findPlaces(target: PlacingTarget, turn: PlacementTurn, fold: Fold, old: readonly string[]): number[] {
  const { finder } = target;
  const { hunk } = turn;
  const some = finder.find(fold, old, 2);
  if (some.length < 2) return some;
  const expected = hitByNumber(turn);
  if (expected && finder.standsAt(fold, old, expected.start)) return [...new Set([...some, expected.start])];
  const isDecidable = hunk.startLine !== undefined || hunk.anchors.length > 0 || hunk.endOfFile;
  return finder.find(fold, old, isDecidable || hunk.oldNoNewline === true ? Infinity : undefined);
}

interface Round {
  readonly fold: Fold;
  /** Says which difference was tolerated, behind `Hunk 2 was placed at line 3`; absent where there was none. */
  readonly note?: string;
  readonly mayChoose: boolean;
  readonly isReindented: boolean;
  readonly read: (lines: readonly HunkLine[]) => readonly (readonly HunkLine[])[];
}

const EXACT: Round = { fold: foldNothing, mayChoose: true, isReindented: false, read: (lines) => [lines] };
const STRICT: Round = { ...EXACT, mayChoose: false };
const REINDENTED: Round = { ...STRICT, isReindented: true };

const ROUNDS: readonly Round[] = [
  { ...STRICT, note: "with its context lines taken as they stand, without a sign", read: readContextRaw },
  { ...EXACT, fold: foldTrailing, note: "without regard to blanks at line ends" },
  { ...EXACT, note: "without the empty line at its end", read: readWithoutEmptyEnd },
  { ...REINDENTED, fold: foldBlanks, note: "without regard to tabs and blanks" },
  { ...REINDENTED, fold: foldTypography, note: "without regard to typographic quotes, dashes and spaces" },
  {
    ...STRICT,
    note: String.raw`with \n, \t, \" and \\ read as the characters they stand for`,
    read: readUnescaped,
  },
  { ...STRICT, note: "without the line numbers that were copied with it", read: readWithoutGutter },
];

/** Blank lines alone look the same everywhere once blanks do not count. */
function isBlankOnly(lines: readonly HunkLine[]): boolean {
  return lines.every(({ kind, text }) => kind === "insert" || text.trim() === "");
}

function touches(start: number, length: number, other: { readonly start: number; readonly length: number }): boolean {
  return start < other.start + other.length && other.start < start + length;
}

function settle(
  target: PlacingTarget,
  turn: PlacementTurn,
  starts: readonly number[],
  round: Round,
  lines: readonly HunkLine[],
): PlaceResult {
  const { hunk, index } = turn;
  const old = oldTextsOf(lines);
  const isUndecided = starts.length > 1 && !round.mayChoose;
  const choice = isUndecided ? ambiguousProblem(turn, starts) : choosePlace(target, turn, starts, old.length);
  if (!("start" in choice)) return { kind: "failed", problem: choice };
  const { start } = choice;
  if (starts.length === 1 && isAppendedAlready(target, hunk, start)) {
    const above = hunk.lines.findIndex(({ kind }) => kind === "keep");
    return { kind: "already", start: start - above, length: hunk.lines.length };
  }
  const notes = [round.note && describe(target, round.note, start, old), choice.note].filter(Boolean);
  const tolerance = `${upper(nameOfHunk(turn))} ${notes.join(", and ")}.`;
  return {
    kind: "placed",
    index,
    hunk,
    unit: "lines",
    start,
    length: old.length,
    lines,
    hasOwnEndings: round === EXACT && hasSameEndings(target.lines, start, hunk),
    isReindented: round.isReindented,
    ...(notes.length === 0 ? {} : { tolerance }),
  };
}

/** Names the first line that differs, as it is in the file and in the patch. */
function describe(target: PlacingTarget, note: string, start: number, old: readonly string[]): string {
  const at = old.findIndex((line, offset) => line !== target.texts[start + offset]);
  const place = `was placed at line ${start + 1} ${note}`;
  if (at === -1) return place;
  const sent = quoteLine(old[at] ?? "");
  return `${place}: line ${start + at + 1} is ${quoteLine(target.texts[start + at] ?? "")}, the patch has ${sent}`;
}

/** A last line without ending only says something when the hunk knows of it. */
function hasSameEndings(file: FileLines, start: number, hunk: Hunk): boolean {
  const old = hunk.lines.filter(({ kind }) => kind !== "insert");
  let isKnown = false;
  for (const [offset, { text }] of old.entries()) {
    const ending = file.endings[start + offset] ?? "";
    if (!ending.endsWith(file.stop) && hunk.oldNoNewline !== true) continue;
    if (file.stop !== "\n" || text.endsWith("\r") !== ending.startsWith("\r")) return false;
    isKnown = true;
  }
  return isKnown;
}

function placeInside(target: PlacingTarget, turn: PlacementTurn, old: readonly string[]): PlaceResult | undefined {
  const { hunk, index } = turn;
  const { text, blind, finder } = target;
  const wanted = old.join("\n");
  // Looking for it, and carrying its places back.
  const isPaid = finder.charge(text.length * 2);
  if (wanted.trim() === "" || !isPaid) return undefined;
  const flatStarts = findOccurrences(blind.flat, wanted, MAX_PLACES_INSIDE, true);
  const [flatStart] = flatStarts;
  if (flatStart === undefined) return undefined;
  if (flatStarts.length > 1) {
    const places = blind.toOriginal(flatStarts).map((place) => lineAt(target.lines, place));
    return { kind: "failed", problem: ambiguousProblem(turn, places) };
  }
  const [start = 0, end = 0] = blind.toOriginal([flatStart, flatStart + wanted.length]);
  const line = lineAt(target.lines, start);
  const { lines } = hunk;
  if (isInsideAlready(blind.flat, wanted, newTextsOf(lines).join("\n"), flatStart))
    return { kind: "already", start: line, length: 1 };
  const tolerance = `${upper(nameOfHunk(turn))} was placed inside line ${line + 1}.`;
  return { kind: "placed", index, hunk, unit: "characters", start, length: end - start, lines, tolerance };
}

const MAX_PLACES_INSIDE = 1000;

function tooCostly(one: NumberedHunk): HunkProblem {
  const message = `the search for ${nameOfHunk(one)} took too long and was given up`;
  const hint = "Send fewer hunks at a time, with lines that stand in the file once.";
  return problemOf(one, { code: "invalid", message, hint });
}

/** Reads the blank at the beginning of context lines as the file's own. */
function readContextRaw(lines: readonly HunkLine[]): HunkLine[][] {
  if (!lines.some(isSignedContext)) return [];
  return [lines.map((line) => (isSignedContext(line) ? { ...line, text: ` ${line.text}` } : line))];
}

function isSignedContext({ kind, unprefixed }: HunkLine): boolean {
  return kind === "keep" && unprefixed !== true;
}

/** Leaves out an empty line of context at the end, which models send where the file has ended. */
function readWithoutEmptyEnd(lines: readonly HunkLine[]): (readonly HunkLine[])[] {
  const last = lines.at(-1);
  return last?.kind === "keep" && last.text.trim() === "" ? [lines.slice(0, -1)] : [];
}

/** Reads `\n`, `\t`, `\"`, `\'` and `\\` as what they stand for, one time. A line may become several. */
function readUnescaped(lines: readonly HunkLine[]): HunkLine[][] {
  if (!lines.some(({ kind, text }) => kind !== "insert" && /\\[ntr"'\\]/.test(text))) return [];
  return [
    lines.flatMap((line) =>
      unescapeOnce(line.text)
        .split("\n")
        .map((text) => ({ ...line, text })),
    ),
  ];
}

/** Leaves out the gutter that every old line has; inserted lines lose it only if all of them have it too. */
function readWithoutGutter(lines: readonly HunkLine[]): HunkLine[][] {
  const old = lines.filter(({ kind, text }) => kind !== "insert" && text !== "");
  const inserted = lines.filter(({ kind, text }) => kind === "insert" && text !== "");
  if (old.length === 0) return [];
  return GUTTERS.filter((gutter) => old.every(({ text }) => gutter.test(text))).map((gutter) => {
    const isInserted = inserted.every(({ text }) => gutter.test(text));
    return lines.map((line) =>
      line.kind === "insert" && !isInserted ? line : { ...line, text: line.text.replace(gutter, "") },
    );
  });
}
