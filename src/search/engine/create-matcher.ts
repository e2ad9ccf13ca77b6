/**
 * Which engine answers: bytes when the pattern is plain text, else the Rust regex crate, and PCRE2 only for what that
 * crate refuses by design: look-around and back-references.
 *
 * The matchers of the last searches are kept, because the parts and the pages of a search ask for the same one, and the
 * engine never gives back all the memory that a pattern took.
 */
import { Failure } from "../../base/index.ts";
import { countNeedleLines } from "./line-test.ts";
import { isInsensitive, type Matcher, type MatcherOptions, NEWLINE, lineFeedFailure } from "./matcher.ts";
import { foldsInAscii } from "./needles.ts";
import { createRustMatcher } from "./rust-matcher.ts";
import { fits, type Needle, needleOf, type Scanner, sharedScanner } from "../../text/index.ts";

const MAX_KEPT = 4;

interface Kept {
  readonly key: string;
  readonly matcher: Matcher;
  users: number;
}

/** The last used stand last. */
const keptMatchers = new Map<string, Kept>();

/** `undefined`: no linear engine does. @throws Failure as `createLinearMatcher` */
export async function keptMatcher(
  options: MatcherOptions,
): Promise<({ readonly matcher: Matcher } & Disposable) | undefined> {
  const { pattern, literal, case: sense, word, line, multiline, dotall, engine } = options;
  const key = JSON.stringify([pattern, literal, sense, word, line, multiline, dotall, engine]);
  const known = keptMatchers.get(key);
  const matcher = known?.matcher ?? (await createLinearMatcher(options));
  if (!matcher) return undefined;
  const one = known ?? { key, matcher, users: 0 };
  one.users++;
  keptMatchers.delete(key);
  keptMatchers.set(key, one);
  dropUnused();
  return {
    matcher,
    [Symbol.dispose]() {
      one.users--;
      dropUnused();
    },
  };
}

function dropUnused(): void {
  for (const { key, matcher, users } of keptMatchers.values()) {
    if (keptMatchers.size <= MAX_KEPT) return;
    if (users > 0) continue;
    keptMatchers.delete(key);
    matcher[Symbol.dispose]();
  }
}

/** 10,000 alternatives of a hundred bytes; compiling more would take seconds. */
const MAX_GREP_PATTERN_BYTES: number = 1024 * 1024;

/**
 * One that takes linear time. `undefined`: the pattern needs the backtracking engine, or the caller has asked for it.
 * @throws Failure `invalid_input`, `unsupported`
 */
async function createLinearMatcher(options: MatcherOptions): Promise<Matcher | undefined> {
  checkPattern(options.pattern);
  if (options.engine === "backtracking") return undefined;
  try {
    return await createMatcher(options);
  } catch (thrown) {
    if (options.engine === "auto" && !options.literal && needsBacktracking(options.pattern, thrown)) return undefined;
    throw thrown;
  }
}

/** The crate names one error only, and it need not be the first thing that it cannot do. */
function needsBacktracking(pattern: string, thrown: unknown): boolean {
  if (!(thrown instanceof Failure)) return false;
  if (thrown.code === "unsupported") return true;
  return /\(\?<?[=!]|\\[gk][<{'\d]|\(\?P=/.test(outsideClasses(pattern));
}

/**
 * The pattern without its classes and escapes. Behind a bracket that nothing closes, no other is closed: one look is
 * enough.
 */
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
    throw new Failure("invalid_input", `Cannot search: the pattern is longer than ${MAX_GREP_PATTERN_BYTES} bytes`);
  if (!pattern.isWellFormed())
    throw new Failure("invalid_input", "Cannot search: the pattern holds half a surrogate pair");
}

async function createMatcher(options: MatcherOptions): Promise<Matcher> {
  const { pattern } = options;
  const isPlain = pattern !== "" && (options.literal || !/[\\^$.|?*+()[\]{}]/.test(pattern));
  // Anything beyond ASCII may fold in ways that only the engine knows.
  const folds = isInsensitive(options) && /[A-Za-z\u0080-\u{10ffff}]/u.test(pattern);
  const isExact = isPlain && !options.word && !options.line && (!folds || foldsInAscii(pattern));
  const needle = needleOf(pattern, folds);
  if (!isExact || !fits([needle])) return await createRustMatcher(options);
  if (pattern.includes("\n") && !options.multiline) throw lineFeedFailure(pattern);
  return createLiteralMatcher(needle);
}

/** The needle is not empty. */
function createLiteralMatcher(needle: Needle): Matcher {
  const needles = [needle];
  const { length } = needle.bytes;
  const ready = (): Scanner => {
    const scanner = sharedScanner();
    scanner.load(needles);
    return scanner;
  };
  return {
    engine: "literal",
    spansLines: needle.bytes.includes(NEWLINE),
    mayMatch: (bytes) => ready().find(bytes, 0) >= 0,
    lineHits: (bytes) => linesOf(ready(), bytes).flatMap((at) => [at, at + length]),
    countLines(bytes, most) {
      const scanner = ready();
      return scanner.holds(bytes) ? countNeedleLines(scanner, bytes, most) : linesOf(scanner, bytes).length;
    },
    spans: (bytes) => spans(ready(), bytes, length),
    [Symbol.dispose]: () => {},
  };
}

function linesOf(scanner: Scanner, bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = scanner.find(bytes, 0); at >= 0;) {
    starts.push(at);
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) break;
    at = scanner.find(bytes, end + 1);
  }
  return starts;
}

function spans(scanner: Scanner, bytes: Buffer, length: number): number[] {
  const found: number[] = [];
  for (let at = scanner.find(bytes, 0); at >= 0; at = scanner.find(bytes, at + length)) found.push(at, at + length);
  return found;
}
