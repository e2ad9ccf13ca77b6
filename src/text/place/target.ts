/**
 * The file as hunks are placed in it: its lines with their endings, the finder of blocks of lines, and a hunk with its
 * place. Joined again the lines are the file, byte for byte. Lines are 0-based here and become 1-based only in what
 * leaves the folder.
 *
 * The finder numbers the distinct lines for each way of comparing and looks for a block where its rarest line stands.
 * All comparisons come out of one budget, so that no patch can take for ever.
 *
 * Usual mistakes: normalising the endings first, after which nobody knows what the untouched lines had; comparing every
 * block with every line, which a file of equal lines makes quadratic.
 */
import { countUpTo, lineBreak, type EndingBlindText } from "../lines/lines.ts";
import type { HunkProblem, NumberedHunk } from "./explain.ts";
import type { Hunk, HunkLine } from "../patch/model.ts";
import { foldBlanks, foldTypography, type Fold } from "../lines/sent-lines.ts";

export interface PlacingTarget {
  readonly text: string;
  readonly blind: EndingBlindText;
  readonly lines: FileLines;
  readonly texts: readonly string[];
  readonly finder: LineFinder;
}

export interface PlacedHunk extends NumberedHunk {
  readonly kind: "placed";
  /** Whole lines from `start` (0-based); or, inside a line, characters of the text. */
  readonly unit: "lines" | "characters";
  readonly start: number;
  readonly length: number;
  readonly lines: readonly HunkLine[];
  /** Every old line was there with its very ending, so the inserted ones have the endings they want. */
  readonly hasOwnEndings?: boolean;
  /** The blanks at the beginning of lines differ, so inserted lines get those of the place. */
  readonly isReindented?: boolean;
  readonly tolerance?: string;
}

/** The lines that a hunk would have made stand here (0-based). */
export interface AlreadyThere {
  readonly kind: "already";
  readonly start: number;
  readonly length: number;
}

export type PlaceResult = PlacedHunk | AlreadyThere | { readonly kind: "failed"; readonly problem: HunkProblem };

export function oldTextsOf(lines: readonly HunkLine[]): string[] {
  return textsWithout("insert", lines);
}

export function newTextsOf(lines: readonly HunkLine[]): string[] {
  return textsWithout("remove", lines);
}

function textsWithout(left: HunkLine["kind"], lines: readonly HunkLine[]): string[] {
  const texts: string[] = [];
  for (const { kind, text } of lines) if (kind !== left) texts.push(withoutCarriageReturn(text));
  return texts;
}

/** 0-based line of a character; the index behind the last one belongs to the last line. */
export function lineAt({ starts, texts }: FileLines, character: number): number {
  return Math.max(0, Math.min(countUpTo(starts, character), texts.length) - 1);
}

export interface FileLines {
  readonly texts: readonly string[];
  /** `""` for a last line without one. A CR before the end of the file, without LF, counts as an ending. */
  readonly endings: readonly string[];
  /** Index of the first character of each line, and behind them the length of the text. */
  readonly starts: readonly number[];
  /** A lone CR ends a line only in a text without LF. */
  readonly stop: "\n" | "\r";
  readonly isEnded: boolean;
}

/** Old lines of the hunks decide for a text with lone CRs only: a diff tool takes it for one line, a person does not. */
export function splitFile(text: string, hunks: readonly Hunk[]): FileLines {
  const isOneLine = lineBreak(text) === "\r" && hunks.some(hasReturnInOld);
  const stop = isOneLine ? "\n" : lineBreak(text);
  const texts: string[] = [];
  const endings: string[] = [];
  const starts: number[] = [];
  let at = 0;
  while (at < text.length) {
    const found = text.indexOf(stop, at);
    const end = found === -1 ? text.length : found + 1;
    const content = contentEnd(text, at, end, stop);
    starts.push(at);
    texts.push(text.slice(at, content));
    endings.push(text.slice(content, end));
    at = end;
  }
  starts.push(text.length);
  return { texts, endings, starts, stop, isEnded: text.endsWith(stop) };
}

function hasReturnInOld({ lines }: Hunk): boolean {
  return lines.some(({ kind, text }) => kind !== "insert" && text.includes("\r"));
}

function contentEnd(text: string, start: number, end: number, stop: string): number {
  let content = end;
  if (text[content - 1] === stop) content--;
  if (stop === "\n" && content > start && text[content - 1] === "\r") content--;
  return content;
}

/** The text of a hunk line without the CR of its ending. */
export function withoutCarriageReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

interface LineFinder {
  /** 0-based first lines of the places where the block stands, ascending, at most `max` (default 1000). */
  readonly find: (fold: Fold, block: readonly string[], max?: number) => number[];
  readonly standsAt: (fold: Fold, block: readonly string[], start: number) => boolean;
  readonly findContaining: (text: string) => number[];
  /** Charges work on the text that is done elsewhere, in characters. @returns false when the budget is spent */
  readonly charge: (characters: number) => boolean;
  readonly isExhausted: () => boolean;
}

/** Nobody reads more places, and a block that stands so often is ambiguous in any case. */
const MAX_PLACES = 1000;
/** About 0.1 s. An honest patch needs some thousand. */
const MAX_COMPARISONS = 40_000_000;
/** Looking into a line costs more than comparing two numbers. */
const SCAN_COST = 20;
/** Looking for one text in another costs less a character than comparing two lines. */
const CHARACTERS_PER_COMPARISON = 32;

