/**
 * Exact find and replace, several at once. Every edit is placed on the original text, must not overlap another, and
 * must match exactly once (or ask for all); only the kind of line end is ignored. Everything outside the replaced
 * regions is carried over as it is, and a tolerance that would help is told, never taken.
 *
 * Line endings cannot be changed by an edit: new text takes those of its place. Rewriting the file can.
 *
 * Usual mistake: `String.replace` with a string, where `$&` in the new text means the match.
 */
import { createEndingFitter } from "./ending-fitter.ts";
import { diagnoseMismatch } from "./diagnose-mismatch.ts";
import { nameOf, type EditProblem } from "./edit-problem.ts";
import { explainNoMatch } from "./explain-no-match.ts";
import { createLineIndex } from "./line-endings.ts";
import { createEndingBlindText, findOccurrences, flatten, type EndingBlindText } from "./locate-text.ts";
import { findPlaceholder } from "./placeholder.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export type EditResult =
  | { readonly kind: "edited"; readonly text: string; readonly replacements: number }
  | { readonly kind: "unchanged"; readonly reason: "same_text" | "already_applied" }
  | { readonly kind: "problem"; readonly problem: EditProblem };

export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  const wrong = findBadInput(edits);
  if (wrong) return { kind: "problem", problem: wrong };
  const blind = createEndingBlindText(text);
  const wanted = edits.flatMap((edit, index) => (isNoOp(edit) ? [] : [locate(blind.flat, edit, index)]));
  if (wanted.length === 0) return { kind: "unchanged", reason: "same_text" };
  if (wanted.every((place) => isAlreadyApplied(blind.flat, place))) {
    return { kind: "unchanged", reason: "already_applied" };
  }
  for (const place of wanted) {
    const problem = judge(text, blind, place, edits.length);
    if (problem) return { kind: "problem", problem };
  }
  const regions = wanted.flatMap(regionsOf).sort((a, b) => a.start - b.start || a.end - b.end);
  const overlap = findOverlap(text, blind, regions);
  if (overlap) return { kind: "problem", problem: overlap };
  const edited = splice(text, blind, regions);
  if (edited === text) return { kind: "unchanged", reason: "same_text" };
  return { kind: "edited", text: edited, replacements: regions.length };
}

/** One edit and where its old text starts in the flat text. */
interface Place {
  readonly index: number;
  readonly edit: TextEdit;
  readonly flatOld: string;
  readonly starts: readonly number[];
}

interface Region {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
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

function isNoOp(edit: TextEdit): boolean {
  return flatten(edit.oldText) === flatten(edit.newText);
}

function locate(flat: string, edit: TextEdit, index: number): Place {
  const flatOld = flatten(edit.oldText);
  const isAll = edit.replaceAll === true;
  const starts = findOccurrences(flat, flatOld, isAll ? Infinity : MAX_PLACES_COUNTED, !isAll);
  return { index, edit, flatOld, starts };
}

/** The reply to an earlier call may have been lost: its result stands there, and what it replaced is gone. */
/** New text shorter than this stands in a file by chance. */
const MIN_TELLING_CHARS = 4;

/** Old text that is only miscopied is not gone: then its new text stands there for another reason. */
function isAlreadyApplied(flat: string, place: Place): boolean {
  if (place.starts.length > 0) return false;
  if (place.edit.newText.replaceAll(/\s/g, "").length < MIN_TELLING_CHARS) return false;
  if (diagnoseMismatch(flat, place.flatOld)) return false;
  const found = findOccurrences(flat, flatten(place.edit.newText), 2, true).length;
  return place.edit.replaceAll === true ? found > 0 : found === 1;
}

function judge(text: string, blind: EndingBlindText, place: Place, edits: number): EditProblem | undefined {
  const { index: edit, starts } = place;
  if (starts.length === 0) return explainNoMatch(text, blind, place.flatOld, { edit, edits });
  if (starts.length === 1 || place.edit.replaceAll === true) return undefined;
  const times = starts.length < MAX_PLACES_COUNTED ? `${starts.length}` : `at least ${MAX_PLACES_COUNTED}`;
  const lines = linesOf(text, blind, starts);
  const more = starts.length > lines.length ? ", ..." : "";
  return {
    code: "ambiguous",
    edit,
    message: `${nameOf("old text", edit, edits)} occurs ${times} times, and must occur once`,
    hint: `It stands at lines ${[...new Set(lines)].join(", ")}${more}. Add neighbouring lines until it is unique, or ask to replace all.`,
    lines,
  };
}

function regionsOf(place: Place): Region[] {
  const { newText } = place.edit;
  return place.starts.map((start) => ({
    index: place.index,
    start,
    end: start + place.flatOld.length,
    newText,
  }));
}

function findOverlap(
  text: string,
  blind: EndingBlindText,
  regions: readonly Region[],
): EditProblem | undefined {
  for (const [position, region] of regions.entries()) {
    const before = regions[position - 1];
    if (!before || region.start >= before.end) continue;
    const [first, second] = [before.index, region.index].sort((a, b) => a - b);
    return {
      code: "overlap",
      edit: second ?? region.index,
      message: `edits[${first}] and edits[${second}] replace the same text`,
      hint: "All edits are placed on the original text: merge these two into one.",
      lines: linesOf(text, blind, [before.start, region.start]),
    };
  }
  return undefined;
}

function linesOf(text: string, blind: EndingBlindText, starts: readonly number[]): number[] {
  const index = createLineIndex(text);
  return blind.toOriginal(starts.slice(0, MAX_LINES_NAMED)).map((start) => index.lineOf(start));
}

/** Regions ascending and apart, so their borders ascend too. */
function splice(text: string, blind: EndingBlindText, regions: readonly Region[]): string {
  const borders = blind.toOriginal(regions.flatMap((region) => [region.start, region.end]));
  const fitEndings = createEndingFitter(text);
  const parts: string[] = [];
  let kept = 0;
  for (const [position, region] of regions.entries()) {
    const start = borders[position * 2] ?? text.length;
    const end = borders[position * 2 + 1] ?? text.length;
    parts.push(text.slice(kept, start), fitEndings(start, end, region.newText));
    kept = end;
  }
  parts.push(text.slice(kept));
  return parts.join("");
}
