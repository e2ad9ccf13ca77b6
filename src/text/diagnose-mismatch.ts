/**
 * The one thing that keeps an old text from matching: a pasted line-number gutter, escapes, tabs against blanks, blanks
 * at line ends, typographic quotes, case. Each is reported only if it alone gives exactly one place. It is advice: the
 * text is never applied that way, because silent tolerance was measured to lower results.
 *
 * Works on text with LF only. Usual mistake: collapsing blanks over the whole of a 10 MB file to find out.
 */
import { findAnchors } from "./find-anchors.ts";
import { flattenTypography, foldTrailing, type Fold } from "./fold-line.ts";
import { findOccurrences } from "./locate-text.ts";
import { GUTTERS, unescapeOnce } from "./pasted-text.ts";

export interface Mismatch {
  readonly cause: "line_numbers" | "escapes" | "trailing_blanks" | "tabs_or_blanks" | "typography" | "case";
  /** Of the place that would match, in the text that was searched. */
  readonly start: number;
  /** What to do, to be followed by the place. */
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
    if (start === undefined) continue;
    return { cause: "line_numbers", start, advice: "Leave out the line numbers: without them it matches" };
  }
  return undefined;
}

function diagnoseEscapes(text: string, oldText: string): Mismatch | undefined {
  if (!oldText.includes("\\")) return undefined;
  const start = onlyPlace(text, unescapeOnce(oldText));
  if (start === undefined) return undefined;
  return {
    cause: "escapes",
    start,
    advice: String.raw`Send \n, \t, \" and \\ as the characters they stand for: then it matches`,
  };
}

function onlyPlace(text: string, wanted: string): number | undefined {
  if (wanted.trim() === "") return undefined;
  const found = findOccurrences(text, wanted, 2, true);
  return found.length === 1 ? found[0] : undefined;
}

const FOLDS: readonly { cause: Mismatch["cause"]; fold: Fold; advice: string }[] = [
  {
    cause: "trailing_blanks",
    fold: foldTrailing,
    advice: "Only blanks at the ends of lines differ",
  },
  {
    cause: "tabs_or_blanks",
    fold: (line) => foldTrailing(line.replace(/[ \t]+/g, () => " ")),
    advice: "Only tabs and blanks differ",
  },
  { cause: "typography", fold: flattenTypography, advice: "Only quotes, dashes or no-break spaces differ" },
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
  return start === undefined
    ? undefined
    : { cause: "case", start, advice: "Only upper and lower case differ" };
}

/** The one candidate whose lines equal those of the old text once both are folded. */
function onlyFolded(
  text: string,
  oldText: string,
  candidates: readonly number[],
  fold: Fold,
): number | undefined {
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
    if (index === 0 ? !line.endsWith(want) : index === last ? !line.startsWith(want) : line !== want)
      return 0;
    at = end === -1 ? text.length + 1 : end + 1;
  }
  return 1;
}
