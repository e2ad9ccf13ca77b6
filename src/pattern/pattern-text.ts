/**
 * The text of a pattern: which sign closes which and what stands behind a place, known before it is read, so its reader
 * never tries a way and comes back; and what stands for one character: classes (`[abc]`, `[a-z]`, `[^a]`,
 * `[[:alpha:]]`; what excludes characters excludes the slash too), ranges in braces (`{a..e}`, `{1..12}`, `{01..12}`)
 * and all cases of a character.
 */
import type { CharacterTest, PatternNode } from "./program.ts";

export class PatternText {
  readonly text: string;
  readonly closers: ReadonlyMap<number, number>;
  /** From here on there are only closing parentheses. */
  readonly tail: number;
  readonly #lastSign: number;

  constructor(text: string) {
    this.text = text;
    this.closers = findClosers(text);
    let tail = text.length;
    while (text[tail - 1] === ")") tail--;
    this.tail = tail;
    this.#lastSign = Math.max(text.lastIndexOf("/"), text.lastIndexOf("."), text.lastIndexOf("\\"));
  }

  /** `.ts` or `.{ts,tsx}`, and nothing behind it. */
  isLastEnding(at: number): boolean {
    return this.text[at] === "." && this.#lastSign === at && at + 1 < this.text.length;
  }

  /** Without what stands in the groups in it. */
  ownText(from: number, to: number): string {
    let own = "";
    for (let at = from; at < to; at++) {
      own += this.text[at];
      const isGroup = "?*+!".includes(this.text[at] ?? "") && this.text[at + 1] === "(";
      const close = isGroup ? this.closers.get(at + 1) : undefined;
      if (close !== undefined) at = close;
    }
    return own;
  }

  /** Nothing but endings: a globstar before them, as in `**.ts`, is any depth. */
  isEnding(at: number): boolean {
    return /^(?:\.\w+)+$/.test(this.text.slice(at));
  }

  /** Behind globstars that follow each other: one is enough. */
  pastRepeats(from: number): number {
    let at = from;
    while (this.text.startsWith("/**", at) && [undefined, "/"].includes(this.text[at + 3])) at += 3;
    return at;
  }

  /** A parenthesis that is closed. */
  isGroup(at: number): boolean {
    return this.text[at] === "(" && this.closers.has(at);
  }

  /** Whether a globstar before this place is one; before anything else two stars are one. */
  endsName(at: number, isInBraces: boolean): boolean {
    const next = this.text[at];
    if (next === "@") return this.isGroup(at + 1);
    if (next === "," || next === "}") return isInBraces;
    return next === undefined || "/(){".includes(next);
  }
}

/** Every reader of a pattern calls itself for each level. */
const MAX_DEPTH = 64;

/** From the place of the opening sign to that of the closing one. */
function findClosers(text: string): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  const counts = { "(": 0, "{": 0 };
  let hasClasses = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "[" && hasClasses) {
      const close = classEnd(text, at);
      // Where one finds no end none behind it does.
      if (close < 0) hasClasses = false;
      else {
        closers.set(at, close);
        at = close;
      }
    } else if (sign === "(" || sign === "{") {
      open.push(at);
      counts[sign]++;
    } else if (sign === ")" || sign === "}") {
      const wanted = sign === ")" ? "(" : "{";
      while (counts[wanted] > 0) {
        const from = open.pop() ?? 0;
        const found = text[from] === "(" ? "(" : "{";
        counts[found]--;
        if (found !== wanted) continue;
        if (open.length < MAX_DEPTH) closers.set(from, at);
        break;
      }
    }
  }
  return closers;
}

/** Where the class ends that begins there, or -1. A `]` at its beginning is one of its characters. */
function classEnd(text: string, open: number): number {
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

/** The classes that POSIX names, in ASCII, each as pairs of the first and the last character of a range. */
export const POSIX_CLASSES: ReadonlyMap<string, readonly [number, number][]> = namedClasses({
  alnum: "09AZaz",
  alpha: "AZaz",
  blank: "  \t\t",
  cntrl: "\0\x1f\x7f\x7f",
  digit: "09",
  graph: "!~",
  lower: "az",
  print: " ~",
  punct: "!/:@[`{~",
  space: "  \t\r",
  upper: "AZ",
  xdigit: "09AFaf",
});

/** What picomatch knows beyond them. */
const MORE_CLASSES: typeof POSIX_CLASSES = namedClasses({ ascii: "\0\x7f", word: "09AZaz__" });

function namedClasses(pairs: Readonly<Record<string, string>>): Map<string, [number, number][]> {
  return new Map(
    Object.entries(pairs).map(([name, text]) => [
      name,
      Array.from({ length: text.length / 2 }, (_, at) => [text.charCodeAt(at * 2), text.charCodeAt(at * 2 + 1)]),
    ]),
  );
}

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
