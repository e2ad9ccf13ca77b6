/**
 * Puts edits and hunks into a text. Each is placed against the original, must not overlap another, and needs exactly
 * one place (or asks for all); all are applied or none, but hunks that are there already. An edit that could be read in
 * another way is only explained; `tolerances` tell how a hunk was matched other than exactly, for a proposal.
 *
 * Everything outside the replaced regions keeps its bytes, and new text takes the line ends of its place. Usual
 * mistakes: `String.replace` with a string, where `$&` in the new text means the match; applying one after the other to
 * the changed text, so that a repeated call inserts twice.
 */
import {
  countUpTo,
  createEndingBlindText,
  createLineIndex,
  type EndingBlindText,
  findOccurrences,
  flatten,
} from "../lines/lines.ts";
import { findPlaceholder } from "../lines/sent-lines.ts";
import type { Hunk } from "../patch/model.ts";
import {
  diagnoseMismatch,
  type EditProblem,
  explainNoMatch,
  type HunkProblem,
  namedLines,
  nameOf,
  nameOfHunk,
  problemOf,
} from "./explain.ts";
import { foundPlaces, inOriginal } from "./found-places.ts";
import { areGone, findResult, tellOfResult, tellsOfChange } from "./made-before.ts";
import { type FoundThere, MAX_PROBLEMS, placeHunks } from "./place-hunks.ts";
import { findChanges, findOverlap, replaceIn, type Replacement, type SpliceChange, spliceChanges } from "./splice.ts";
import { createLineFinder, lineAt, type PlacedHunk, type PlacingTarget, splitFile } from "./target.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

interface Unchanged {
  readonly kind: "unchanged";
  readonly reason: "same_text" | "already_applied";
}

type EditResult =
  | { readonly kind: "edited"; readonly text: string; readonly replacements: number }
  | Unchanged
  | { readonly kind: "problem"; readonly problem: EditProblem };

export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  const wrong = findBadInput(edits);
  if (wrong) return { kind: "problem", problem: wrong };
  const blind = createEndingBlindText(text);
  const wanted = edits.flatMap((edit, index) =>
    flatten(edit.oldText) === flatten(edit.newText) ? [] : locate(blind.flat, edit, index),
  );
  if (wanted.length === 0) return { kind: "unchanged", reason: "same_text" };
  if (areMadeBefore(blind.flat, wanted)) return { kind: "unchanged", reason: "already_applied" };
  for (const place of wanted) {
    const problem = judge(text, blind, place, edits.length);
    if (problem) return { kind: "problem", problem };
  }
  const sought = wanted.map(({ index: by, edit, flatOld: oldText }) => {
    return { by, oldText, newText: edit.newText, isEverywhere: edit.replaceAll === true };
  });
  const overlap = sought.length > 1 ? findOverlap(foundPlaces(blind.flat, sought)) : undefined;
  if (overlap) {
    const [first, second] = namesOf(overlap);
    const message = `edits[${first}] and edits[${second}] replace the same text`;
    const hint = "All edits are placed on the original text: merge these two into one.";
    const lines = linesOf(text, blind, [overlap[0].start, overlap[1].start]);
    return { kind: "problem", problem: { code: "overlap", edit: second, message, hint, lines } };
  }
  const edited = replaceIn(text, inOriginal(text, blind, foundPlaces(blind.flat, sought)));
  if (edited.text === text) return { kind: "unchanged", reason: "same_text" };
  return { kind: "edited", text: edited.text, replacements: edited.count };
}

interface Place {
  readonly index: number;
  readonly edit: TextEdit;
  readonly flatOld: string;
  /** Where the old text starts in the flat text: the first of many. */
  readonly starts: readonly number[];
}

const MAX_LINES_NAMED = 20;
/** More places than this are not counted one by one; nobody reads further. */
const MAX_PLACES_COUNTED = 1000;

