/**
 * Puts hunks into a text. Every hunk is placed against the original, in any order, and needs exactly one place; all are
 * applied or none, but those that are there already. Strict where `parsePatch` is generous: what was matched other than exactly is told in `tolerances`
 * with both texts, so that the caller can make it a proposal instead of a change.
 *
 * Untouched and context lines keep their bytes. Usual mistake: applying hunk after hunk to the changed text, so that the
 * context of a later one is stale, or a repeated call inserts twice.
 */
import { createEndingBlindText } from "../lines/lines.ts";
import {
  createLineFinder,
  lineAt,
  splitFile,
  type AlreadyThere,
  type PlaceResult,
  type PlacedHunk,
  type PlacingTarget,
} from "./target.ts";
import { nameOfHunk, namedLines, problemOf, type HunkProblem, type NumberedHunk } from "./explain.ts";
import type { Hunk } from "../patch/model.ts";
import { placeHunk } from "./place-hunk.ts";
import { findChanges, findOverlap, spliceChanges, type SpliceChange } from "./splice.ts";

export type HunksResult =
  | {
      readonly kind: "applied";
      readonly text: string;
      readonly tolerances: readonly string[];
      readonly placements: readonly HunkPlacement[];
      /** Some of the hunks were there before, and are told in `tolerances`. */
      readonly isPartly?: true;
    }
  | { readonly kind: "unchanged"; readonly reason: "same_text" | "already_applied" }
  /** At most 50; a patch with more is wrong as a whole. */
  | { readonly kind: "failed"; readonly hunks: readonly HunkProblem[] };

/** `hunk` is its 0-based index, `startLine` 1-based in the original, `lines` how many of its lines the hunk covers. */
interface HunkPlacement {
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
  const changes = findChanges(target, found.placed);
  const overlap = findOverlap(changes);
  if (overlap) return { kind: "failed", hunks: [overlapProblem(target, hunks, overlap)] };
  const taken = found.already.filter((one) => isTouched(target, one, changes));
  if (taken.length > 0) return { kind: "failed", hunks: taken.slice(0, MAX_PROBLEMS).map(halfDoneProblem) };
  const text = mark + spliceChanges(target, found.placed, changes);
  if (text === original) return { kind: "unchanged", reason: "same_text" };
  return {
    kind: "applied",
    text,
    tolerances: [...found.placed.flatMap(({ tolerance }) => tolerance ?? []), ...found.already.map(alreadyNote)],
    placements: found.placed.map((placed) => placementOf(target, placed)),
    ...(found.already.length > 0 ? { isPartly: true as const } : {}),
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

interface FoundThere extends AlreadyThere, NumberedHunk {}

interface Found {
  readonly placed: PlacedHunk[];
  readonly already: FoundThere[];
  readonly problems: HunkProblem[];
}

function placeAll(target: PlacingTarget, hunks: readonly Hunk[]): Found {
  const found: Found = { placed: [], already: [], problems: [] };
  let previousEnd: number | undefined;
  for (const [index, hunk] of hunks.entries()) {
    const isNothing = isNoOp(hunk);
    // A hunk without a change is only a place for the one that goes on from it.
    if (isNothing && hunks[index + 1]?.follows !== true) continue;
    const isExplained = found.problems.length < MAX_EXPLAINED;
    const result = placeHunk(target, { hunk, index, previousEnd, isExplained });
    previousEnd = endOf(result);
    if (isNothing) continue;
    if (result.kind === "placed") found.placed.push(result);
    else if (result.kind === "already") found.already.push({ hunk, index, ...result });
    else found.problems.push(result.problem);
    if (found.problems.length >= MAX_PROBLEMS) break;
  }
  return found;
}

function endOf(result: PlaceResult): number | undefined {
  if (result.kind === "failed" || (result.kind === "placed" && result.unit !== "lines")) return undefined;
  return result.start + result.length;
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

/**
 * Whether another hunk changes what this one is said to have made. Then it stood there for another reason, and nobody
 * knows which of the two the patch means.
 */
function isTouched(target: PlacingTarget, { start, length }: FoundThere, changes: readonly SpliceChange[]): boolean {
  const from = target.lines.starts[start] ?? 0;
  const to = target.lines.starts[start + Math.max(1, length)] ?? target.text.length;
  // The changes are ascending and apart.
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.end ?? 0) > from) high = middle;
    else low = middle + 1;
  }
  const next = changes[low];
  return next !== undefined && next.start < to;
}

function halfDoneProblem(one: FoundThere): HunkProblem {
  const line = one.start + 1;
  return problemOf(one, {
    code: "no_match",
    lines: [line],
    message: `${nameOfHunk(one)} seems to be applied already, and another one changes the same lines`,
    hint: `Its new lines stand at line ${line}. Read the file again and send what is left to do.`,
  });
}

function alreadyNote(one: FoundThere): string {
  return `What ${nameOfHunk(one)} would make stands at line ${one.start + 1} already; it was left out.`;
}

function overlapProblem(
  target: PlacingTarget,
  hunks: readonly Hunk[],
  [before, change]: readonly [SpliceChange, SpliceChange],
): HunkProblem {
  const [first, second] = [before.by, change.by].sort((a, b) => a - b) as [number, number];
  return {
    hunk: second,
    at: hunks[second]?.at ?? 1,
    code: "overlap",
    message: `hunk ${first + 1} and hunk ${second + 1} change the same lines`,
    hint: "All hunks are placed on the original file: merge these two into one.",
    lines: namedLines([before, change].map(({ start }) => lineAt(target.lines, start))),
  };
}

function placementOf(target: PlacingTarget, placed: PlacedHunk): HunkPlacement {
  const { index: hunk, unit, start, length } = placed;
  if (unit === "lines") return { hunk, startLine: start + 1, lines: length };
  const first = lineAt(target.lines, start);
  const last = lineAt(target.lines, start + length - 1);
  return { hunk, startLine: first + 1, lines: last - first + 1 };
}
