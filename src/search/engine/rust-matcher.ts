/**
 * A search by the Rust regex crate in WebAssembly (package rregex): linear time, ripgrep's syntax. Windows are cut into
 * pieces at line ends, and lines without a required literal are not shown to it. To find lines the pattern is followed
 * by "the rest of the line": one answer a line instead of one a match, and the same start, because the leftmost match
 * stays leftmost.
 */
import { Failure } from "../../base/index.ts";
import {
  asksForLineFeed,
  canSpanLines,
  type Hir,
  readHir,
  withinLines,
  withoutLeadingRepeats,
  writePattern,
} from "./hir.ts";
import { createLineTest } from "./line-test.ts";
import {
  maskInvalidUtf8,
  PIECE_BYTES,
  pieces,
  wordSubstitute,
  isInsensitive,
  type Matcher,
  type MatcherOptions,
  NEWLINE,
  lineFeedFailure,
  patternFailure,
} from "./matcher.ts";
import { CandidateLines, requiredNeedles } from "./needles.ts";
import { loadRustEngine, type RustEngine, type RustRegex } from "./rust-engine.ts";

const CARRIAGE_RETURN = 13;

/** @throws Failure `invalid_input`, `unsupported` */
export async function createRustMatcher(options: MatcherOptions): Promise<Matcher> {
  const engine = await loadRustEngine();
  const { pattern, hir, isCrLf, compiled } = resolvePattern(engine, options);
  const spansLines = options.multiline === true && canSpanLines(hir);
  const substitute = options.literal && options.word ? wordSubstitute(options.pattern) : undefined;
  const shortest = withoutLeadingRepeats(hir);
  const required = requiredNeedles(shortest);
  const candidates = required && new CandidateLines(required.needles);
  // Each takes megabytes that are never given back, and most searches use one of them.
  const all = compiled ?? compiledLater(engine, pattern, options.pattern);
  const perLine = compiledLater(engine, `(?:${pattern})[^\\n]*`, options.pattern);
  const canBeEmpty = (): boolean => all.findAll(new Uint8Array(0)).length > 0;
  const mayMatch = (bytes: Buffer): boolean => candidates?.mayMatch(bytes) ?? true;
  const lineHits = (bytes: Buffer): number[] =>
    candidates?.search(bytes, (lines) => inPieces(perLine, lines, substitute)) ?? inPieces(perLine, bytes, substitute);
  const countOthers = (lines: Buffer): number => inPieces(perLine, lines, substitute).length / 2;
  const test = spansLines ? undefined : createLineTest(shortest, required, countOthers);
  return {
    engine: "rust",
    spansLines,
    mayMatch,
    lineHits,
    countLines: (bytes, most) => test?.(bytes, most) ?? lineHits(bytes).length / 2,
    spans(bytes) {
      if (!mayMatch(bytes)) return [];
      // As in ripgrep, a carriage return at the end is no part of the line.
      const isEnded = !spansLines && isCrLf && bytes.at(-1) === CARRIAGE_RETURN;
      const masked = maskInvalidUtf8(isEnded ? bytes.subarray(0, -1) : bytes, substitute);
      // What matches nothing-at-all matches everywhere: in a large text one answer a line says as much, and is bounded.
      return (masked.length > PIECE_BYTES && canBeEmpty() ? perLine : all).findAll(masked);
    },
    [Symbol.dispose]: () => {
      all[Symbol.dispose]();
      perLine[Symbol.dispose]();
    },
  };
}

interface ResolvedPattern {
  readonly pattern: string;
  readonly hir: Hir;
  /** CR LF ends a line as LF does. */
  readonly isCrLf: boolean;
  readonly compiled?: RustRegex;
}

type Searching = Pick<RustRegex, "findAll"> & Disposable;

function compiledLater(engine: RustEngine, pattern: string, asked: string): Searching {
  let regex: RustRegex | undefined;
  return {
    findAll: (bytes) => (regex ??= compileOrFail(engine, pattern, asked)).findAll(bytes),
    [Symbol.dispose]: () => regex?.[Symbol.dispose](),
  };
}

