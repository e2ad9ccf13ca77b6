/**
 * What finds matches in bytes. `literal` compares bytes; `rust` is the Rust regex crate; `backtracking` is PCRE2, the only
 * one that can need more than linear time and then fails. Offsets are in bytes of the haystack that was given, as a flat
 * list: start, end, start, end ...
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
