/**
 * The region of a text that is most like a piece that is not in it: as many lines as the piece has, the best of a few
 * candidates by the mean likeness of their lines. Bounded: it rather finds nothing than be slow.
 *
 * Works on text with LF only. Usual mistake: a character-level distance between whole regions, which is quadratic.
 */
import { findAnchors } from "./find-anchors.ts";

export interface NearestRegion {
  readonly start: number;
  readonly text: string;
  readonly similarity: number;
}

export function findNearestText(text: string, piece: string): NearestRegion | undefined {
  const wanted = piece.replace(/\n$/, () => "").split("\n", MAX_LINES_COMPARED);
  let best: NearestRegion | undefined;
  for (const start of findAnchors(text, piece).starts) {
    const lines = linesFrom(text, start, wanted.length);
    const similarity = meanLikeness(wanted, lines);
    if (similarity >= WORTH_SHOWING && similarity > (best?.similarity ?? 0)) {
      best = { start, text: lines.join("\n"), similarity: Math.round(similarity * 100) / 100 };
    }
  }
  return best;
}

const MAX_LINES_COMPARED = 60;
const MAX_LINE_UNITS = 400;
/** Below half the shown text would not help anyone. */
const WORTH_SHOWING = 0.5;

function linesFrom(text: string, start: number, max: number): string[] {
  const lines: string[] = [];
  let at = start;
  while (lines.length < max && at < text.length) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    lines.push(text.slice(at, Math.min(end, at + MAX_LINE_UNITS)));
    at = end + 1;
  }
  return lines;
}

function meanLikeness(wanted: readonly string[], lines: readonly string[]): number {
  const sum = wanted.reduce((total, line, index) => total + likeness(line, lines[index]), 0);
  return sum / wanted.length;
}

/** 1 for equal lines, else by shared pairs of characters (Dice), blanks apart, and never quite 1. */
function likeness(wanted: string, line: string | undefined): number {
  if (line === undefined) return 0;
  const a = wanted.slice(0, MAX_LINE_UNITS);
  if (a === line) return 1;
  const left = a.replace(/\s+/g, () => "").toLowerCase();
  const right = line.replace(/\s+/g, () => "").toLowerCase();
  if (left === right) return 0.95;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < left.length; at++) count(pairs, left.slice(at, at + 2), 1);
  let shared = 0;
  for (let at = 0; at + 1 < right.length; at++) {
    const pair = right.slice(at, at + 2);
    if ((pairs.get(pair) ?? 0) === 0) continue;
    count(pairs, pair, -1);
    shared++;
  }
  return (0.95 * 2 * shared) / Math.max(1, left.length + right.length - 2);
}

function count(pairs: Map<string, number>, pair: string, by: number): void {
  pairs.set(pair, (pairs.get(pair) ?? 0) + by);
}
