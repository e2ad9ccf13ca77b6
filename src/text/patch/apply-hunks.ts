/**
 * Puts hunks into a text. Every hunk is placed against the original, in any order, and needs exactly one place; all are
 * applied or none. Strict where `parsePatch` is generous: what was matched other than exactly is told in `tolerances`
 * with both texts, so that the caller can make it a proposal instead of a change.
 *
 * Untouched and context lines keep their bytes. Usual mistake: applying hunk after hunk to the changed text, so that the
 * context of a later one is stale, or a repeated call inserts twice.
 */
import { createEndingBlindText } from "../locate-text.ts";
import { splitFile } from "./file-lines.ts";
import { nameOfHunk, namedLines, type HunkProblem } from "./hunk-problem.ts";
import { createLineFinder } from "./line-finder.ts";
import type { Hunk } from "./patch-model.ts";
import { placeHunk } from "./place-hunk.ts";
import { lineAt, type PlacedHunk, type PlaceResult, type PlacingTarget } from "./placing.ts";
import { findChanges, spliceChanges, type Change } from "./splice-hunks.ts";

export type HunksResult =
  | {
      readonly kind: "applied";
      readonly text: string;
      readonly tolerances: readonly string[];
      readonly placements: readonly HunkPlacement[];
    }
  | { readonly kind: "unchanged"; readonly reason: "same_text" | "already_applied" }
  /** At most 50; a patch with more is wrong as a whole. */
  | { readonly kind: "failed"; readonly hunks: readonly HunkProblem[] };

/** `hunk` is its 0-based index, `startLine` 1-based in the original, `lines` how many of its lines the hunk covers. */
export interface HunkPlacement {
  readonly hunk: number;
  readonly startLine: number;
  readonly lines: number;
}

export function applyHunks(original: string, hunks: readonly Hunk[]): HunksResult {
  const mark = original.startsWith("\ufeff") ? "\ufeff" : "";
  const target = createTarget(original.slice(mark.length), hunks);
  const found = placeAll(target, hunks);
  if (found.problems.length > 0) return { kind: "failed", hunks: found.problems };
  if (found.placed.length === 0) {
    return { kind: "unchanged", reason: found.already.length > 0 ? "already_applied" : "same_text" };
  }
  const halfDone = found.already.map(({ index, line }) => halfDoneProblem(hunks, index, line));
  if (halfDone.length > 0) return { kind: "failed", hunks: halfDone.slice(0, MAX_PROBLEMS) };
  const changes = findChanges(target, found.placed);
  const overlap = findOverlap(target, hunks, changes);
  if (overlap) return { kind: "failed", hunks: [overlap] };
  const text = mark + spliceChanges(target, found.placed, changes);
  if (text === original) return { kind: "unchanged", reason: "same_text" };
  return {
    kind: "applied",
    text,
    tolerances: found.placed.flatMap(({ tolerance }) => tolerance ?? []),
    placements: found.placed.map((placed) => placementOf(target, placed)),
  };
}

const MAX_PROBLEMS = 50;
/** Explaining costs a pass over the file each time. */
const MAX_EXPLAINED = 3;

function createTarget(text: string, hunks: readonly Hunk[]): PlacingTarget {
  const lines = splitFile(text, hunks);
  const finder = createLineFinder(lines.texts);
  return { text, blind: createEndingBlindText(text), lines, texts: lines.texts, finder };
}

interface Found {
  readonly placed: PlacedHunk[];
  readonly already: { readonly index: number; readonly line: number }[];
  readonly problems: HunkProblem[];
}

function placeAll(target: PlacingTarget, hunks: readonly Hunk[]): Found {
  const found: Found = { placed: [], already: [], problems: [] };
  let previousEnd: number | undefined;
  for (const [index, hunk] of hunks.entries()) {
    const isNothing = isNoOp(hunk);
    // A hunk without a change is only a place for the one that goes on from it.
    const isNeeded = !isNothing || hunks[index + 1]?.follows === true;
    if (!isNeeded) continue;
    const isExplained = found.problems.length < MAX_EXPLAINED;
    const result = placeHunk(target, hunk, { index, previousEnd, isExplained });
    previousEnd = endOf(result);
    if (isNothing) continue;
    if (result.kind === "placed") found.placed.push(result.placed);
    else if (result.kind === "already") found.already.push({ index, line: result.line });
    else found.problems.push(result.problem);
    if (found.problems.length >= MAX_PROBLEMS) break;
  }
  return found;
}

function endOf(result: PlaceResult): number | undefined {
  if (result.kind !== "placed" || result.placed.unit !== "lines") return undefined;
  return result.placed.start + result.placed.length;
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

function halfDoneProblem(hunks: readonly Hunk[], index: number, line: number): HunkProblem {
  const hunk = hunks[index];
  return {
    hunk: index,
    at: hunk?.at ?? 1,
    code: "no_match",
    lines: [line],
    message: `${hunk ? nameOfHunk(hunk, index) : "a hunk"} is applied already, and others are not`,
    hint: `Its new lines stand at line ${line}. Leave it out and send the others again.`,
  };
}

function findOverlap(
  target: PlacingTarget,
  hunks: readonly Hunk[],
  changes: readonly Change[],
): HunkProblem | undefined {
  for (const [position, change] of changes.entries()) {
    const before = changes[position - 1];
    if (!before || before.hunk === change.hunk) continue;
    const isTwice = before.start === change.start && before.end === change.end && before.text === change.text;
    if (change.start >= before.end && !isTwice) continue;
    const [first, second] = [before.hunk, change.hunk].sort((a, b) => a - b);
    const later = hunks[second ?? 0];
    return {
      hunk: second ?? 0,
      at: later?.at ?? 1,
      code: "overlap",
      message: `hunk ${(first ?? 0) + 1} and hunk ${(second ?? 0) + 1} change the same lines`,
      hint: "All hunks are placed on the original file: merge these two into one.",
      lines: namedLines([before, change].map(({ start }) => lineAt(target.lines, start))),
    };
  }
  return undefined;
}

function placementOf(target: PlacingTarget, placed: PlacedHunk): HunkPlacement {
  const { index: hunk, unit, start, length } = placed;
  if (unit === "lines") return { hunk, startLine: start + 1, lines: length };
  const first = lineAt(target.lines, start);
  const last = lineAt(target.lines, start + length - 1);
  return { hunk, startLine: first + 1, lines: last - first + 1 };
}
