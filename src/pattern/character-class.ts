/**
 * `[abc]`, `[a-z]`, `[^a]`, `[[:alpha:]]`: one character. What excludes characters excludes the slash too.
 */
import { inAnyCase } from "./fold-case.ts";
import type { CharacterTest } from "./pattern-node.ts";

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

function namedAt(
  text: string,
  at: number,
): { length: number; ranges: readonly [number, number][] } | undefined {
  if (!text.startsWith("[:", at)) return undefined;
  const [whole = "", name = ""] = /^\[:([a-z]{1,8}):\]/.exec(text.slice(at, at + 12)) ?? [];
  const ranges = NAMED.get(name);
  return ranges && { length: whole.length, ranges };
}

const DIGIT: [number, number] = [0x30, 0x39];
const UPPER: [number, number] = [0x41, 0x5a];
const LOWER: [number, number] = [0x61, 0x7a];
const NAMED: ReadonlyMap<string, readonly [number, number][]> = new Map([
  ["alnum", [DIGIT, UPPER, LOWER]],
  ["alpha", [UPPER, LOWER]],
  ["ascii", [[0, 0x7f]]],
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
  ["word", [DIGIT, UPPER, LOWER, [0x5f, 0x5f]]],
  ["xdigit", [DIGIT, [0x41, 0x46], [0x61, 0x66]]],
]);
