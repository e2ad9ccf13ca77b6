/**
 * Places all hunks of a file, each for itself, against the original. A patch is applied whole, so one that is sent again is
 * there whole: lines that stand already where a hunk with nothing but a number would put them count as made by it when
 * every other hunk is there too. Otherwise they stand there by chance, and are put there as the patch says.
 */
import type { Hunk } from "../patch/model.ts";
import { onlyHasNumber } from "./choose-place.ts";
import type { HunkProblem, NumberedHunk } from "./explain.ts";
import { createExpectation, type Sought } from "./expect-line.ts";
import { createAppliedFinder } from "./find-applied.ts";
import { isTellingText } from "./made-before.ts";
import { placeHunk } from "./place-hunk.ts";
import type { AlreadyThere, PlacedHunk, PlacingTarget } from "./target.ts";

/** At most so many are told. */
export const MAX_PROBLEMS = 50;
/** Explaining costs a pass over the file each time. */
const MAX_EXPLAINED = 3;

export type FoundThere = AlreadyThere & NumberedHunk;

interface FoundHunks {
  readonly placed: readonly PlacedHunk[];
  readonly already: readonly FoundThere[];
  readonly problems: readonly HunkProblem[];
}

export function placeHunks(target: PlacingTarget, hunks: readonly Hunk[]): FoundHunks {
  const findApplied = createAppliedFinder(target);
  if (hunks.some(onlyHasNumber)) {
    const repeated = placeAll({ target, hunks, findApplied, isRepeat: true });
    const isWhole = repeated.placed.length === 0 && repeated.problems.length === 0;
    if (isWhole && repeated.already.some((one) => isTellingHunk(target, one))) return repeated;
  }
  return placeAll({ target, hunks, findApplied, isRepeat: false });
}

/** Whether its lines do not stand there by chance: they are long enough, or all of the file. */
function isTellingHunk({ texts }: PlacingTarget, { hunk, length }: FoundThere): boolean {
  const inserted = hunk.lines.flatMap(({ kind, text }) => (kind === "insert" ? [text] : []));
  return length === texts.length || isTellingText(inserted);
}

/** A patch that is looked for as one that was applied before ends at the first hunk that was not. */
function placeAll(sought: Sought): FoundHunks {
  const { target, hunks, findApplied, isRepeat } = sought;
  const [placed, already, problems]: [PlacedHunk[], FoundThere[], HunkProblem[]] = [[], [], []];
  let previousEnd: number | undefined;
  const expect = createExpectation(sought);
  for (const [index, hunk] of hunks.entries()) {
    const isNothing = isNoOp(hunk);
    // A hunk without a change is only a place for the one that goes on from it.
    if (isNothing && hunks[index + 1]?.follows !== true) continue;
    const isExplained = !isRepeat && problems.length < MAX_EXPLAINED;
    const result = placeHunk(target, { hunk, index, previousEnd, isExplained, expect, findApplied, isRepeat });
    const hasLines = result.kind === "already" || (result.kind === "placed" && result.unit === "lines");
    previousEnd = hasLines ? result.start + result.length : undefined;
    if (isNothing) continue;
    if (result.kind === "placed") placed.push(result);
    else if (result.kind === "already") already.push({ hunk, index, ...result });
    else problems.push(result.problem);
    if (problems.length >= MAX_PROBLEMS || (isRepeat && result.kind !== "already")) break;
  }
  return { placed, already, problems };
}

/** Old and new lines are the same; whether the file ends its last line may still change. */
function isNoOp(hunk: Hunk): boolean {
  if (hunk.oldNoNewline !== hunk.newNoNewline) return false;
  if (hunk.lines.every(({ kind }) => kind === "keep")) return true;
  // With their CR: a hunk may change nothing but the ending of a line.
  const old = hunk.lines.filter(({ kind }) => kind !== "insert");
  const changed = hunk.lines.filter(({ kind }) => kind !== "remove");
  return old.length === changed.length && old.every(({ text }, index) => text === changed[index]?.text);
}
