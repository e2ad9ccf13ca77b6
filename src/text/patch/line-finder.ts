/**
 * Finds blocks of lines in a file, many times. Each way of comparing numbers the distinct lines once; a block is then
 * looked for where its rarest line stands. All comparisons come out of one budget, so that no patch can take for ever.
 *
 * Usual mistake: comparing every block with every line, which a file of equal lines makes quadratic.
 */
import type { Fold } from "../fold-line.ts";

export interface LineFinder {
  /** 0-based first lines of the places where the block stands, ascending, at most `max` (default 1000). */
  readonly find: (fold: Fold, block: readonly string[], max?: number) => number[];
  readonly standsAt: (fold: Fold, block: readonly string[], start: number) => boolean;
  /** First lines that contain the text. */
  readonly findContaining: (text: string) => number[];
  /** For work on the text that is done elsewhere, in characters; false when nothing is left. */
  readonly charge: (characters: number) => boolean;
  readonly isExhausted: () => boolean;
}

/** Nobody reads further, and a block that stands so often is ambiguous anyhow. */
const MAX_PLACES = 1000;
/** About 0.1 s. An honest patch needs some thousand. */
const MAX_COMPARISONS = 40_000_000;
/** Looking into a line costs more than comparing two numbers. */
const SCAN_COST = 20;
/** And looking for one text in another costs less a character. */
const CHARACTERS_PER_COMPARISON = 32;

function isLine(text: string | undefined, wanted: string, fold: Fold): boolean {
  return text !== undefined && fold(text) === fold(wanted);
}

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
      return left >= 0 && block.every((line, offset) => isLine(texts[start + offset], line, fold));
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

/** `undefined` as soon as a line is nowhere in the file. */
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

function findRarest(
  { offsets }: Numbered,
  wanted: Int32Array,
): { readonly id: number; readonly index: number } {
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
