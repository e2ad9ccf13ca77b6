/**
 * What is known of a pattern before it is read: which sign closes which, and what stands behind a place. So its reader never
 * tries a way and comes back.
 */
import { classEnd } from "./character-class.ts";

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
