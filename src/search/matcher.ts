/**
 * What finds matches in bytes. `literal` compares bytes; `rust` is the Rust regex crate. Offsets are in bytes of the
 * haystack that was given, as a flat list: start, end, start, end ...
 */
export interface Matcher extends Disposable {
  readonly engine: "literal" | "rust";
  /**
   * For every line with a match, the start of its first match; the second number of each pair lies in the same line. The
   * haystack is whole lines.
   */
  readonly lineHits: (bytes: Buffer) => number[];
  /** All matches, not overlapping. */
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
}

export const NEWLINE = 10;
