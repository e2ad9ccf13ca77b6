/**
 * What finds matches in bytes, what was asked of it, why a pattern cannot be used, and bytes as an engine may see them.
 * `literal` compares bytes; `rust` is the Rust regex crate; `backtracking` is PCRE2, the only one that can need more
 * than linear time and then fails. Offsets are bytes of the haystack that was given, as a flat list: start, end, start,
 * end ...
 *
 * Engines see valid UTF-8 of the same length: each byte that is part of no valid sequence becomes SUB (0x1a), so
 * offsets stay true. What is lost: `.` and negated classes match such a byte, in ripgrep they do not.
 */
import { isUtf8 } from "node:buffer";
import type { ToolArguments } from "../../calls/index.ts";
import { utf8SequenceLength } from "../../text/index.ts";
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";

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
  /** How many of whole lines have a match. The count may stop anywhere above `most`; who asks cuts it off there. */
  readonly countLines: (bytes: Buffer, most: number) => number;
  /** All matches, not overlapping: in one line without its line feed, or in a whole text when matches span lines. */
  readonly spans: (bytes: Buffer) => number[];
}

type Asked = ToolArguments["grep"];

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

export function patternFailure(pattern: string, message: string): Failure {
  const reason = /^error: (.*)$/m.exec(message)?.[1] ?? message.split("\n")[0] ?? "it is not a regular expression";
  const caret = /^( *)\^+ *$/m.exec(message)?.[1];
  // The engine indents by four; patterns of several lines are numbered instead, and then only the reason is given.
  const column = caret !== undefined && !pattern.includes("\n") ? caret.length - 4 : undefined;
  const where = column === undefined || column < 0 ? "" : ` at character ${column + 1}`;
  const isUnsupported = /look-around|backreferences/.test(reason);
  return new Failure(
    isUnsupported ? "unsupported" : "invalid_input",
    `Cannot search for "${quotable(pattern)}": ${reason}${where}`,
    {
      hint: hintFor(pattern, reason),
      retry: "changed",
      ...(column === undefined ? {} : { details: { column: column + 1 } }),
    },
  );
}

export function backtrackingFailure(pattern: string, reason: string, at: number): Failure {
  return new Failure("invalid_input", `Cannot search for "${quotable(pattern)}": ${reason} at character ${at + 1}`, {
    hint: backtrackingHint(reason),
    retry: "changed",
    details: { column: at + 1 },
  });
}

function backtrackingHint(reason: string): string {
  if (/fixed length/.test(reason))
    return "Give every alternative of (?<=...) or (?<!...) a fixed length, or write what comes before as usual and \\K behind it.";
  if (/non-existent|reference/.test(reason))
    return "Groups are numbered from 1 in the order of their opening parentheses; (?:...) has no number.";
  if (/too large|too big|nested/.test(reason)) return "Make the repetition counts smaller.";
  if (/parenthes/.test(reason)) return PARENTHESIS_HINT;
  if (/quantifier/.test(reason)) return REPETITION_HINT;
  if (/class/.test(reason)) return BRACKET_HINT;
  return LITERAL_HINT;
}

const PARENTHESIS_HINT = 'Write a literal parenthesis as "\\(", or pass literal: true.';
const REPETITION_HINT = 'Write a literal *, + or ? with "\\" before it, or pass literal: true.';
const BRACKET_HINT = 'Write a literal bracket as "\\[", or pass literal: true.';
const LITERAL_HINT = "Pass literal: true to search for the text as it stands.";

/** A match took all the steps that it may. Whether there is one is not known, so there is no answer. */
export function spentFailure(pattern: string, path: string): Failure {
  return new Failure(
    "invalid_input",
    `Cannot search for "${quotable(pattern)}": a match in "${path}" takes more backtracking than it may`,
    {
      hint: "Repetitions inside of repetitions, as in (a*)*, can be matched in too many ways: write one of them, or make it possessive, as in (?:a+)++. Or leave the file out with exclude.",
      retry: "changed",
    },
  );
}

export function lineFeedFailure(pattern: string): Failure {
  return new Failure(
    "invalid_input",
    `Cannot search for "${quotable(pattern)}": it asks for a line feed, and lines hold none`,
    {
      hint: "Pass multiline: true to match across lines.",
    },
  );
}

function hintFor(pattern: string, reason: string): string {
  if (/look-around|backreferences/.test(reason))
    return 'Leave engine: "rust" out: auto takes the engine that can do this.';
  if (/size limit/.test(reason)) return "Make the repetition counts smaller.";
  const known = FIXES.find(([construct]) => construct.test(pattern));
  if (known) return known[1];
  if (looksLikeGlob(pattern))
    return `That looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
  if (/group|parenthes/.test(reason)) return PARENTHESIS_HINT;
  if (/repetition|decimal/.test(reason) && pattern.includes("{"))
    return 'Write a literal brace as "\\{", or pass literal: true.';
  if (/repetition/.test(reason)) return REPETITION_HINT;
  if (/invalid UTF-8/.test(reason))
    return "Leave (?-u) out: patterns match characters; search for bytes as literal text.";
  if (/property/.test(reason))
    return "Use a Unicode general category, script or property, for example \\p{L} or \\p{Greek}.";
  if (/flag/.test(reason)) return 'Flags are i, m, s, R, U, u and x; write a literal (? as "\\(\\?".';
  if (/class/.test(reason)) return BRACKET_HINT;
  if (/escape/.test(reason)) return 'Write a literal backslash as "\\\\", or pass literal: true.';
  return LITERAL_HINT;
}

/** What other engines have, or a slip of the pen, and what stands for it here; asked only of patterns that failed. */
const FIXES: readonly (readonly [construct: RegExp, hint: string])[] = [
  [/\\[gk]|\(\?P=/, `Leave engine: "rust" out: auto takes the engine that has references to groups.`],
  [/\(\?[>|]/, `Write (?:...), because nothing here backtracks, or pass engine: "backtracking".`],
  [/\(\?#/, "Leave the comment out, or write it as (?x) ... # comment."],
  [/\(\?\(/, `Write both branches as alternatives, or pass engine: "backtracking".`],
  [/\\Q/, "Pass literal: true in place of \\Q...\\E."],
  [/\\K/, `Leave \\K out and take the column and text of the match, or pass engine: "backtracking".`],
  [/\\h/, "Write [ \\t] in place of \\h."],
  [/\\R/, "Write \\r?\\n in place of \\R, with multiline: true."],
  [/\\Z/, "Write \\z or $ in place of \\Z."],
  [/\{,\d+\}/, "Write the lower bound: {0,3} in place of {,3}."],
  [/\[:\^?[a-z]+(?![a-z]|:\])/, "Write a named class as [[:alpha:]], with both colons inside its own brackets."],
];

/** Names and stars, such as `*.ts`, `src/*.ts` or `src/**` with names after it; no expression is written so. */
export function looksLikeGlob(pattern: string): boolean {
  return /^\*\*?\/|^(?:[\w.-]+\/)*\*\.(?:\w+|\{[\w,]+\})$|^[\w.-]+(?:\/[\w.*-]+)*\/\*\*(?:\/|$)|^\{[\w.,*]+\}$/.test(
    pattern,
  );
}
