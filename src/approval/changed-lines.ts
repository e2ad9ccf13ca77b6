/**
 * The changed lines of a unified diff, in pairs, and each pair in one line: `-Status: draft  +Status: final`. Lines are
 * told apart by the counts of the hunk's header, because a line of a file may look like a header. Of long lines the
 * part is shown in which they differ, and where they differ in blanks alone, the blanks are made visible.
 *
 * Invariants: every line is counted, however few are kept; the text of a file cannot be taken for a sign or a word of
 * ours, because where it could be, it stands in quotes.
 */
import { escapeLine, makeVisible } from "../text/index.ts";
import { shortenEnd, shortenMiddle, sliceWhole } from "./shorten.ts";

/** One line of a side, without its line feed. */
interface ChangedLine {
  readonly text: string;
  /** No line feed follows, because the file ends here. */
  readonly isUnended: boolean;
}

interface ChangedPair {
  /** The number that an editor shows: in the old text, or in the new one for a line that only comes. */
  readonly line: number;
  readonly removed?: ChangedLine | undefined;
  readonly added?: ChangedLine | undefined;
}

interface ChangedLines {
  /** The first pairs, as many as were wanted. */
  readonly pairs: readonly ChangedPair[];
  /** How many pairs there are in all. */
  readonly count: number;
  /** Runs of changed lines with unchanged lines around them. */
  readonly places: number;
}

/** @param diff of one file, whole, or none. @param most how many pairs are kept */
export function changedLines(diff: string, most: number): ChangedLines {
  const pairs: ChangedPair[] = [];
  let [count, places] = [0, 0];
  for (const place of placesIn(diff, most)) {
    places++;
    count += Math.max(place.removed.count, place.added.count);
    for (let at = 0; pairs.length < most && at < Math.max(place.removed.count, place.added.count); at++)
      pairs.push(pairAt(place, at));
  }
  return { pairs, count, places };
}

interface Side {
  readonly from: number;
  count: number;
  readonly lines: ChangedLine[];
}

interface PlaceOfChange {
  readonly removed: Side;
  readonly added: Side;
}

function pairAt({ removed, added }: PlaceOfChange, at: number): ChangedPair {
  const [old, now] = [removed.lines[at], added.lines[at]];
  return { line: (old ? removed.from : added.from) + at, removed: old, added: now };
}

function* placesIn(diff: string, most: number): Generator<PlaceOfChange> {
  let place: PlaceOfChange | undefined;
  let last = 0;
  for (const line of diffLines(diff)) {
    const isKept = line.isOld && line.isNew;
    if (place && (isKept || line.hunk !== last)) {
      yield place;
      place = undefined;
    }
    last = line.hunk;
    if (isKept) continue;
    place ??= { removed: sideFrom(line.oldLine), added: sideFrom(line.newLine) };
    const side = line.isOld ? place.removed : place.added;
    side.count++;
    if (side.lines.length < most) side.lines.push(line);
  }
  if (place) yield place;
}

/** One line of a diff, without its sign. */
interface DiffLine extends ChangedLine {
  readonly isOld: boolean;
  readonly isNew: boolean;
  /** The number that it has in the old text, or that the next one has there; from 1. */
  readonly oldLine: number;
  readonly newLine: number;
  /** The number of its hunk, from 1. */
  readonly hunk: number;
}

/** Gives the lines of all hunks of a diff of one file. */
export function* diffLines(diff: string): Generator<DiffLine> {
  let last: DiffLine | undefined;
  let [hunk, oldLine, oldLeft, newLine, newLeft] = [0, 0, 0, 0, 0];
  for (const line of linesOf(diff)) {
    if (line.startsWith("\\")) {
      if (last) last = { ...last, isUnended: true };
      continue;
    }
    if (last) yield last;
    last = undefined;
    if (oldLeft <= 0 && newLeft <= 0) {
      [oldLine, oldLeft, newLine, newLeft] = readHeader(line);
      if (oldLeft + newLeft > 0) hunk++;
      continue;
    }
    const [isOld, isNew] = [!line.startsWith("+"), !line.startsWith("-")];
    last = { text: line.slice(1), isUnended: false, isOld, isNew, oldLine, newLine, hunk };
    if (isOld) [oldLine, oldLeft] = [oldLine + 1, oldLeft - 1];
    if (isNew) [newLine, newLeft] = [newLine + 1, newLeft - 1];
  }
  if (last) yield last;
}

/** Reads a hunk header. Any other line, such as the two with the names, announces no lines. */
function readHeader(line: string): [oldLine: number, oldLeft: number, newLine: number, newLeft: number] {
  const [, ...numbers] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(line) ?? [];
  const [oldStart = 0, oldCount = 0, newStart = 0, newCount = 0] = numbers.map(Number);
  // An empty side counts from the line before it.
  return [oldStart + (oldCount === 0 ? 1 : 0), oldCount, newStart + (newCount === 0 ? 1 : 0), newCount];
}

function sideFrom(from: number): Side {
  return { from, count: 0, lines: [] };
}

/** Gives the lines one at a time, so that a long diff is not held twice. */
export function* linesOf(diff: string): Generator<string> {
  for (let at = 0; at < diff.length;) {
    const end = diff.indexOf("\n", at);
    yield diff.slice(at, end === -1 ? diff.length : end);
    at = end === -1 ? diff.length : end + 1;
  }
}

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
  const [before, after] = isBlank ? [makeVisible(old), makeVisible(now)] : [withoutReturn(old), withoutReturn(now)];
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

/** Quotes a text that has two blanks and a sign in it, and only such a text, so that it cannot pass for two sides. */
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

/** Leaves out the CR of a CR LF, which is no part of the change. */
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
