/**
 * A hunk that was applied before is recognised, because the reply to an earlier call may have been lost: its new lines
 * stand there once and its old ones nowhere, or an insertion already stands next to its context. Short text stands in a
 * file by chance, so it never counts, and neither does what a hunk leaves of its old lines. Of an insertion that has only a
 * line number the other hunks decide (`place-hunks.ts`).
 *
 * Usual mistake: taking old lines with a spelling mistake for gone.
 */
import { findOccurrences, flatten } from "../lines/lines.ts";
import { foldNothing } from "../lines/sent-lines.ts";
import type { Hunk, HunkLine } from "../patch/model.ts";
import { areGone, isTellingText, tellsOfChange } from "./made-before.ts";
import {
  type AlreadyThere,
  findAnchorLines,
  lineAt,
  newTextsOf,
  oldTextsOf,
  type PlacingTarget,
  withoutCarriageReturn,
} from "./target.ts";

type Applied = Omit<AlreadyThere, "kind"> | undefined;

/** Finds where the new lines stand, once the old ones were found nowhere. */
export type FindApplied = (hunk: Hunk) => Applied;

/** Each hunk is looked for once, because it is costly and the hunks around it ask too. */
export function createAppliedFinder(target: PlacingTarget): FindApplied {
  const known = new Map<Hunk, { readonly applied: Applied }>();
  return (hunk) => {
    const found = known.get(hunk) ?? { applied: findApplied(target, hunk) };
    known.set(hunk, found);
    return found.applied;
  };
}

function findApplied(target: PlacingTarget, hunk: Hunk): Applied {
  const block = newTextsOf(hunk.lines);
  if (!isTelling(hunk.lines) || !isTellingText(block) || isPartOfOld(hunk.lines, block)) return undefined;
  const [start, another] = target.finder.find(foldNothing, block);
  if (start !== undefined) {
    const { length } = block;
    const isThere = another === undefined && isWhereMeant(target, hunk, start + length);
    return isThere && isOldGone(target, hunk, target.lines.starts[start] ?? 0) ? { start, length } : undefined;
  }
  if (hunk.insideLine !== true || !target.finder.charge(target.text.length * 2)) return undefined;
  const places = findOccurrences(target.blind.flat, block.join("\n"), 2, true);
  const [place = 0] = target.blind.toOriginal(places);
  if (places.length !== 1 || !isOldGone(target, hunk, place)) return undefined;
  return { start: lineAt(target.lines, place), length: block.length };
}

/** The first line where the new lines stand, though they do not show that the hunk was applied. */
export function findNewText({ finder }: PlacingTarget, { lines }: Hunk): number | undefined {
  const block = newTextsOf(lines);
  const change = { oldText: oldTextsOf(lines).join("\n"), newText: block.join("\n") };
  return tellsOfChange(change) ? finder.find(foldNothing, block, 1)[0] : undefined;
}

/** Lines that a hunk only leaves stand there whatever became of the others. */
function isPartOfOld(lines: readonly HunkLine[], block: readonly string[]): boolean {
  const old = oldTextsOf(lines);
  return old.some((_, at) => block.every((line, offset) => line === old[at + offset]));
}

/** @param place where the new lines begin in the text */
function isOldGone({ text, blind, finder }: PlacingTarget, { lines }: Hunk, place: number): boolean {
  if (!finder.charge(text.length * PASSES)) return false;
  const [oldText, newText] = [oldTextsOf(lines).join("\n"), newTextsOf(lines).join("\n")];
  const start = blind.flat === text ? place : flatten(text.slice(0, place)).length;
  return areGone(blind.flat, [{ oldText, newText, start }]);
}

/** So often the text is gone over to find what is like a piece of it. */
const PASSES = 12;

/** Lines above the anchor, or before the end that was asked for, stand there for another reason. */
function isWhereMeant(target: PlacingTarget, hunk: Hunk, end: number): boolean {
  if (hunk.endOfFile && end !== target.texts.length) return false;
  if (hunk.anchorKind === "soft" || hunk.anchors.length === 0) return true;
  return (findAnchorLines(target, hunk)[0] ?? Infinity) < end;
}

/** Whether the old text that was found is part of the new one that stands there already: `count`, after it became `counter`. */
export function isInsideAlready(flat: string, oldText: string, newText: string, place: number): boolean {
  // The old text stands in the file once, so a new text that has it twice cannot stand there.
  const at = newText.indexOf(oldText);
  const isOnce = at !== -1 && newText.lastIndexOf(oldText) === at && oldText !== newText;
  return isOnce && at <= place && flat.startsWith(newText, place - at);
}

/** Inserted text shows that a hunk was applied; without any, only context on both sides shows that something is gone. */
function isTelling(lines: readonly HunkLine[]): boolean {
  const inserted = lines.filter(({ kind }) => kind === "insert").map(({ text }) => text);
  if (inserted.length > 0) return isTellingText(inserted);
  return lines[0]?.kind === "keep" && lines.at(-1)?.kind === "keep";
}

/**
 * Context with lines inserted only below or above it matches again after it was applied. A diff tool never writes such a
 * hunk but at the end (or beginning) of a file, where the lines cannot stand yet.
 */
export function isAppendedAlready(target: PlacingTarget, hunk: Hunk, start: number): boolean {
  const { lines } = hunk;
  const firstKept = lines.findIndex(({ kind }) => kind === "keep");
  const lastKept = lines.findLastIndex(({ kind }) => kind === "keep");
  const isSplit = lines.slice(firstKept, lastKept).some(({ kind }) => kind === "insert");
  if (firstKept === -1 || isSplit || lines.some(({ kind }) => kind === "remove")) return false;
  const above = lines.slice(0, firstKept);
  const below = lines.slice(lastKept + 1);
  const inserted = [...above, ...below].map(({ text }) => text);
  return (
    isTellingText(inserted) &&
    standsAt(target, above, start - above.length) &&
    standsAt(target, below, start + lastKept + 1 - firstKept)
  );
}

/** Whether the lines of an insertion already stand below its anchor, or at the end. */
export function isInsertedAlready(target: PlacingTarget, hunk: Hunk, line: number): boolean {
  const { lines } = hunk;
  if (!isTellingText(lines.map(({ text }) => text))) return false;
  return standsAt(target, lines, hunk.endOfFile ? line - lines.length : line);
}

export function standsAt(target: PlacingTarget, lines: readonly HunkLine[], at: number): boolean {
  return lines.every(({ text }, offset) => withoutCarriageReturn(text) === target.texts[at + offset]);
}
