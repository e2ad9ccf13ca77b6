/**
 * Writes placed edits and hunks into the text. Only removed and inserted lines are touched: context keeps its bytes,
 * and an inserted line takes the ending of the line it replaces or of its neighbour above, unless the hunk knows
 * better. Where the old lines were found with other indentation, inserted lines get that of the place: a line takes
 * what the nearest old line of its depth has, and deeper or shallower ones go on from there in the file's unit.
 *
 * Whether the last line is ended stays as it is, unless a hunk that reaches the end says otherwise. Usual mistake:
 * writing context back as the patch has it.
 */
import { createEndingFitter, dominantEnding } from "../lines/lines.ts";
import { newTextsOf, withoutCarriageReturn, type FileLines, type PlacedHunk, type PlacingTarget } from "./target.ts";
import { indentOf } from "../lines/sent-lines.ts";
import type { HunkLine } from "../patch/model.ts";

/** Characters of the original that an edit or a hunk replaces. */
export interface Replacement {
  readonly by: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function inOrder<R extends Replacement>(replacements: readonly R[]): R[] {
  return [...replacements].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The first two, in order, that replace the same text or insert the same at one place. */
export function findOverlap<R extends Replacement>(ascending: Iterable<R>): readonly [R, R] | undefined {
  let before: R | undefined;
  for (const next of ascending) {
    if (before && before.by !== next.by) {
      const isTwice = before.start === next.start && before.end === next.end && before.text === next.text;
      if (next.start < before.end || isTwice) return [before, next];
    }
    before = next;
  }
  return undefined;
}

/** @param ascending replacements in order and apart */
export function replaceIn(text: string, ascending: Iterable<Replacement>): ReplacedText {
  const whole: string[] = [];
  let parts: string[] = [];
  let kept = 0;
  let count = 0;
  for (const { start, end, text: inserted } of ascending) {
    parts.push(text.slice(kept, start), inserted);
    kept = end;
    if (++count % JOINED_AT_ONCE !== 0) continue;
    whole.push(parts.join(""));
    parts = [];
  }
  whole.push(...parts, text.slice(kept));
  return { text: whole.join(""), count };
}

interface ReplacedText {
  readonly text: string;
  readonly count: number;
}

/** A piece that waits to be joined takes far more than its characters. */
const JOINED_AT_ONCE = 1024;

/** A replacement of whole lines, or inside a line. */
export interface SpliceChange extends Replacement {
  /** The ending of the last inserted line, so that it can be taken away at the end of the file. */
  readonly lastEnding: string;
}

export function findChanges(target: PlacingTarget, hunks: readonly PlacedHunk[]): SpliceChange[] {
  const inLines = hunks.filter(({ unit }) => unit === "lines").flatMap((placed) => changesOf(target, placed));
  const inside = hunks.filter(({ unit }) => unit === "characters");
  return inOrder([...inLines, ...changesInside(target, inside)]);
}

function changesOf(target: PlacingTarget, placed: PlacedHunk): SpliceChange[] {
  const { lines: file } = target;
  const own = target.texts.slice(placed.start, placed.start + placed.length);
  const lines = placed.isReindented ? reindent(placed.lines, own) : placed.lines;
  const changes: SpliceChange[] = [];
  let at = placed.start;
  let first = at;
  let inserted: string[] = [];
  const flush = (): void => {
    if (at > first || inserted.length > 0) changes.push(makeChange(target, placed, first, at, inserted));
    inserted = [];
  };
  for (const { kind, text } of lines) {
    if (kind === "insert") inserted.push(text);
    else if (kind === "remove") at++;
    else {
      flush();
      at++;
      first = at;
    }
  }
  flush();
  return changes.filter(({ start, end, text }) => start < end || text !== "").map((change) => closeLine(file, change));
}

function makeChange(
  { lines: file, text }: PlacingTarget,
  placed: PlacedHunk,
  first: number,
  end: number,
  inserted: readonly string[],
): SpliceChange {
  const parts: string[] = [];
  let ending = placed.hasOwnEndings ? "\n" : endingAround(text, file, first, end);
  for (const [offset, line] of inserted.entries()) {
    if (!placed.hasOwnEndings && first + offset < end) ending = wholeEnding(file, first + offset) ?? ending;
    parts.push(placed.hasOwnEndings ? line : withoutCarriageReturn(line), ending);
  }
  return {
    by: placed.index,
    start: file.starts[first] ?? text.length,
    end: file.starts[end] ?? text.length,
    text: parts.join(""),
    lastEnding: inserted.length === 0 ? "" : ending,
  };
}

/** Takes the ending of the line above, else of the first removed or next line, else the most frequent one of the file. */
function endingAround(text: string, file: FileLines, first: number, end: number): string {
  const near = wholeEnding(file, first - 1) ?? wholeEnding(file, first) ?? wholeEnding(file, end);
  return near ?? dominantEnding(text) ?? "\n";
}

function wholeEnding(file: FileLines, line: number): string | undefined {
  const ending = file.endings[line];
  return ending?.endsWith(file.stop) === true ? ending : undefined;
}

/** Ends a last line that has no ending before text is put behind it. */
function closeLine(file: FileLines, change: SpliceChange): SpliceChange {
  const length = file.starts.at(-1) ?? 0;
  if (change.start < length || length === 0 || file.isEnded) return change;
  return { ...change, text: change.lastEnding + change.text };
}

function changesInside(target: PlacingTarget, hunks: readonly PlacedHunk[]): SpliceChange[] {
  if (hunks.length === 0) return [];
  const fit = createEndingFitter(target.text);
  return hunks.map(({ index, start, length, lines }) => {
    const text = fit(start, start + length, newTextsOf(lines).join("\n"));
    return { by: index, start, end: start + length, text, lastEnding: "" };
  });
}

/** The changes must be ascending and apart. */
export function spliceChanges(
  target: PlacingTarget,
  hunks: readonly PlacedHunk[],
  changes: readonly SpliceChange[],
): string {
  const { text, lines: file } = target;
  const { text: joined } = replaceIn(text, changes);
  const wanted = wantsFinalNewline(file, hunks);
  if (wanted === undefined || joined === "") return joined;
  const last = changes.at(-1);
  const isInserted = last !== undefined && last.end === text.length && last.text !== "";
  const ending = isInserted ? last.lastEnding : lastEndingOf(joined, file.stop);
  if (!wanted) return ending === "" ? joined : joined.slice(0, joined.length - ending.length);
  return joined.endsWith(file.stop) ? joined : joined + (dominantEnding(text) ?? "\n");
}

/** @returns `undefined` when no hunk reaches the end of the file, so that nothing is to be done */
function wantsFinalNewline(file: FileLines, hunks: readonly PlacedHunk[]): boolean | undefined {
  const count = file.texts.length;
  const atEnd = hunks.filter(({ unit, start, length }) => unit === "lines" && start + length === count);
  if (atEnd.length === 0) return undefined;
  const isOldOpen = atEnd.some(({ hunk }) => hunk.oldNoNewline === true);
  const isNewOpen = atEnd.some(({ hunk }) => hunk.newNoNewline === true);
  if (isOldOpen !== isNewOpen) return isOldOpen;
  return count === 0 || file.isEnded;
}

function lastEndingOf(text: string, stop: string): string {
  if (!text.endsWith(stop)) return "";
  return stop === "\n" && text.endsWith("\r\n") ? "\r\n" : stop;
}

/** The blanks before an old line, in the hunk and in the file. */
interface Pair {
  readonly sent: string;
  readonly own: string;
  /** Index among the lines of the hunk. */
  readonly at: number;
}

/** `own` are the lines of the file that the old lines of the hunk stand on. */
function reindent(lines: readonly HunkLine[], own: readonly string[]): HunkLine[] {
  const pairs = findPairs(lines, own);
  if (pairs.every((pair) => pair.sent === pair.own)) return [...lines];
  const bySent = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const same = bySent.get(pair.sent) ?? [];
    same.push(pair);
    bySent.set(pair.sent, same);
  }
  const unit = findUnit(pairs);
  let next = 0;
  return lines.map((line, at) => {
    while (next < pairs.length && (pairs[next]?.at ?? 0) < at) next++;
    if (line.kind !== "insert" || line.text.trim() === "") return line;
    const indent = indentOf(line.text);
    const near = pairs[next - 1] ?? pairs[next];
    const same = bySent.get(indent)?.findLast((pair) => pair.at < at) ?? bySent.get(indent)?.[0];
    const fitted = same?.own ?? (near ? derive(indent, near, unit) : indent);
    return { ...line, text: fitted + line.text.slice(indent.length) };
  });
}

function findPairs(lines: readonly HunkLine[], own: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let offset = 0;
  for (const [at, { kind, text }] of lines.entries()) {
    if (kind === "insert") continue;
    const there = own[offset++] ?? "";
    if (text.trim() !== "") pairs.push({ sent: indentOf(text), own: indentOf(there), at });
  }
  return pairs;
}

/** How many blanks the one side writes for a tab of the other. */
interface Unit {
  readonly from: string;
  readonly to: string;
}

function findUnit(pairs: readonly Pair[]): Unit | undefined {
  for (const { sent, own } of pairs) {
    if (isAll(own, "\t") && isAll(sent, " ") && sent.length % own.length === 0) {
      return { from: " ".repeat(sent.length / own.length), to: "\t" };
    }
    if (isAll(sent, "\t") && isAll(own, " ") && own.length % sent.length === 0) {
      return { from: "\t", to: " ".repeat(own.length / sent.length) };
    }
  }
  return undefined;
}

function isAll(text: string, sign: string): boolean {
  return text !== "" && text.replaceAll(sign, "") === "";
}

function derive(indent: string, near: Pair, unit: Unit | undefined): string {
  if (indent.startsWith(near.sent)) return near.own + convert(indent.slice(near.sent.length), unit);
  if (near.sent.startsWith(indent)) {
    const less = convert(near.sent.slice(indent.length), unit);
    return near.own.slice(0, Math.max(0, near.own.length - less.length));
  }
  return indent;
}

function convert(blanks: string, unit: Unit | undefined): string {
  return unit ? blanks.replaceAll(unit.from, () => unit.to) : blanks;
}
