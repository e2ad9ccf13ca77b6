/**
 * Recognises a hunk that was applied before, because the reply to an earlier call may have been lost: its new lines stand
 * there once and its old ones nowhere, or an insertion already stands next to its context.
 *
 * Short text stands in a file by chance, so it never counts. Usual mistake: inserting the same lines a second time.
 */
import { findOccurrences } from "../lines/line-endings.ts";
import { foldNothing } from "../lines/fold-lines.ts";
import { findAnchorLines, lineAt, newTextsOf, withoutCarriageReturn, type PlacingTarget } from "./target.ts";
import type { Hunk, HunkLine } from "../patch/model.ts";

/** Characters besides blanks; shorter text stands in a file by chance. */
const MIN_TELLING_CHARS = 4;

/** Finds where the new lines stand, once the old ones were found nowhere. */
export function findApplied(
  target: PlacingTarget,
  hunk: Hunk,
): { readonly start: number; readonly length: number } | undefined {
  const block = newTextsOf(hunk.lines);
  if (!isTelling(hunk.lines) || !isTellingText(block)) return undefined;
  const [start, another] = target.finder.find(foldNothing, block);
  if (start !== undefined) {
    const { length } = block;
    return another === undefined && isWhereMeant(target, hunk, start + length) ? { start, length } : undefined;
  }
  if (hunk.insideLine !== true || !target.finder.charge(target.text.length * 2)) return undefined;
  const places = findOccurrences(target.blind.flat, block.join("\n"), 2, true);
  if (places.length !== 1) return undefined;
  return { start: lineAt(target.lines, target.blind.toOriginal(places)[0] ?? 0), length: block.length };
}

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

/** Whether the lines hold enough text that they do not stand in a file by chance. */
export function isTellingText(lines: readonly string[]): boolean {
  let count = 0;
  return lines.some((line) => (count += line.replace(/\s+/g, "").length) >= MIN_TELLING_CHARS);
}

/**
 * Context with lines inserted only below or above it matches again after it was applied. A diff tool never writes such a
 * hunk but at the end (or beginning) of a file, where the lines cannot stand yet.
 */
export function isAppendedAlready(target: PlacingTarget, hunk: Hunk, start: number): boolean {
  const { lines } = hunk;
  const firstKept = lines.findIndex(({ kind }) => kind === "keep");
  const lastKept = lines.findLastIndex(({ kind }) => kind === "keep");
  const isSplit = lines.some(({ kind }, index) => {
    const isInside = index > firstKept && index < lastKept;
    return kind === "remove" || (isInside && kind === "insert");
  });
  if (firstKept === -1 || isSplit) return false;
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

function standsAt(target: PlacingTarget, lines: readonly HunkLine[], at: number): boolean {
  return lines.every(({ text }, offset) => withoutCarriageReturn(text) === target.texts[at + offset]);
}
