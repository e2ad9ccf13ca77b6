/**
 * Which engine answers: bytes when the pattern is plain text and case matters, else the Rust regex crate. The seam for a
 * backtracking engine: a third branch, and a third name in `Matcher.engine`.
 */
import { Failure } from "../base/index.ts";
import { createLiteralMatcher } from "./literal-matcher.ts";
import type { Matcher, MatcherOptions } from "./matcher.ts";
import { lineFeedFailure } from "./pattern-failure.ts";
import { createRustMatcher } from "./rust-matcher.ts";
import { isInsensitive } from "./smart-case.ts";

/** 10,000 alternatives of a hundred bytes; compiling more would take seconds. */
const MAX_GREP_PATTERN_BYTES: number = 1024 * 1024;

/** @throws Failure `invalid_input`, `unsupported` */
export async function createMatcher(options: MatcherOptions): Promise<Matcher> {
  const { pattern } = options;
  if (Buffer.byteLength(pattern) > MAX_GREP_PATTERN_BYTES)
    throw new Failure(
      "invalid_input",
      `Cannot search: the pattern is longer than ${MAX_GREP_PATTERN_BYTES} bytes`,
    );
  if (!pattern.isWellFormed())
    throw new Failure("invalid_input", "Cannot search: the pattern holds half a surrogate pair");
  const isPlain = pattern !== "" && (options.literal || !/[\\^$.|?*+()[\]{}]/.test(pattern));
  const isExact = isPlain && !options.word && !options.line && !(isInsensitive(options) && hasCases(pattern));
  if (!isExact) return await createRustMatcher(options);
  if (pattern.includes("\n") && !options.multiline) throw lineFeedFailure(pattern);
  return createLiteralMatcher(Buffer.from(pattern, "utf8"));
}

/** Anything beyond ASCII may fold in ways that only the engine knows. */
function hasCases(text: string): boolean {
  return /[A-Za-z\u0080-\u{10ffff}]/u.test(text);
}
