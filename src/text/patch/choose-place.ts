/**
 * Decides between places where the old lines of a hunk stand equally well: by its anchors, the end of the file, the hunk
 * before it, and last the line number. A hard anchor must hold even when there is only one place.
 *
 * Usual mistake: taking the first of several places.
 */
import { foldBlanks, foldTypography } from "../fold-line.ts";
import type { LineFinder } from "./line-finder.ts";
import type { Hunk } from "./patch-model.ts";

export interface PlacingFile {
  readonly texts: readonly string[];
  readonly finder: LineFinder;
}

export type Choice =
  | { readonly kind: "chosen"; readonly start: number; readonly note?: string }
  | { readonly kind: "ambiguous"; readonly starts: readonly number[] }
  /** The anchor is nowhere, or the lines stand only above it. */
  | { readonly kind: "anchor"; readonly starts: readonly number[]; readonly anchors: readonly number[] };

/** `starts` has at least one place; `previousEnd` is the line behind the hunk before. */
export function choosePlace(
  file: PlacingFile,
  hunk: Hunk,
  starts: readonly number[],
  length: number,
  previousEnd: number | undefined,
): Choice {
  const numbered = (hunk.startLine ?? 0) - 1;
  if (mayHitByNumber(hunk) && starts.includes(numbered)) return { kind: "chosen", start: numbered };
  const anchors = findAnchorLines(file, hunk);
  let left = starts;
  if (hunk.anchors.length > 0) {
    const least = anchors[0] ?? Infinity;
    const after = starts.filter((start) => least < start + length);
    if (after.length > 0) left = after;
    else if (hunk.anchorKind === "hard") return { kind: "anchor", starts, anchors };
  }
  const atEnd = left.filter((start) => start + length === file.texts.length);
  const isEnd = hunk.endOfFile || hunk.oldNoNewline === true;
  if (isEnd && atEnd.length > 0) left = atEnd;
  const [first] = left;
  if (left.length === 1 && first !== undefined) {
    const note = "is marked as the end of the file, and stands elsewhere";
    return { kind: "chosen", start: first, ...(isEnd && atEnd.length === 0 ? { note } : {}) };
  }
  return decide(hunk, left, length, anchors, previousEnd);
}

/** Equal lines at the very number that a diff tool gave are its place; what else it says only helps to find them. */
export function mayHitByNumber(hunk: Hunk): boolean {
  const isEnd = hunk.endOfFile || hunk.oldNoNewline === true;
  return hunk.anchorKind === "soft" && hunk.startLine !== undefined && !isEnd && hunk.follows !== true;
}

function decide(
  hunk: Hunk,
  starts: readonly number[],
  length: number,
  anchors: readonly number[],
  previousEnd: number | undefined,
): Choice {
  if (hunk.follows === true && previousEnd !== undefined && starts.includes(previousEnd)) {
    return { kind: "chosen", start: previousEnd };
  }
  const { startLine } = hunk;
  if (startLine !== undefined) {
    const start = nearest(starts, startLine - 1);
    if (start === undefined) return { kind: "ambiguous", starts };
    const note = `stands in ${starts.length} places; the one nearest to its line number ${startLine} was taken`;
    return { kind: "chosen", start, ...(start === startLine - 1 ? {} : { note }) };
  }
  // The cursor of this dialect goes on behind the anchor, so the first place below a unique one is meant.
  const [anchor] = anchors;
  if (hunk.anchorKind === "hard" && anchors.length === 1 && anchor !== undefined) {
    const start = starts.find((place) => place + length > anchor);
    if (start !== undefined) return { kind: "chosen", start };
  }
  return { kind: "ambiguous", starts };
}

/** The nearest number, `undefined` when two are equally near. */
export function nearest(numbers: readonly number[], wanted: number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  let isTie = false;
  for (const number of numbers) {
    const distance = Math.abs(number - wanted);
    if (distance > least) continue;
    isTie = distance === least;
    least = distance;
    best = number;
  }
  return isTie ? undefined : best;
}

/** Where the last anchor stands, each below one of the anchors before it. */
export function findAnchorLines(file: PlacingFile, hunk: Hunk): number[] {
  let lines: number[] | undefined;
  for (const anchor of hunk.anchors.flatMap((one) => splitAnchor(file, one))) {
    const found = findAnchor(file, anchor);
    const least = lines?.[0];
    lines = lines === undefined ? found : least === undefined ? [] : firstBelow(lines, found);
  }
  return lines ?? [];
}

/** `@@ class A @@ run()` in one line, unless there is such a line. */
function splitAnchor(file: PlacingFile, anchor: string): readonly string[] {
  if (!anchor.includes(" @@ ") || findAnchor(file, anchor).length > 0) return [anchor];
  return anchor.split(" @@ ").map((part) => part.trim());
}

/** For each upper line the first lower one below it. */
function firstBelow(upper: readonly number[], lower: readonly number[]): number[] {
  const found = new Set<number>();
  let next = 0;
  for (const line of upper) {
    while (next < lower.length && (lower[next] ?? 0) <= line) next++;
    const below = lower[next];
    if (below !== undefined) found.add(below);
  }
  return [...found];
}

function findAnchor(file: PlacingFile, anchor: string): number[] {
  const whole = file.finder.find(foldBlanks, [anchor]);
  if (whole.length > 0) return whole;
  const flattened = file.finder.find(foldTypography, [anchor]);
  return flattened.length > 0 ? flattened : file.finder.findContaining(anchor);
}
