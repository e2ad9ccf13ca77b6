/**
 * What finds matches in bytes, and what was asked of it. `literal` compares bytes; `rust` is the Rust regex crate;
 * `backtracking` is PCRE2, the only one that can need more than linear time and then fails. Offsets are bytes of the haystack
 * that was given, as a flat list: start, end, start, end ...
 */

export interface Matcher extends Disposable {
  readonly engine: "literal" | "rust" | "backtracking";
  /** Matches may span lines: that was asked for, and the pattern can match a line feed or looks at line ends. */
  readonly spansLines: boolean;
  /** Whether a match is possible at all; asked of a whole text, at the speed of memory. */
  readonly mayMatch: (bytes: Buffer) => boolean;
  /**
   * For every line with a match, the start of its first match; the second number of each pair lies in the same line. The
   * haystack is whole lines.
   */
  readonly lineHits: (bytes: Buffer) => number[];
  /** How many lines `lineHits` would give. */
  readonly countLines: (bytes: Buffer) => number;
  /** All matches, not overlapping: in one line without its line feed, or in a whole text when matches span lines. */
  readonly spans: (bytes: Buffer) => number[];
}

/** What the caller asked of the pattern, resolved. */
export interface MatcherOptions {
  readonly pattern: string;
  readonly literal: boolean;
  readonly case: "smart" | "sensitive" | "insensitive";
  readonly word: boolean;
  readonly line: boolean;
  readonly multiline: boolean;
  readonly dotall: boolean;
  /** `auto`: a linear engine, and the backtracking one only when the pattern needs it. */
  readonly engine: "auto" | "rust" | "backtracking";
}

export const NEWLINE = 10;

export function isInsensitive({
  pattern,
  case: asked,
  literal,
}: Pick<MatcherOptions, "pattern" | "case" | "literal">): boolean {
  if (asked !== "smart") return asked === "insensitive";
  const characters = literal ? pattern : pattern.replaceAll(SYNTAX, charactersOf);
  return characters !== "" && !/\p{Uppercase}/u.test(characters);
}

/** What is not a character that stands for itself: code points and escapes first, then what stands for no character. */
const SYNTAX =
  /\\(?:x(?<x>[0-9a-f]{2})|u(?<u>[0-9a-f]{4})|U(?<U>[0-9a-f]{8})|[xu]\{(?<hex>[0-9a-f]+)\})|\\[pP](?:\{[^}]*\}|.)|\\b\{[a-z-]*\}|\\[dswbaz<>]|\\(?<sign>.)|\(\?P?<[^>=!][^>]*>|\(\?[a-z-]*[:)]|\[:\^?[a-z]+:\]|\[\^?(?<members>\]?[^\][\\]*)\]|\{[\d, ]*\}|[.^$|()[\]*+?]/gisu;

function charactersOf(token: string): string {
  const { x, u, U, hex = x ?? u ?? U, sign, members = "" } = new RegExp(SYNTAX.source, "isu").exec(token)?.groups ?? {};
  return hex === undefined ? (sign ?? members) : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));
}
