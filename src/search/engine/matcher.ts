/**
 * What finds matches in bytes, what was asked of it, and bytes as an engine may see them. `literal` compares bytes; `rust` is the
 * Rust regex crate; `backtracking` is PCRE2, the only one that can need more than linear time and then fails. Offsets are bytes of
 * the haystack that was given, as a flat list: start, end, start, end ...
 *
 * Engines see valid UTF-8 of the same length: each byte that is part of no valid sequence becomes SUB (0x1a), so offsets stay true.
 * What is lost: `.` and negated classes match such a byte, in ripgrep they do not.
 */
import { isUtf8 } from "node:buffer";
import type { ToolArguments } from "../../calls/index.ts";
import { utf8SequenceLength } from "../../text/index.ts";

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

type Asked = ToolArguments["grep"];

/** What the caller asked of the pattern, with its defaults. */
export type MatcherOptions = Pick<Asked, "pattern" | "literal" | "word" | "line" | "multiline" | "dotall"> & {
  readonly case: NonNullable<Asked["case"]>;
  /** `auto`: a linear engine, and the backtracking one only when the pattern needs it. */
  readonly engine: NonNullable<Asked["engine"]>;
};

export const NEWLINE = 10;

export function isInsensitive({ pattern, case: asked, literal }: MatcherOptions): boolean {
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

const SUBSTITUTE = 0x1a;

/**
 * What stands for an invalid byte when the pattern is literal text that must be a word: in ripgrep no word ends at such a
 * byte, so it is a sign of words that the text does not hold.
 */
export function wordSubstitute(literal: string): number {
  const unused = Array.from("_0123456789abcdefghijlmnopqrtuvwxyz").find(
    (sign) => !literal.toLowerCase().includes(sign),
  );
  return unused?.charCodeAt(0) ?? SUBSTITUTE;
}

let hasMasked = false;

/** Whether anything was masked since this was asked last: between two questions one file is searched. */
export function wasMasked(): boolean {
  const was = hasMasked;
  hasMasked = false;
  return was;
}

/** The bytes themselves when they are valid. */
export function maskInvalidUtf8(bytes: Buffer, substitute: number = SUBSTITUTE): Buffer {
  if (isUtf8(bytes)) return bytes;
  hasMasked = true;
  const masked = Buffer.from(bytes);
  for (let at = 0; at < masked.length;) {
    const length = utf8SequenceLength(masked, at);
    if (length === 0) masked[at] = substitute;
    at += length || 1;
  }
  return masked;
}

/** So many bytes are shown to an engine at once: a few hundred microseconds of search, a few megabytes of answer at worst. */
export const PIECE_BYTES: number = 256 * 1024;

/** The bytes in pieces that end behind a line end. */
export function* pieces(bytes: Buffer): Generator<readonly [at: number, piece: Buffer], void, undefined> {
  for (let from = 0; from < bytes.length;) {
    const cut = bytes.length - from > PIECE_BYTES ? bytes.indexOf(NEWLINE, from + PIECE_BYTES) : -1;
    const to = cut < 0 ? bytes.length : cut + 1;
    yield [from, bytes.subarray(from, to)];
    from = to;
  }
}
