/**
 * Why a hunk was not placed, as data that lets the caller repair it in one step. Messages are the last part of
 * `Cannot patch "a.ts": ...`; the tool puts the first part before them, because only it knows the path.
 */
import type { NearestText } from "../edit-problem.ts";
import { explainNoMatch } from "../explain-no-match.ts";
import { lineOfIndex } from "../line-endings.ts";
import { createEndingBlindText, findOccurrences } from "../locate-text.ts";
import { findPlaceholder } from "../placeholder.ts";
import { makeVisible } from "../show-text.ts";
import { truncateUtf8 } from "../truncate-text.ts";
import type { Hunk } from "./patch-model.ts";

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
  /** Its text has tabs, CR, no-break spaces and blanks at line ends as signs: to be looked at, not copied. */
  readonly nearest?: NearestText;
}

export function nameOfHunk(hunk: Hunk, index: number): string {
  return `hunk ${index + 1} (line ${hunk.at} of the patch)`;
}

const MAX_LINES_NAMED = 20;

export function namedLines(starts: readonly number[]): number[] {
  return [...new Set(starts)].slice(0, MAX_LINES_NAMED).map((start) => start + 1);
}

export function ambiguousProblem(hunk: Hunk, index: number, starts: readonly number[]): HunkProblem {
  const lines = namedLines(starts);
  const more = starts.length > lines.length ? ", ..." : "";
  const times = starts.length >= MAX_TIMES ? `at least ${MAX_TIMES}` : `${starts.length}`;
  return {
    hunk: index,
    at: hunk.at,
    code: "ambiguous",
    message: `the old lines of ${nameOfHunk(hunk, index)} stand at ${times} places, and must stand at one`,
    hint: `They stand at lines ${lines.join(", ")}${more}. Add neighbouring lines, or "@@" with the function or class above them.`,
    lines,
  };
}

/** The search stops here. */
const MAX_TIMES = 1000;

export function noMatchProblem(
  text: string,
  hunk: Hunk,
  index: number,
  old: readonly string[],
  isExplained: boolean,
): HunkProblem {
  const problem = {
    hunk: index,
    at: hunk.at,
    code: "no_match",
    message: `the old lines of ${nameOfHunk(hunk, index)} do not stand in the file`,
  } as const;
  if (!isExplained) return { ...problem, hint: "Repair the hunks above first, and read the file again." };
  const blind = createEndingBlindText(text);
  const wanted = old.join("\n");
  const [inside] = wanted.trim() === "" ? [] : findOccurrences(blind.flat, wanted, 1, true);
  if (inside !== undefined) {
    const line = lineOfIndex(blind.flat, inside);
    const hint = `They stand inside line ${line}, and a hunk needs whole lines. Is every line signed with " ", "-" or "+"?`;
    return { ...problem, hint, lines: [line] };
  }
  const dots = old.find((line) => /^(?:\.{3}|…)$/.test(line.trim()))?.trim();
  const marker = dots ?? findPlaceholder(wanted, "")?.text;
  if (marker !== undefined) {
    const hint = `"${marker}" stands for lines that are not sent: make two hunks, one above and one below it.`;
    return { ...problem, hint };
  }
  const explained = explainNoMatch(text, blind, wanted, { edit: 0, edits: 1 });
  const { nearest } = explained;
  return {
    ...problem,
    hint: explained.hint,
    ...(nearest ? { lines: [nearest.line], nearest: { ...nearest, text: makeVisible(nearest.text) } } : {}),
  };
}

const MAX_SHOWN_BYTES = 160;

/** A line between quotes, with signs for what cannot be seen. */
export function showLine(line: string): string {
  const cut = truncateUtf8(line, MAX_SHOWN_BYTES);
  return `«${makeVisible(cut.text)}${cut.truncated ? " …" : ""}»`;
}