function findBadInput(edits: readonly TextEdit[]): EditProblem | undefined {
  for (const [edit, { oldText, newText }] of edits.entries()) {
    if (oldText === "") {
      const message = `${nameOf("old text", edit, edits.length)} is empty`;
      const hint = "Give the text to replace. To add text, repeat a neighbouring line in both texts.";
      return { code: "empty_old_text", edit, message, hint };
    }
    const marker = findPlaceholder(newText, oldText);
    if (marker) {
      const where = `line ${marker.line} of ${nameOf("new text", edit, edits.length)}`;
      const message = `${where} is a placeholder (${JSON.stringify(marker.text)}), and would delete what it stands for`;
      const hint = "Write out the lines that it stands for, or make smaller edits around them.";
      return { code: "placeholder", edit, message, hint, details: { newTextLine: marker.line } };
    }
  }
  return undefined;
}

function locate(flat: string, edit: TextEdit, index: number): Place {
  const flatOld = flatten(edit.oldText);
  const isAll = edit.replaceAll === true;
  const starts = findOccurrences(flat, flatOld, isAll ? 1 : MAX_PLACES_COUNTED, !isAll);
  return { index, edit, flatOld, starts };
}

/** Old text that is only miscopied is not gone; and new text that is to stand in many places may stand in one by chance. */
function areMadeBefore(flat: string, wanted: readonly Place[]): boolean {
  const results: { oldText: string; newText: string; start: number }[] = [];
  for (const { edit, flatOld: oldText, starts } of wanted) {
    if (starts.length > 0 || edit.replaceAll === true || diagnoseMismatch(flat, oldText)) return false;
    const newText = flatten(edit.newText);
    const start = findResult(flat, { oldText, newText });
    if (start === undefined) return false;
    results.push({ oldText, newText, start });
  }
  return areGone(flat, results);
}

function judge(text: string, blind: EndingBlindText, place: Place, edits: number): EditProblem | undefined {
  const { index: edit, starts } = place;
  if (starts.length === 0) {
    const problem = explainNoMatch(text, blind, place.flatOld, { edit, edits });
    return { ...problem, hint: problem.hint + tellOfNewText(text, blind, place) };
  }
  if (starts.length === 1 || place.edit.replaceAll === true) return undefined;
  const times = starts.length < MAX_PLACES_COUNTED ? `${starts.length}` : `at least ${MAX_PLACES_COUNTED}`;
  const message = `${nameOf("old text", edit, edits)} occurs ${times} times, and must occur once`;
  const lines = linesOf(text, blind, starts);
  const named = [...new Set(lines)].join(", ") + (starts.length > lines.length ? ", ..." : "");
  const hint = `It stands at lines ${named}. Add neighbouring lines until it is unique, or ask to replace all.`;
  return { code: "ambiguous", edit, message, hint, lines };
}

function tellOfNewText(text: string, blind: EndingBlindText, { edit, flatOld: oldText }: Place): string {
  const newText = flatten(edit.newText);
  const start = tellsOfChange({ oldText, newText }) ? blind.flat.indexOf(newText) : -1;
  const [line] = start === -1 ? [] : linesOf(text, blind, [start]);
  return line === undefined ? "" : tellOfResult("edit", line);
}

function linesOf(text: string, blind: EndingBlindText, starts: readonly number[]): number[] {
  return blind.toOriginal(starts.slice(0, MAX_LINES_NAMED)).map(createLineIndex(text));
}

type Overlap = readonly [Replacement, Replacement];

/** The numbers of the two that overlap, the lower one first. */
function namesOf([before, next]: Overlap): [number, number] {
  return before.by < next.by ? [before.by, next.by] : [next.by, before.by];
}

export type HunksResult =
  | {
      readonly kind: "applied";
      readonly text: string;
      readonly tolerances: readonly string[];
      readonly placements: readonly HunkPlacement[];
      /** Some of the hunks were there before, and are told in `tolerances`. */
      readonly isPartly?: true;
    }
  | Unchanged
  /** At most 50; a patch with more is wrong as a whole. */
  | { readonly kind: "failed"; readonly hunks: readonly HunkProblem[] };

