/**
 * Says why an old text was not found: the one cause that would explain it, or the nearest place with the difference
 * made visible. Both name a line, so that the next call can be right.
 *
 * Usual mistake: "text not found", which makes the model send the same text again.
 */
import { nameOf, type EditProblem, type NearestText } from "./edit-problem.ts";
import { diagnoseMismatch } from "./diagnose-mismatch.ts";
import { lineOfIndex } from "./line-endings.ts";
import type { EndingBlindText } from "./locate-text.ts";
import { findNearestText } from "./nearest-text.ts";
import { makeVisible } from "./show-text.ts";
import { truncateUtf8 } from "./truncate-text.ts";

/** `flatOld` is the old text with LF only. */
export function explainNoMatch(
  text: string,
  blind: EndingBlindText,
  flatOld: string,
  which: { readonly edit: number; readonly edits: number },
): EditProblem {
  const lineAt = (flatIndex: number): number => lineOfIndex(text, blind.toOriginal([flatIndex])[0] ?? 0);
  const problem = {
    code: "no_match",
    edit: which.edit,
    message: `${nameOf("old text", which.edit, which.edits)} does not occur in the file`,
  } as const;
  const found = findNearestText(blind.flat, flatOld);
  const nearest = found && { line: lineAt(found.start), text: found.text, similarity: found.similarity };
  const mismatch = diagnoseMismatch(blind.flat, flatOld);
  if (mismatch) {
    const line = lineAt(mismatch.start);
    const place = mismatch.cause === "line_numbers" || mismatch.cause === "escapes" ? ` line ${line}.` : "";
    const difference = place === "" && nearest?.line === line ? ` ${showDifference(flatOld, nearest)}` : "";
    const hint = `${mismatch.advice}${place || ` from line ${line}.`}${difference}`;
    return { ...problem, hint, ...(nearest ? { nearest } : {}), details: { cause: mismatch.cause, line } };
  }
  if (!nearest)
    return { ...problem, hint: "Nothing like it is there: read the file again and copy the text." };
  return {
    ...problem,
    hint: `The nearest text is at line ${nearest.line}. ${showDifference(flatOld, nearest)}`,
    nearest,
  };
}

const MAX_SHOWN_BYTES = 200;

/** The first line that differs, both ways, with the signs for what cannot be seen. */
function showDifference(flatOld: string, nearest: NearestText): string {
  const there = nearest.text.split("\n");
  const sent = flatOld.split("\n");
  const at = sent.findIndex(
    (line, index) => line !== there[index] && !isPartOf(line, there[index], index, sent.length),
  );
  const index = at === -1 ? sent.findIndex((line, position) => line !== there[position]) : at;
  const own = there[index];
  const old = sent[index];
  if (old === undefined) return "";
  if (own === undefined) return `The file ends before line ${index + 1} of the old text.`;
  // An old text that begins inside its line says nothing about the blanks before.
  const names = nameCharacters(/^\s/.test(old) ? own : own.trimStart(), old);
  return `Line ${nearest.line + index} is ${show(own)}; the old text has ${show(old)}.${names === "" ? "" : ` ${names}`}`;
}

/** The first line of an old text may begin inside its line, the last may end inside. */
function isPartOf(line: string, there: string | undefined, index: number, count: number): boolean {
  if (there === undefined) return false;
  if (count === 1) return there.includes(line);
  return index === 0 ? there.endsWith(line) : index === count - 1 && there.startsWith(line);
}

function show(line: string): string {
  const cut = truncateUtf8(line, MAX_SHOWN_BYTES);
  return `«${makeVisible(cut.text)}${cut.truncated ? " …" : ""}»`;
}

const NAMED: readonly (readonly [string, string])[] = [
  ["\t", "a tab (→)"],
  ["\u00a0", "a no-break space (⍽)"],
  ["\u202f", "a narrow no-break space (⍽)"],
  ["\u2018", "a left single quote (‘)"],
  ["\u2019", "a right single quote (’)"],
  ["\u201c", "a left double quote (“)"],
  ["\u201d", "a right double quote (”)"],
  ["\u2013", "an en dash (–)"],
  ["\u2014", "an em dash (—)"],
  ["\u2026", "an ellipsis (…)"],
  ["\u200b", "a zero-width space"],
];

/** Names the characters that only one side has and that are easily taken for others. */
function nameCharacters(own: string, old: string): string {
  const inFile = namedOnlyIn(own, old);
  const inOld = namedOnlyIn(old, own);
  return [inFile && `The file has ${inFile}.`, inOld && `The old text has ${inOld}.`]
    .filter(Boolean)
    .join(" ");
}

function namedOnlyIn(text: string, other: string): string {
  return NAMED.filter(([character]) => text.includes(character) && !other.includes(character))
    .map(([, name]) => name)
    .join(", ");
}
