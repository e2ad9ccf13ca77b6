/**
 * Edits of one text in the way of agents that send them in order: each is placed on what the ones before it have made, and an
 * old text that stands nowhere exactly may stand in one place but for its blanks. The ways of comparing go from the strictest
 * to the loosest, and the first one that finds anything decides: one place is taken and told, several are ambiguous.
 *
 * Invariant: what was compared in another way than exactly is always in `tolerances`, so that a person looks at it.
 */
import { createEndingBlindText, findOccurrences, flatten } from "../lines/lines.ts";
import { indentOf, type Fold } from "../lines/sent-lines.ts";
import { applyEdits, type TextEdit } from "./apply.ts";
import { nameOf, type EditProblem } from "./explain.ts";
import { inOriginal } from "./found-places.ts";
import { replaceIn } from "./splice.ts";
import { createLineFinder } from "./target.ts";

type TurnsResult =
  | { readonly kind: "edited"; readonly text: string; readonly replacements: number; readonly tolerances: string[] }
  | { readonly kind: "unchanged"; readonly reason: "same_text" }
  | { readonly kind: "problem"; readonly problem: EditProblem };

export function applyInTurn(original: string, edits: readonly TextEdit[]): TurnsResult {
  const tolerances: string[] = [];
  let text = original;
  let replacements = 0;
  for (const [edit, one] of edits.entries()) {
    const result = applyEdits(text, [one]);
    if (result.kind === "edited") {
      text = result.text;
      replacements += result.replacements;
      continue;
    }
    if (result.kind === "unchanged" && result.reason === "same_text") continue;
    const name = nameOf("old text", edit, edits.length);
    const problem = result.kind === "problem" ? renumbered(result.problem, edit, edits.length) : isGone(edit, name);
    if (problem.code !== "no_match" || one.replaceAll === true) return { kind: "problem", problem };
    const places = findLoosely(text, one.oldText);
    const [place] = places;
    if (!place) return { kind: "problem", problem };
    if (places.length > 1) return { kind: "problem", problem: isManyLoosely(edit, name, places) };
    const blind = createEndingBlindText(text);
    ({ text } = replaceIn(text, inOriginal(text, blind, [{ by: 0, ...place, text: flatten(one.newText) }])));
    replacements++;
    tolerances.push(`${name} was found only without regard to its blanks, at line ${place.line}.`);
  }
  if (text === original) return { kind: "unchanged", reason: "same_text" };
  return { kind: "edited", text, replacements, tolerances };
}

function renumbered(problem: EditProblem, edit: number, edits: number): EditProblem {
  const message = edits === 1 ? problem.message : `edits[${edit}]: ${problem.message}`;
  return { ...problem, edit, message };
}

/** In order, an edit that seems to be made already is taken for none: what stands there may be another edit's. */
function isGone(edit: number, name: string): EditProblem {
  const hint = "Its new text stands there: leave the edit out if it was made before.";
  return { code: "no_match", edit, message: `${name} does not occur in the file`, hint };
}

function isManyLoosely(edit: number, name: string, places: readonly LoosePlace[]): EditProblem {
  const lines = places.slice(0, MAX_LINES_NAMED).map(({ line }) => line);
  const times = places.length > MAX_LINES_NAMED ? `more than ${MAX_LINES_NAMED}` : `${places.length}`;
  const message = `${name} does not occur exactly, and without regard to its blanks ${times} times`;
  const hint = `It stands at lines ${lines.join(", ")}. Add neighbouring lines, or copy its blanks exactly.`;
  return { code: "ambiguous", edit, message, hint, lines };
}

const MAX_LINES_NAMED = 20;

/** In the text with plain line ends. */
interface LoosePlace {
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
}

function findLoosely(text: string, oldText: string): LoosePlace[] {
  const { flat } = createEndingBlindText(text);
  const old = flatten(oldText);
  const wanted = withoutEmptyEnd(old.split("\n"));
  if (wanted.every((line) => line.trim() === "")) return [];
  const lines = flat.split("\n");
  const finder = createLineFinder(lines);
  const starts = startsOf(lines);
  const most = MAX_LINES_NAMED + 1;
  const placed = (found: readonly number[]): LoosePlace[] =>
    found.map((first) => {
      const last = first + wanted.length - 1;
      const end = (starts[last] ?? 0) + (lines[last] ?? "").length;
      const isEnded = old.endsWith("\n") && last + 1 < lines.length;
      return { start: starts[first] ?? 0, end: isEnded ? end + 1 : end, line: first + 1 };
    });
  const trimmed = finder.find(trim, wanted);
  const shifted = trimmed.filter((first) => isShifted(lines, wanted, first));
  if (shifted.length > 0) return placed(shifted.slice(0, most));
  if (trimmed.length > 0) return placed(trimmed.slice(0, most));
  const folded = finder.find(foldAllBlanks, wanted, most);
  if (folded.length > 0) return placed(folded);
  const inside = old.trim();
  if (inside === old) return [];
  return findOccurrences(flat, inside, most, true).map((start) => {
    const line = flat.slice(0, start).split("\n").length;
    return { start, end: start + inside.length, line };
  });
}

function trim(line: string): string {
  return line.trim();
}

const foldAllBlanks: Fold = (line) => line.replaceAll(/\s+/g, " ").trim();

/** Whether every line is indented by the same more or less than the one that it is compared with. */
function isShifted(lines: readonly string[], wanted: readonly string[], first: number): boolean {
  const there = dedented(lines.slice(first, first + wanted.length));
  return dedented(wanted).every((line, index) => line === there[index]);
}

function dedented(block: readonly string[]): string[] {
  const depths = block.filter((line) => line.trim() !== "").map((line) => indentOf(line).length);
  const least = Math.min(...depths);
  return block.map((line) => (line.trim() === "" ? "" : line.slice(least)));
}

function withoutEmptyEnd(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1);
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}
