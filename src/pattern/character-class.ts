/**
 * One character of a pattern: classes (`[abc]`, `[a-z]`, `[^a]`, `[[:alpha:]]`; what excludes characters excludes the slash too),
 * ranges in braces (`{a..e}`, `{1..12}`, `{01..12}`), and what stands for all cases of a character.
 */
import type { CharacterTest, PatternNode } from "./program.ts";

/** Where the class ends that begins there, or -1. A `]` at its beginning is one of its characters. */
export function classEnd(text: string, open: number): number {
  let at = open + 1;
  if (text[at] === "^") at++;
  if (text[at] === "]") at++;
  for (; at < text.length; at++) {
    if (text[at] === "]") return at;
    if (text[at] === "\\") at++;
    else at += (namedAt(text, at)?.length ?? 1) - 1;
  }
  return -1;
}

interface ParsedClass {
  readonly holds: CharacterTest;
  /** Without any sign: as likely a name in brackets. */
  readonly isPlain: boolean;
}

/** @param text between the brackets */
export function parseClass(text: string, ignoreCase: boolean): ParsedClass {
  const isNegated = text.startsWith("^");
  const ranges: (readonly [number, number])[] = [];
  const member = (from: number): { point: number; next: number } => {
    const at = text[from] === "\\" && from + 1 < text.length ? from + 1 : from;
    const point = text.codePointAt(at) ?? 0;
    return { point, next: at + (point > 0xffff ? 2 : 1) };
  };
  for (let at = isNegated ? 1 : 0; at < text.length;) {
    const named = namedAt(text, at);
    if (named) {
      ranges.push(...named.ranges);
      at += named.length;
      continue;
    }
    const low = member(at);
    at = low.next;
    if (text[at] !== "-" || at + 1 >= text.length) {
      ranges.push([low.point, low.point]);
      continue;
    }
    const high = member(at + 1);
    at = high.next;
    ranges.push([low.point, high.point]);
  }
  const isOne: CharacterTest = (point) => ranges.some(([low, high]) => low <= point && point <= high);
  const isIn = ignoreCase ? inAnyCase(isOne) : isOne;
  const holdsSlash = text.includes("/");
  return {
    holds: isNegated ? (point) => !isIn(point) && (holdsSlash || point !== 0x2f) : isIn,
    isPlain: !/[-*+?.^${}(|)[\]]/.test(text),
  };
}

function namedAt(text: string, at: number): { length: number; ranges: readonly [number, number][] } | undefined {
  if (!text.startsWith("[:", at)) return undefined;
  const [whole = "", name = ""] = /^\[:([a-z]{1,8}):\]/.exec(text.slice(at, at + 12)) ?? [];
  const ranges = POSIX_CLASSES.get(name) ?? MORE_CLASSES.get(name);
  return ranges && { length: whole.length, ranges };
}

const DIGIT: [number, number] = [0x30, 0x39];
const UPPER: [number, number] = [0x41, 0x5a];
const LOWER: [number, number] = [0x61, 0x7a];
/** The classes that POSIX names, in ASCII. */
export const POSIX_CLASSES: ReadonlyMap<string, readonly [number, number][]> = new Map([
  ["alnum", [DIGIT, UPPER, LOWER]],
  ["alpha", [UPPER, LOWER]],
  [
    "blank",
    [
      [0x20, 0x20],
      [0x09, 0x09],
    ],
  ],
  [
    "cntrl",
    [
      [0, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ["digit", [DIGIT]],
  ["graph", [[0x21, 0x7e]]],
  ["lower", [LOWER]],
  ["print", [[0x20, 0x7e]]],
  [
    "punct",
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  [
    "space",
    [
      [0x20, 0x20],
      [0x09, 0x0d],
    ],
  ],
  ["upper", [UPPER]],
  ["xdigit", [DIGIT, [0x41, 0x46], [0x61, 0x66]]],
]);

/** What picomatch knows beyond them. */
const MORE_CLASSES: ReadonlyMap<string, readonly [number, number][]> = new Map([
  ["ascii", [[0, 0x7f]]],
  ["word", [DIGIT, UPPER, LOWER, [0x5f, 0x5f]]],
]);

export function foldCase(point: number): number {
  if (point < 0x80) return point >= 0x61 && point <= 0x7a ? point - 0x20 : point;
  const folded = String.fromCodePoint(point).toLowerCase().toUpperCase();
  const first = folded.codePointAt(0) ?? point;
  // Several characters stand for one only in words.
  return folded.length === (first > 0xffff ? 2 : 1) ? first : point;
}

export function foldText(text: string): string {
  return Array.from(text, (one) => String.fromCodePoint(foldCase(one.codePointAt(0) ?? 0))).join("");
}

function inAnyCase(holds: (point: number) => boolean): (point: number) => boolean {
  return (point) => {
    if (holds(point)) return true;
    const text = String.fromCodePoint(point);
    const variants = [foldCase(point), text.toLowerCase().codePointAt(0), text.toUpperCase().codePointAt(0)];
    return variants.some((one) => one !== undefined && holds(one));
  };
}

export const MAX_NUMBERS = 1000;

/** @param text between the braces. @param room for how many numbers. `undefined` for what is no range */
export function expandRange(text: string, room: number, ignoreCase: boolean): PatternNode | undefined {
  const ends = text.length > MAX_CHARS ? undefined : /^([^,.\\{}()[\]]+)\.\.([^,.\\{}()[\]]+)$/.exec(text);
  const [, from = "", to = ""] = ends ?? [];
  if (!ends) return undefined;
  const [a, b] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  if (isOneCharacter(from) && isOneCharacter(to)) {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const holds: CharacterTest = (point) => low <= point && point <= high;
    return { kind: "one", holds: ignoreCase ? inAnyCase(holds) : holds };
  }
  if (!/^\d+$/.test(from) || !/^\d+$/.test(to)) return undefined;
  const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
  if (high - low >= room) return undefined;
  const width = from.startsWith("0") || to.startsWith("0") ? Math.max(from.length, to.length) : 0;
  const numbers = Array.from({ length: high - low + 1 }, (_, index) => String(low + index).padStart(width, "0"));
  return { kind: "choice", choices: numbers.map((one) => [{ kind: "text", text: one }]) };
}

/** Two numbers that JavaScript counts exactly. */
const MAX_CHARS = 32;

function isOneCharacter(text: string): boolean {
  return text === String.fromCodePoint(text.codePointAt(0) ?? 0);
}
