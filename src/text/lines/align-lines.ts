/**
 * Pairs the lines of a piece with those of the text that they are most like, in order, so that one line more or less does not
 * make all the lines below it differ. Lines that are equal but for blanks and case are paired first, as many as can be; between
 * them each line goes with the one that it is like, if there is one.
 *
 * Usual mistake: comparing every line with every line by its characters, which is slow enough to be felt.
 */

/** The score of a pair, 0 to 1, and which line of the text each line of the piece goes with. */
export interface Alignment {
  readonly partners: readonly (number | undefined)[];
  /** The mean likeness of the lines of the piece. */
  readonly likeness: number;
}

/** @param usual the line of the text that the first of the piece is expected to go with */
export function alignLines(piece: readonly string[], lines: readonly string[], usual: number): Alignment {
  const partners: (number | undefined)[] = Array.from(piece, () => undefined);
  let sum = 0;
  const pair = (index: number, other: number, score: number): void => {
    partners[index] = other;
    sum += score;
  };
  const equal = pairEqual(piece.map(keyOf), lines.map(keyOf));
  for (const [index, other] of equal) pair(index, other, likeness(piece[index] ?? "", lines[other] ?? ""));
  let [from, start] = [0, 0];
  for (const [index, other] of [...equal, [piece.length, lines.length] as const]) {
    const gap = { from, to: index, start, end: other, offset: equal.length === 0 ? usual : undefined };
    pairAlike(piece, lines, gap, pair);
    [from, start] = [index + 1, other + 1];
  }
  return { partners, likeness: sum / Math.max(1, piece.length) };
}

/** Lines are compared by so many of their characters, unless they are equal as a whole. */
const MAX_UNITS_COMPARED = 400;

function keyOf(line: string): string {
  return line
    .slice(0, MAX_UNITS_COMPARED)
    .replace(/\s+/g, () => "")
    .toLowerCase();
}

/** The longest common subsequence, as pairs of indices. */
function pairEqual(piece: readonly string[], lines: readonly string[]): (readonly [number, number])[] {
  const width = lines.length + 1;
  const longest = new Uint16Array((piece.length + 1) * width);
  for (let row = piece.length - 1; row >= 0; row--) {
    for (let column = lines.length - 1; column >= 0; column--) {
      const at = row * width + column;
      const isEqual = piece[row] === lines[column];
      const [below, right] = [longest[at + width] ?? 0, longest[at + 1] ?? 0];
      longest[at] = isEqual ? (longest[at + width + 1] ?? 0) + 1 : Math.max(below, right);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < piece.length && column < lines.length;) {
    const at = row * width + column;
    if (piece[row] === lines[column]) pairs.push([row++, column++]);
    else if ((longest[at + width] ?? 0) >= (longest[at + 1] ?? 0)) row++;
    else column++;
  }
  return closeUp(pairs, piece, lines);
}

/** Moves lines that stand more than once, such as empty ones and lone brackets, next to the pair below. */
function closeUp(
  pairs: (readonly [number, number])[],
  piece: readonly string[],
  lines: readonly string[],
): (readonly [number, number])[] {
  let below = pairs.at(-1);
  for (let at = pairs.length - 2; at >= 0 && below; at--) {
    const [row, column] = pairs[at] ?? [0, 0];
    const closer = below[1] - (below[0] - row);
    if (closer > column && lines[closer] === piece[row]) pairs[at] = [row, closer];
    below = pairs[at];
  }
  return pairs;
}

/** Lines of the piece and of the text between two pairs; `offset` says where the first goes when there is no pair. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly offset: number | undefined;
}

/** Below this two lines have nothing to do with each other. */
const ALIKE = 0.4;
/** More pairs than these are not tried: then the lines go together in their order. */
const MAX_PAIRS_TRIED = 40;

function pairAlike(
  piece: readonly string[],
  lines: readonly string[],
  { from, to, start, end, offset }: Gap,
  pair: (index: number, other: number, score: number) => void,
): void {
  const isSmall = (to - from) * (end - start) <= MAX_PAIRS_TRIED;
  let next = start;
  for (let index = from; index < to; index++) {
    // In front of the first pair lines belong to it, so they are counted from there.
    const inOrder = offset ?? (start === 0 ? end - to : start - from);
    const [first, last] = isSmall ? [next, end - 1] : [index + inOrder, index + inOrder];
    let best = { other: -1, score: ALIKE };
    for (let other = Math.max(next, first); other <= Math.min(last, end - 1); other++) {
      const score = likeness(piece[index] ?? "", lines[other] ?? "");
      if (score > best.score) best = { other, score };
    }
    if (best.other === -1) continue;
    pair(index, best.other, best.score);
    next = best.other + 1;
  }
}

/** 1 for equal lines, else by shared pairs of characters (Dice), blanks apart, and never quite 1. */
export function likeness(wanted: string, line: string): number {
  if (wanted === line) return 1;
  const [left, right] = [keyOf(wanted), keyOf(line)];
  if (left === right) return 0.95;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < left.length; at++) count(pairs, left.slice(at, at + 2), 1);
  let shared = 0;
  for (let at = 0; at + 1 < right.length; at++) {
    const both = right.slice(at, at + 2);
    if ((pairs.get(both) ?? 0) === 0) continue;
    count(pairs, both, -1);
    shared++;
  }
  return (0.95 * 2 * shared) / Math.max(1, left.length + right.length - 2);
}

function count(pairs: Map<string, number>, pair: string, by: number): void {
  pairs.set(pair, (pairs.get(pair) ?? 0) + by);
}
