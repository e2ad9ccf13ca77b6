/**
 * Which engine answers: bytes when the pattern is plain text, else the Rust regex crate, and PCRE2 only for what that
 * crate refuses by design: look-around and back-references.
 */
import { Failure } from "../../base/index.ts";
import { createLiteralMatcher } from "./literal-matcher.ts";
import type { Matcher, MatcherOptions } from "./matcher.ts";
import { lineFeedFailure } from "./pattern-failure.ts";
import { createRustMatcher } from "./rust-matcher.ts";
import { foldsInAscii } from "./needles.ts";
import { fits, needleOf } from "../../text/index.ts";
import { isInsensitive } from "./smart-case.ts";

/** 10,000 alternatives of a hundred bytes; compiling more would take seconds. */
const MAX_GREP_PATTERN_BYTES: number = 1024 * 1024;

/**
 * One that takes linear time. `undefined`: the pattern needs the backtracking engine, or the caller has asked for it.
 * @throws Failure `invalid_input`, `unsupported`
 */
export async function createLinearMatcher(options: MatcherOptions): Promise<Matcher | undefined> {
  checkPattern(options.pattern);
  if (options.engine === "backtracking") return undefined;
  try {
    return await createMatcher(options);
  } catch (thrown) {
    if (options.engine === "auto" && !options.literal && needsBacktracking(options.pattern, thrown))
      return undefined;
    throw thrown;
  }
}

/** The crate names one error only, and it need not be the first thing that it cannot do. */
function needsBacktracking(pattern: string, thrown: unknown): boolean {
  if (!(thrown instanceof Failure)) return false;
  if (thrown.code === "unsupported") return true;
  return /\(\?<?[=!]|\\[gk][<{'\d]|\(\?P=/.test(outsideClasses(pattern));
}

/** The pattern without its classes and escapes. Behind a bracket that nothing closes, no other is closed: one look is enough. */
function outsideClasses(pattern: string): string {
  const start = /\\[^gk]|\[/gsu;
  const whole = /\[\^?\]?(?:\\.|[^\]\\])*\]/suy;
  let [kept, from, mayClose] = ["", 0, true];
  for (let found = start.exec(pattern); found; found = start.exec(pattern)) {
    kept += pattern.slice(from, found.index);
    from = start.lastIndex;
    if (found[0] !== "[") continue;
    whole.lastIndex = found.index;
    mayClose &&= whole.test(pattern);
    if (mayClose) from = start.lastIndex = whole.lastIndex;
    else kept += "[";
  }
  return kept + pattern.slice(from);
}

function checkPattern(pattern: string): void {
  if (Buffer.byteLength(pattern) > MAX_GREP_PATTERN_BYTES)
    throw new Failure(
      "invalid_input",
      `Cannot search: the pattern is longer than ${MAX_GREP_PATTERN_BYTES} bytes`,
    );
  if (!pattern.isWellFormed())
    throw new Failure("invalid_input", "Cannot search: the pattern holds half a surrogate pair");
}

async function createMatcher(options: MatcherOptions): Promise<Matcher> {
  const { pattern } = options;
  const isPlain = pattern !== "" && (options.literal || !/[\\^$.|?*+()[\]{}]/.test(pattern));
  const folds = isInsensitive(options) && hasCases(pattern);
  const isExact = isPlain && !options.word && !options.line && (!folds || foldsInAscii(pattern));
  const needle = needleOf(pattern, folds);
  if (!isExact || !fits([needle])) return await createRustMatcher(options);
  if (pattern.includes("\n") && !options.multiline) throw lineFeedFailure(pattern);
  return createLiteralMatcher(needle);
}

/** Anything beyond ASCII may fold in ways that only the engine knows. */
function hasCases(text: string): boolean {
  return /[A-Za-z\u0080-\u{10ffff}]/u.test(text);
}