function resolvePattern(engine: RustEngine, options: MatcherOptions): ResolvedPattern {
  const { source, flags, isCrLf, isCommented } = readPattern(options);
  // Alone first, where ")(" could close the group around it.
  if (MAY_CLOSE.test(source)) compileOrFail(engine, source, options.pattern)[Symbol.dispose]();
  let body = `(?${flags}:${source})`;
  if (isCommented) {
    // A comment would swallow the closing parenthesis, and a line feed before it would be a part of the pattern.
    using commented = compileOrFail(engine, `(?${flags})${source}`, options.pattern);
    body = `(?:${writePattern(readHir(commented.hir()))})`;
  }
  const flagged = aroundBody(options, body, isCrLf);
  const compiled = compileInGroup(engine, flagged, source, options.pattern);
  const hir = readHir(compiled.hir());
  if (options.multiline) return { pattern: flagged, hir, isCrLf, compiled };
  const isRefused = asksForLineFeed(hir);
  const within = isRefused ? undefined : withinLines(hir, isCrLf);
  if (!isRefused && !within) return { pattern: flagged, hir, isCrLf, compiled };
  compiled[Symbol.dispose]();
  if (!within) throw lineFeedFailure(options.pattern);
  return { pattern: writePattern(within), hir: within, isCrLf };
}

export interface PatternSource {
  readonly source: string;
  readonly flags: string;
  readonly isCrLf: boolean;
  /** The pattern may hold comments. */
  readonly isCommented: boolean;
}

export function readPattern(options: MatcherOptions): PatternSource {
  const source = options.literal ? escapeLiteral(options.pattern) : options.pattern;
  const isCrLf = !NAMES_CARRIAGE_RETURN.test(options.pattern);
  const flags = `m${isCrLf ? "R" : ""}${isInsensitive(options) ? "i" : ""}${options.dotall ? "s" : ""}`;
  return { source, flags, isCrLf, isCommented: /\(\?[a-zA-Z-]*x/.test(source) };
}

export function aroundBody({ word, line }: MatcherOptions, inner: string, isCrLf: boolean): string {
  let body = inner;
  if (word) body = `\\b{start-half}${body}\\b{end-half}`;
  if (line) body = `^${body}$`;
  return `(?${isCrLf ? "mR" : "m"}:${body})`;
}

/** A parenthesis that is not escaped. */
const MAY_CLOSE = /^(?:[^\\)]|\\[^])*\)/;

/** Errors point into what the caller wrote: what does not compile in the group around it is tried alone. */
function compileInGroup(engine: RustEngine, flagged: string, source: string, asked: string): RustRegex {
  try {
    return compileOrFail(engine, flagged, asked);
  } catch (thrown) {
    if (thrown instanceof Failure) compileOrFail(engine, source, asked)[Symbol.dispose]();
    throw thrown;
  }
}

/** Whoever writes `\r` wants to see it; for everyone else CR LF ends a line as LF does (ripgrep's --crlf). */
const NAMES_CARRIAGE_RETURN = /\\r|\\x0d|\\u000d|\\U0000000d|\\[xu]\{0*d\}|\r/i;

export function compileOrFail(engine: RustEngine, pattern: string, asked: string): RustRegex {
  try {
    return engine.compile(pattern);
  } catch (thrown) {
    // The engine itself broke: that says nothing about the pattern.
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    throw patternFailure(asked, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_\s]/gu, (sign) => `\\x{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function inPieces(regex: Searching, bytes: Buffer, substitute: number | undefined): number[] {
  const hits: number[] = [];
  for (const [from, piece] of pieces(bytes)) {
    const found = regex.findAll(maskInvalidUtf8(piece, substitute));
    // An empty match behind the last line end is in no line.
    if (found.length > 0 && found.at(-2) === piece.length && piece.at(-1) === NEWLINE) found.length -= 2;
    for (const offset of found) hits.push(from + offset);
  }
  return hits;
}
