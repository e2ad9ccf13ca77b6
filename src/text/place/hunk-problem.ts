/**
 * Why a hunk was not placed, as data that lets the caller repair it in one step. Messages are the last part of
 * `Cannot patch "a.ts": ...`, because only the caller knows the path.
 */
import { explainNoMatch, quoteLine, type NearestText } from "./explain.ts";
import { createEndingBlindText, findOccurrences, lineOfIndex } from "../lines/line-endings.ts";
import { findPlaceholder } from "../lines/sent-lines.ts";
import { makeVisible } from "../show-text.ts";
import type { Hunk } from "../patch/model.ts";

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

type Told = Omit<HunkProblem, "hunk" | "at">;

export function problemOf({ hunk, index }: NumberedHunk, told: Told): HunkProblem {
  return { hunk: index, at: hunk.at, ...told };
}

export function nameOfHunk({ hunk, index }: NumberedHunk): string {
  return `hunk ${index + 1} (line ${hunk.at} of the patch)`;
}

const MAX_LINES_NAMED = 20;

/** Numbers lines from 1, each once. */
export function namedLines(starts: readonly number[]): number[] {
  return [...new Set(starts)].slice(0, MAX_LINES_NAMED).map((start) => start + 1);
}

export function ambiguousProblem(one: NumberedHunk, starts: readonly number[]): HunkProblem {
  const lines = namedLines(starts);
  const more = starts.length > lines.length ? ", ..." : "";
  const times = starts.length >= MAX_TIMES ? `at least ${MAX_TIMES}` : `${starts.length}`;
  return problemOf(one, {
    code: "ambiguous",
    message: `the old lines of ${nameOfHunk(one)} stand at ${times} places, and must stand at one`,
    hint: `They stand at lines ${lines.join(", ")}${more}. Add neighbouring lines, or "@@" with the function or class above them.`,
    lines,
  });
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
  const problem = (hint: string, more: Partial<Told> = {}): HunkProblem =>
    problemOf(one, { code: "no_match", message, hint, ...more });
  if (!isExplained) return problem("Repair the hunks above first, and read the file again.");
  const blind = createEndingBlindText(text);
  const wanted = old.join("\n");
  const [inside] = wanted.trim() === "" ? [] : findOccurrences(blind.flat, wanted, 1, true);
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

const MAX_SHOWN_BYTES = 160;

export function showLine(line: string): string {
  return quoteLine(line, MAX_SHOWN_BYTES);
}
