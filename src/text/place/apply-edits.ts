/**
 * Exact find and replace, several at once. Every edit is placed on the original text, must not overlap another, and
 * must match exactly once (or ask for all); only the kind of line end is ignored. Everything outside the replaced
 * regions is carried over as it is, and a tolerance that would help is told, never taken.
 *
 * Line endings cannot be changed by an edit: new text takes those of its place. Rewriting the file can.
 *
 * Usual mistake: `String.replace` with a string, where `$&` in the new text means the match.
 */
import {
  createEndingBlindText,
  createEndingFitter,
  createLineIndex,
  findOccurrences,
  flatten,
  type EndingBlindText,
} from "../lines/lines.ts";
import { findOverlap, inOrder, replaceIn, type Replacement } from "./splice.ts";
import { diagnoseMismatch, explainNoMatch, nameOf, type EditProblem } from "./explain.ts";
import { isTellingText } from "./choose-place.ts";
import { findPlaceholder } from "../lines/sent-lines.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

type EditResult =
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
  const inFlat = inOrder(wanted.flatMap(replacementsOf));
  const overlap = findOverlap(inFlat);
  if (overlap) return { kind: "problem", problem: overlapProblem(text, blind, overlap) };
  const edited = replaceIn(text, toOriginal(text, blind, inFlat));
  if (edited === text) return { kind: "unchanged", reason: "same_text" };
  return { kind: "edited", text: edited, replacements: inFlat.length };
}

/** One edit and where its old text starts in the flat text. */
interface Place {
  readonly index: number;
  readonly edit: TextEdit;
  readonly flatOld: string;
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

function isNoOp(edit: TextEdit): boolean {
  return flatten(edit.oldText) === flatten(edit.newText);
}

function locate(flat: string, edit: TextEdit, index: number): Place {
  const flatOld = flatten(edit.oldText);
  const isAll = edit.replaceAll === true;
  const starts = findOccurrences(flat, flatOld, isAll ? Infinity : MAX_PLACES_COUNTED, !isAll);
  return { index, edit, flatOld, starts };
}

/**
 * The reply to an earlier call may have been lost: its result stands there, and what it replaced is gone. Old text that is
 * only miscopied is not gone: then its new text stands there for another reason.
 */
function isAlreadyApplied(flat: string, place: Place): boolean {
  if (place.starts.length > 0) return false;
  if (!isTellingText([place.edit.newText])) return false;
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

/** What an edit replaces in the flat text. */
function replacementsOf({ index, edit, flatOld, starts }: Place): Replacement[] {
  return starts.map((start) => ({ by: index, start, end: start + flatOld.length, text: edit.newText }));
}

function overlapProblem(
  text: string,
  blind: EndingBlindText,
  [before, next]: readonly [Replacement, Replacement],
): EditProblem {
  const [first, second] = [before.by, next.by].sort((a, b) => a - b) as [number, number];
  return {
    code: "overlap",
    edit: second,
    message: `edits[${first}] and edits[${second}] replace the same text`,
    hint: "All edits are placed on the original text: merge these two into one.",
    lines: linesOf(text, blind, [before.start, next.start]),
  };
}

function linesOf(text: string, blind: EndingBlindText, starts: readonly number[]): number[] {
  const lineOf = createLineIndex(text);
  return blind.toOriginal(starts.slice(0, MAX_LINES_NAMED)).map(lineOf);
}

/** Carries replacements to the original text, where new text takes the line ends of its place. */
function toOriginal(text: string, blind: EndingBlindText, ascending: readonly Replacement[]): Replacement[] {
  const borders = blind.toOriginal(ascending.flatMap(({ start, end }) => [start, end]));
  const fitEndings = createEndingFitter(text);
  return ascending.map(({ by, text: newText }, position) => {
    const start = borders[position * 2] ?? text.length;
    const end = borders[position * 2 + 1] ?? text.length;
    return { by, start, end, text: fitEndings(start, end, newText) };
  });
}
