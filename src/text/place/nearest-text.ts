/**
 * The region of a text that is most like a piece that is not in it: the best of a few candidates by the mean likeness of their
 * lines, a few lines more or less allowed. Rare words of the piece are looked up with indexOf, and each hit says where the piece
 * would begin, so the file is never split or hashed. The search is bounded: it rather finds nothing than be slow. It works on
 * text with LF only.
 *
 * Invariant: when a word was found fewer than `MAX_HITS` times, every place that holds the piece with only blanks,
 * quotes or dashes changed is among the hits of that word. Uniqueness may be judged on such a word alone.
 *
 * Usual mistake: a character-level distance between whole regions, or scoring every line of a 10 MB file.
 */
import { alignLines } from "../lines/align-lines.ts";

interface NearestRegion {
  /** Where the first line begins that a line of the piece is like. */
  readonly start: number;
  /** The lines of the region, long ones cut. */
  readonly text: string;
  readonly similarity: number;
}

export function findNearestText(text: string, piece: string): NearestRegion | undefined {
  const wanted = piece.replace(/\n$/, () => "").split("\n", MAX_LINES_COMPARED);
  let best: NearestRegion | undefined;
  for (const anchor of findAnchors(text, piece).starts) {
    const { start, lines: above } = goBack(text, anchor, MAX_LINES_MORE);
    const lines = linesFrom(text, start, above + wanted.length + MAX_LINES_MORE);
    const { partners, likeness } = alignLines(wanted, lines.texts, above);
    if (likeness < WORTH_SHOWING || likeness <= (best?.similarity ?? 0)) continue;
    const paired = partners.filter((partner) => partner !== undefined);
    const [first = 0, last = first] = [paired[0], paired.at(-1)];
    const shown = lines.texts.slice(first, last + 1).map((line) => line.slice(0, MAX_UNITS_SHOWN));
    const similarity = Math.round(likeness * 100) / 100;
    best = { start: lines.starts[first] ?? start, text: shown.join("\n"), similarity };
  }
  return best;
}

export const MAX_LINES_COMPARED = 60;
/** So many lines that the piece has not, or only the piece has, still leave the two side by side. */
export const MAX_LINES_MORE = 3;
const MAX_UNITS_SHOWN = 400;
/** Below half the shown text would not help anyone. */
const WORTH_SHOWING = 0.5;

/** The line that begins so many lines above, or as many as there are. */
function goBack(text: string, from: number, most: number): { readonly start: number; readonly lines: number } {
  let [start, lines] = [from, 0];
  while (lines < most && start > 0) {
    const above = lineStart(text, start - 1);
    if (above === undefined) break;
    start = above;
    lines++;
  }
  return { start, lines };
}

interface Lines {
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

export function linesFrom(text: string, start: number, max: number): Lines {
  const texts: string[] = [];
  const starts: number[] = [];
  let at = start;
  while (texts.length < max && at < text.length) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    texts.push(text.slice(at, end));
    starts.push(at);
    at = end + 1;
  }
  return { texts, starts };
}

interface Anchors {
  /** Starts of lines at which the piece could begin, most promising first. */
  readonly starts: readonly number[];
  /** Starts by one word whose hits are complete; `undefined` when every word is too frequent or there is none. */
  readonly complete: readonly number[] | undefined;
}

export function findAnchors(text: string, piece: string): Anchors {
  const words = pickWords(piece);
  const votes = new Map<number, number>();
  let complete: number[] | undefined;
  let hasHit = false;
  for (const word of words) {
    const hits = findHits(text, word.text);
    const starts = [...new Set(hits.flatMap((hit) => startFor(text, hit, word.line) ?? []))];
    for (const start of starts) vote(votes, start, hits.length);
    hasHit ||= hits.length > 0;
    if (hits.length < MAX_HITS && (complete === undefined || starts.length < complete.length)) complete = starts;
  }
  if (!hasHit) {
    for (const half of words.flatMap(halves)) {
      const hits = findHits(text, half.text);
      for (const start of new Set(hits.flatMap((hit) => startFor(text, hit, half.line) ?? []))) {
        vote(votes, start, hits.length);
      }
    }
  }
  const ranked = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { starts: ranked.slice(0, MAX_STARTS).map(([start]) => start), complete };
}

interface Word {
  readonly text: string;
  /** 0-based line of the piece. */
  readonly line: number;
}

/** Each is a pass over the whole text, about 1 ms per 10 MB when it is rare. */
const MAX_WORDS = 8;
const MAX_HITS = 200;
const MAX_STARTS = 24;
const MAX_WORD_UNITS = 40;
/** A line longer than this, or a piece with more lines before the word, is not walked back over. */
const MAX_LINE_UNITS = 4000;
const MAX_LINES_BACK = 400;
const MAX_PIECE_UNITS = 100_000;

/** The longest runs without blanks, quotes, dashes and dots: what no tolerance changes. One a line, as far as it goes. */
function pickWords(piece: string): Word[] {
  const best: Word[] = [];
  const others: Word[] = [];
  for (const [line, content] of piece.slice(0, MAX_PIECE_UNITS).split("\n").entries()) {
    const runs = content.match(STEADY) ?? [];
    const sorted = runs.map((run) => run.slice(0, MAX_WORD_UNITS)).sort((a, b) => b.length - a.length);
    const [first, ...rest] = [...new Set(sorted)];
    if (first !== undefined) best.push({ text: first, line });
    others.push(...rest.map((text) => ({ text, line })));
  }
  const byLength = (a: Word, b: Word): number => b.text.length - a.text.length;
  return [...best.sort(byLength), ...others.sort(byLength)].slice(0, MAX_WORDS);
}

const STEADY = /[^\s"'`\u00ab\u00bb\u00ad\u2010-\u201f\u2026\u2032\u2033\u2212\u200b-\u200d\ufeff.-]+/g;

/** For words that are misspelled themselves. */
function halves(word: Word): Word[] {
  if (word.text.length < 6) return [];
  const middle = word.text.length >> 1;
  return [word.text.slice(0, middle), word.text.slice(middle)].map((text) => ({ text, line: word.line }));
}

/** The rarer a word, the more its hit means. */
function vote(votes: Map<number, number>, start: number, hits: number): void {
  votes.set(start, (votes.get(start) ?? 0) + 1 / hits);
}

function findHits(text: string, word: string): number[] {
  const hits: number[] = [];
  for (let at = text.indexOf(word); at !== -1 && hits.length < MAX_HITS; at = text.indexOf(word, at + 1)) {
    hits.push(at);
  }
  return hits;
}

/** The start of the line that lies `lines` above the hit. */
function startFor(text: string, hit: number, lines: number): number | undefined {
  if (lines > MAX_LINES_BACK) return undefined;
  let start = lineStart(text, hit);
  for (let back = 0; back < lines && start !== undefined; back++) {
    start = start === 0 ? undefined : lineStart(text, start - 1);
  }
  return start;
}

function lineStart(text: string, at: number): number | undefined {
  const window = Math.max(0, at - MAX_LINE_UNITS);
  const found = text.slice(window, at).lastIndexOf("\n");
  if (found !== -1) return window + found + 1;
  return window === 0 ? 0 : undefined;
}
