/**
 * Says why an old text was not found or a hunk not placed, as data that lets the caller repair it in one step: the one
 * cause that would explain it, or the nearest place with the difference made visible. Both name a line. Messages are
 * the last part of `Cannot edit "a.ts": ...`, because only the caller knows the path.
 *
 * A cause (a pasted line-number gutter, escapes, tabs against blanks, blanks at line ends, typographic quotes, case) is
 * reported only if it alone gives exactly one place. It is advice: the text is never applied that way.
 *
 * Usual mistakes: "text not found", which makes the model send the same text again; collapsing blanks over all of a 10 MB file.
 */
import { findOccurrences, lineOfIndex, type EndingBlindText, createEndingBlindText } from "../lines/lines.ts";
import { findAnchors, findNearestText } from "./nearest-text.ts";
import { makeVisible } from "../show-text.ts";
import { showDifference } from "./show-difference.ts";
import {
  GUTTERS,
  flattenTypography,
  foldTrailing,
  unescapeOnce,
  type Fold,
  findPlaceholder,
} from "../lines/sent-lines.ts";
import type { Hunk } from "../patch/model.ts";

export interface EditProblem {
  readonly code: "no_match" | "ambiguous" | "overlap" | "placeholder" | "empty_old_text";
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  /** 1-based, ascending: where the old text stands (ambiguous, overlap), at most 20. */
  readonly lines?: number[];
  readonly nearest?: NearestText;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The place most like the old text: its first line (1-based), its own text, and how alike it is, 0 to 1. */
interface NearestText {
  readonly line: number;
  readonly text: string;
  readonly similarity: number;
}

/** Names an edit in a message, by its number only when there are several. */
export function nameOf(what: "old text" | "new text", edit: number, edits: number): string {
  return edits > 1 ? `the ${what} of edits[${edit}]` : `the ${what}`;
}

/** `flatOld` is the old text with LF only. */
export function explainNoMatch(
  text: string,
  blind: EndingBlindText,
  flatOld: string,
  which: { readonly edit: number; readonly edits: number },
): EditProblem {
  const lineAt = (flatIndex: number): number => lineOfIndex(text, blind.toOriginal([flatIndex])[0] ?? 0);
  const message = `${nameOf("old text", which.edit, which.edits)} does not occur in the file`;
  const problem = { code: "no_match", edit: which.edit, message } as const;
  const found = findNearestText(blind.flat, flatOld);
  const nearest = found && { line: lineAt(found.start), text: found.text, similarity: found.similarity };
  const difference =
    found && nearest ? ` ${showDifference(blind.flat, { start: found.start, line: nearest.line }, flatOld)}` : "";
  const mismatch = diagnoseMismatch(blind.flat, flatOld);
  if (mismatch) {
    const line = lineAt(mismatch.start);
    const place = mismatch.cause === "line_numbers" || mismatch.cause === "escapes" ? ` line ${line}.` : "";
    const shown = place === "" && nearest?.line === line ? difference : "";
    const hint = `${mismatch.advice}${place || ` from line ${line}.`}${shown}`;
    return { ...problem, hint, ...(nearest ? { nearest } : {}), details: { cause: mismatch.cause, line } };
  }
  if (!nearest) return { ...problem, hint: "Nothing like it is there: read the file again and copy the text." };
  const hint = `The nearest text is at line ${nearest.line}.${difference}`;
  return { ...problem, hint, nearest };
}

interface Mismatch {
  readonly cause: "line_numbers" | "escapes" | "trailing_blanks" | "tabs_or_blanks" | "typography" | "case";
  readonly start: number;
  readonly advice: string;
}

export function diagnoseMismatch(text: string, oldText: string): Mismatch | undefined {
  return diagnoseGutter(text, oldText) ?? diagnoseEscapes(text, oldText) ?? diagnoseFolded(text, oldText);
}

function diagnoseGutter(text: string, oldText: string): Mismatch | undefined {
  const lines = oldText.split("\n");
  for (const gutter of GUTTERS) {
    if (!lines.every((line, index) => gutter.test(line) || (line === "" && index > 0))) continue;
    const start = onlyPlace(text, lines.map((line) => line.replace(gutter, () => "")).join("\n"));
    const advice = "Leave out the line numbers: without them it matches";
    if (start !== undefined) return { cause: "line_numbers", start, advice };
  }
  return undefined;
}

function diagnoseEscapes(text: string, oldText: string): Mismatch | undefined {
  if (!oldText.includes("\\")) return undefined;
  const start = onlyPlace(text, unescapeOnce(oldText));
  const advice = String.raw`Send \n, \t, \" and \\ as the characters they stand for: then it matches`;
  return start === undefined ? undefined : { cause: "escapes", start, advice };
}

function onlyPlace(text: string, wanted: string): number | undefined {
  if (wanted.trim() === "") return undefined;
  const found = findOccurrences(text, wanted, 2, true);
  return found.length === 1 ? found[0] : undefined;
}

const FOLDS: readonly { cause: Mismatch["cause"]; fold: Fold; advice: string }[] = [
  { cause: "trailing_blanks", fold: foldTrailing, advice: "Only blanks at the ends of lines differ" },
  {
    cause: "tabs_or_blanks",
    fold: (line) => foldTrailing(line.replace(/[ \t]+/g, () => " ")),
    advice: "Only tabs and blanks differ",
  },
  {
    cause: "typography",
    fold: flattenTypography,
    advice: "Only quotes, dashes, special spaces or unseen characters differ",
  },
];

/** Longer lines are not folded: a minified file is one line, and every candidate would fold it again. */
const MAX_LINE_UNITS = 20_000;

function diagnoseFolded(text: string, oldText: string): Mismatch | undefined {
  const { complete } = findAnchors(text, oldText);
  if (complete) {
    for (const { cause, fold, advice } of FOLDS) {
      const start = onlyFolded(text, oldText, complete, fold);
      if (start !== undefined) return { cause, start, advice };
    }
  }
  const lower = text.toLowerCase();
  // Some letters change length in lower case (U+0130), and then places in it mean nothing in the text.
  if (lower.length !== text.length) return undefined;
  const start = onlyPlace(lower, oldText.toLowerCase());
  return start === undefined ? undefined : { cause: "case", start, advice: "Only upper and lower case differ" };
}

/** The one candidate whose lines equal those of the old text once both are folded. */
function onlyFolded(text: string, oldText: string, candidates: readonly number[], fold: Fold): number | undefined {
  const wanted = oldText.split("\n").map(fold);
  let found: number | undefined;
  for (const start of candidates) {
    const count = countFolded(text, start, wanted, fold);
    if (count > 1 || (count === 1 && found !== undefined)) return undefined;
    if (count === 1) found = start;
  }
  return found;
}

/** How often the wanted lines stand at this line: the first may begin inside it, the last may end inside its own. */
function countFolded(text: string, start: number, wanted: readonly string[], fold: Fold): number {
  const last = wanted.length - 1;
  let at = start;
  for (const [index, want] of wanted.entries()) {
    if (at > text.length) return 0;
    const end = text.indexOf("\n", at);
    const stop = end === -1 ? text.length : end;
    if (stop - at > MAX_LINE_UNITS) return 0;
    const line = fold(text.slice(at, stop));
    if (last === 0) return want === "" ? 0 : findOccurrences(line, want, 2, true).length;
    if (index === 0 ? !line.endsWith(want) : index === last ? !line.startsWith(want) : line !== want) return 0;
    at = end === -1 ? text.length + 1 : end + 1;
  }
  return 1;
}

export interface HunkProblem {
  /** 0-based, in the order of the patch. */
  readonly hunk: number;
  /** 1-based line of the patch. */
  readonly at: number;
  /** `invalid`: the hunk says nothing, or asks for too much work. */
  readonly code: "no_match" | "ambiguous" | "overlap" | "invalid";
  readonly message: string;
  readonly hint: string;
  /** 1-based lines of the file, ascending, at most 20: where the hunk could stand, or with what it collides. */
  readonly lines?: readonly number[];
  /** The text shows tabs, CR, no-break spaces and blanks at line ends as signs: to be looked at, not copied. */
  readonly nearest?: NearestText;
}

export interface NumberedHunk {
  readonly hunk: Hunk;
  /** 0-based, in the order of the patch. */
  readonly index: number;
}

export function problemOf({ hunk, index }: NumberedHunk, told: Omit<HunkProblem, "hunk" | "at">): HunkProblem {
  return { hunk: index, at: hunk.at, ...told };
}

export function nameOfHunk({ hunk, index }: NumberedHunk): string {
  return `hunk ${index + 1} (line ${hunk.at} of the patch)`;
}

export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MAX_LINES_NAMED = 20;

export function namedLines(starts: readonly number[]): number[] {
  return [...new Set(starts)].slice(0, MAX_LINES_NAMED).map((start) => start + 1);
}

export function ambiguousProblem(one: NumberedHunk, starts: readonly number[]): HunkProblem {
  const lines = namedLines(starts);
  const named = lines.join(", ") + (starts.length > lines.length ? ", ..." : "");
  const times = starts.length >= MAX_TIMES ? `at least ${MAX_TIMES}` : `${starts.length}`;
  const message = `the old lines of ${nameOfHunk(one)} stand at ${times} places, and must stand at one`;
  const hint = `They stand at lines ${named}. Add neighbouring lines, or "@@" with the function or class above them.`;
  return problemOf(one, { code: "ambiguous", message, hint, lines });
}

/** The search for places stops at this many. */
const MAX_TIMES = 1000;

/** @param isExplained looking for the nearest text costs a pass over the file */
export function noMatchProblem(
  text: string,
  one: NumberedHunk,
  old: readonly string[],
  isExplained: boolean,
): HunkProblem {
  const message = `the old lines of ${nameOfHunk(one)} do not stand in the file`;
  const problem = (hint: string, more: Partial<HunkProblem> = {}): HunkProblem =>
    problemOf(one, { code: "no_match", message, hint, ...more });
  if (!isExplained) return problem("Repair the hunks above first, and read the file again.");
  const blind = createEndingBlindText(text);
  const wanted = old.join("\n");
  const [inside] = wanted.trim() === "" || old.length > 1 ? [] : findOccurrences(blind.flat, wanted, 1, true);
  if (inside !== undefined) {
    const line = lineOfIndex(blind.flat, inside);
    const hint = `They stand inside line ${line}, and a hunk needs whole lines. Is every line signed with " ", "-" or "+"?`;
    return problem(hint, { lines: [line] });
  }
  const dots = old.find((line) => /^(?:\.{3}|…)$/.test(line.trim()))?.trim();
  const marker = dots ?? findPlaceholder(wanted, "")?.text;
  if (marker !== undefined) {
    return problem(`"${marker}" stands for lines that are not sent: make two hunks, one above and one below it.`);
  }
  const { hint, nearest } = explainNoMatch(text, blind, wanted, { edit: 0, edits: 1 });
  if (!nearest) return problem(hint);
  return problem(hint, { lines: [nearest.line], nearest: { ...nearest, text: makeVisible(nearest.text) } });
}
