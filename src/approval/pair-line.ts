/**
 * A changed line in one line: `-Status: draft  +Status: final`. Of long lines the part is shown in which they differ, and
 * where they differ in blanks alone, the blanks are made visible.
 *
 * Invariant: the text of a file cannot be taken for a sign or a word of ours; where it could be, it stands in quotes.
 */
import { escapeLine, makeVisible } from "../text/index.ts";
import type { ChangedPair } from "./changed-lines.ts";
import { shortenEnd, shortenMiddle, sliceWhole } from "./shorten.ts";

/** The room of each of two sides; a side that stands alone has twice as much. */
const SIDE_CHARS = 64;
/** The context before the first difference of two long lines. */
const BEFORE_CHARS = 16;

export function pairLine(pair: Omit<ChangedPair, "line">): string {
  const { removed, added } = pair;
  const [old, now] = [removed?.text, added?.text];
  const sides =
    old === undefined || now === undefined
      ? [sideAlone(old === undefined ? "+" : "-", old ?? now ?? "")]
      : bothSides(old, now);
  const end = endOf(pair);
  return [...sides, ...(end === "" ? [] : [`(${end})`])].join("  ");
}

function sideAlone(sign: "-" | "+", text: string): string {
  const from = indentOf(text);
  // A line of blanks is shown by its blanks.
  const shown = from === text.length ? makeVisible(text) : withoutReturn(text).slice(from);
  const most = 2 * SIDE_CHARS;
  // Twice, because a line may be as long as a file, and escapes are longer than what they stand for.
  return sign + quoted(shortenMiddle(escapeLine(shortenMiddle(shown, most)), most));
}

function bothSides(old: string, now: string): string[] {
  const isBlank = withoutBlanks(old) === withoutBlanks(now);
  const [before, after] = isBlank
    ? [makeVisible(old), makeVisible(now)]
    : [withoutReturn(old), withoutReturn(now)];
  const same = commonStart(before, after);
  const indent = isBlank ? 0 : Math.min(same, indentOf(before));
  const isLong = Math.max(before.length, after.length) - indent > SIDE_CHARS;
  const from = isLong ? Math.max(indent, same - BEFORE_CHARS) : indent;
  const mark = from > indent ? "…" : "";
  return [`-${quoted(mark + partFrom(before, from))}`, `+${quoted(mark + partFrom(after, from))}`];
}

function partFrom(text: string, from: number): string {
  const escaped = escapeLine(sliceWhole(text, from, from + SIDE_CHARS));
  return shortenEnd(text.length > from + SIDE_CHARS ? `${escaped}…` : escaped, SIDE_CHARS);
}

/** Only a text in quotes has two blanks and a sign in it, so quotes that belong to a text mislead nobody. */
function quoted(text: string): string {
  return / {2}[-+(]/.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function indentOf(text: string): number {
  let at = 0;
  while (" \t\r".includes(text.charAt(at)) && at < text.length) at++;
  return at;
}

/** The ends of lines that end in CR LF are no part of the change. */
function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function endOf({ removed, added }: Omit<ChangedPair, "line">): string {
  if (!added || (removed?.isUnended ?? false) === added.isUnended) return "";
  return added.isUnended ? "no line feed at its end" : "a line feed at its end";
}