/** `hunk` is its 0-based index, `startLine` 1-based in the original, `lines` how many of its lines the hunk covers. */
interface HunkPlacement {
  readonly hunk: number;
  readonly startLine: number;
  readonly lines: number;
}

const MARK = "\ufeff";

function hasMarkInOld({ lines }: Hunk): boolean {
  return lines.some(({ kind, text }) => kind !== "insert" && text.startsWith(MARK));
}

export function applyHunks(original: string, hunks: readonly Hunk[]): HunksResult {
  // A mark in the old lines of a hunk is a character of theirs, as in the diffs of git.
  const mark = original.startsWith(MARK) && !hunks.some(hasMarkInOld) ? MARK : "";
  const text = original.slice(mark.length);
  const file = splitFile(text, hunks);
  const finder = createLineFinder(file.texts);
  const target = { text, blind: createEndingBlindText(text), lines: file, texts: file.texts, finder };
  const { placed, already, problems } = placeHunks(target, hunks);
  if (problems.length > 0) return { kind: "failed", hunks: problems };
  if (placed.length === 0) return { kind: "unchanged", reason: already.length > 0 ? "already_applied" : "same_text" };
  const changes = findChanges(target, placed);
  const overlap = findOverlap(changes);
  if (overlap) return { kind: "failed", hunks: [overlapProblem(target, hunks, overlap)] };
  const taken = already.filter((one) => isTouched(target, one, changes));
  if (taken.length > 0) return { kind: "failed", hunks: taken.slice(0, MAX_PROBLEMS).map(halfDoneProblem) };
  const spliced = spliceChanges(target, placed, changes);
  const patched = spliced.startsWith(MARK) ? spliced : mark + spliced;
  if (patched === original) return { kind: "unchanged", reason: "same_text" };
  const notes = already.map(
    (one) => `What ${nameOfHunk(one)} would make stands at line ${one.start + 1} already; it was left out.`,
  );
  return {
    kind: "applied",
    text: patched,
    tolerances: [...placed.flatMap(({ tolerance }) => tolerance ?? []), ...notes],
    placements: placed.map((one) => placementOf(target, one)),
    ...(already.length > 0 ? { isPartly: true as const } : {}),
  };
}

/**
 * Whether another hunk changes what this one is said to have made. Then it stood there for another reason, and nobody
 * knows which of the two the patch means.
 */
function isTouched(target: PlacingTarget, { start, length }: FoundThere, changes: readonly SpliceChange[]): boolean {
  const from = target.lines.starts[start] ?? 0;
  const to = target.lines.starts[start + Math.max(1, length)] ?? target.text.length;
  // The changes are ascending and apart, so their ends ascend too.
  const next = changes[countUpTo(changes, from, ({ end }) => end)];
  return next !== undefined && next.start < to;
}

function halfDoneProblem(one: FoundThere): HunkProblem {
  const line = one.start + 1;
  const message = `${nameOfHunk(one)} seems to be applied already, and another one changes the same lines`;
  const hint = `Its new lines stand at line ${line}. Read the file again and send what is left to do.`;
  return problemOf(one, { code: "no_match", lines: [line], message, hint });
}

function overlapProblem({ lines }: PlacingTarget, hunks: readonly Hunk[], overlap: Overlap): HunkProblem {
  const [first, second] = namesOf(overlap);
  return {
    hunk: second,
    at: hunks[second]?.at ?? 1,
    code: "overlap",
    message: `hunk ${first + 1} and hunk ${second + 1} change the same lines`,
    hint: "All hunks are placed on the original file: merge these two into one.",
    lines: namedLines(overlap.map(({ start }) => lineAt(lines, start))),
  };
}

function placementOf({ lines }: PlacingTarget, { index: hunk, unit, start, length }: PlacedHunk): HunkPlacement {
  if (unit === "lines") return { hunk, startLine: start + 1, lines: length };
  const first = lineAt(lines, start);
  return { hunk, startLine: first + 1, lines: lineAt(lines, start + length - 1) - first + 1 };
}