interface Numbered {
  readonly idOf: ReadonlyMap<string, number>;
  readonly ids: Int32Array;
  /** The lines of number n are `places[offsets[n]]` up to `places[offsets[n + 1]]`. */
  readonly offsets: Int32Array;
  readonly places: Int32Array;
}

export function createLineFinder(texts: readonly string[]): LineFinder {
  const byFold = new Map<Fold, Numbered>();
  let left = MAX_COMPARISONS;
  return {
    find: (fold, block, max = MAX_PLACES) => {
      const numbered = byFold.get(fold) ?? numberLines(texts, fold);
      byFold.set(fold, numbered);
      const wanted = numberBlock(numbered, fold, block);
      left -= block.length;
      if (!wanted) return [];
      const rarest = findRarest(numbered, wanted);
      const found: number[] = [];
      const last = numbered.offsets[rarest.id + 1] ?? 0;
      for (let at = numbered.offsets[rarest.id] ?? 0; at < last && found.length < max; at++) {
        const start = (numbered.places[at] ?? 0) - rarest.index;
        const same = countSame(numbered.ids, wanted, start);
        left -= same + 1;
        if (left < 0) return [];
        if (same === wanted.length) found.push(start);
      }
      return found;
    },
    standsAt: (fold, block, start) => {
      left -= block.length;
      const isThere = (line: string, offset: number): boolean => {
        const text = texts[start + offset];
        return text !== undefined && fold(text) === fold(line);
      };
      return left >= 0 && block.every(isThere);
    },
    findContaining: (text) => {
      left -= texts.length * SCAN_COST;
      if (left < 0) return [];
      return texts.flatMap((line, index) => (line.includes(text) ? [index] : [])).slice(0, MAX_PLACES);
    },
    charge: (characters) => {
      left -= Math.ceil(characters / CHARACTERS_PER_COMPARISON);
      return left >= 0;
    },
    isExhausted: () => left < 0,
  };
}

function numberLines(texts: readonly string[], fold: Fold): Numbered {
  const idOf = new Map<string, number>();
  const ids = new Int32Array(texts.length);
  for (const [line, text] of texts.entries()) {
    const key = fold(text);
    const id = idOf.get(key) ?? idOf.size;
    if (id === idOf.size) idOf.set(key, id);
    ids[line] = id;
  }
  const offsets = new Int32Array(idOf.size + 1);
  for (const id of ids) offsets[id + 1] = (offsets[id + 1] ?? 0) + 1;
  for (let id = 0; id < idOf.size; id++) offsets[id + 1] = (offsets[id + 1] ?? 0) + (offsets[id] ?? 0);
  const next = offsets.slice();
  const places = new Int32Array(texts.length);
  for (const [line, id] of ids.entries()) {
    const place = next[id] ?? 0;
    places[place] = line;
    next[id] = place + 1;
  }
  return { idOf, ids, offsets, places };
}

/** @returns `undefined` as soon as a line is nowhere in the file */
function numberBlock({ idOf, ids }: Numbered, fold: Fold, block: readonly string[]): Int32Array | undefined {
  if (block.length === 0 || block.length > ids.length) return undefined;
  const wanted = new Int32Array(block.length);
  for (const [index, line] of block.entries()) {
    const id = idOf.get(fold(line));
    if (id === undefined) return undefined;
    wanted[index] = id;
  }
  return wanted;
}

function findRarest({ offsets }: Numbered, wanted: Int32Array): { readonly id: number; readonly index: number } {
  let best = { id: 0, index: 0, count: Infinity };
  for (const [index, id] of wanted.entries()) {
    const count = (offsets[id + 1] ?? 0) - (offsets[id] ?? 0);
    if (count < best.count) best = { id, index, count };
  }
  return best;
}

function countSame(ids: Int32Array, wanted: Int32Array, start: number): number {
  if (start < 0 || start + wanted.length > ids.length) return 0;
  let same = 0;
  while (same < wanted.length && ids[start + same] === wanted[same]) same++;
  return same;
}

export function findAnchorLines(file: PlacingTarget, hunk: Hunk): number[] {
  let lines: number[] | undefined;
  for (const anchor of hunk.anchors.flatMap((one) => splitAnchor(file, one))) {
    const found = findAnchor(file, anchor);
    const least = lines?.[0];
    lines = lines === undefined ? found : least === undefined ? [] : firstBelow(lines, found);
  }
  return lines ?? [];
}

/** Splits `@@ class A @@ run()` into two anchors, unless the file has such a line. */
function splitAnchor(file: PlacingTarget, anchor: string): readonly string[] {
  if (!anchor.includes(" @@ ") || findAnchor(file, anchor).length > 0) return [anchor];
  return anchor.split(" @@ ").map((part) => part.trim());
}

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

function findAnchor(file: PlacingTarget, anchor: string): number[] {
  const whole = file.finder.find(foldBlanks, [anchor]);
  if (whole.length > 0) return whole;
  const flattened = file.finder.find(foldTypography, [anchor]);
  return flattened.length > 0 ? flattened : file.finder.findContaining(anchor);
}
