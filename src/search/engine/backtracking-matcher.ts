/**
 * A search by PCRE2 in WebAssembly (package @stephen-riley/pcre2-wasm), for what no linear engine can do: look-around
 * and back-references. The meaning is that of ripgrep's `--pcre2`: Unicode classes, each line by itself without its
 * end, one text when matches may span lines.
 *
 * What backtracking can take is bounded: a match that needs more steps or memory fails the search, because "no match"
 * would be a lie. Between matches the search looks whether it should stop.
 */
import type { Cancel } from "../../base/index.ts";
import type { Captured, Capturer } from "./capturer.ts";
import { readHir } from "./hir.ts";
import {
  maskInvalidUtf8,
  pieces,
  isInsensitive,
  type Matcher,
  type MatcherOptions,
  NEWLINE,
  lineFeedFailure,
} from "./matcher.ts";
import { CandidateLines, requiredNeedles } from "./needles.ts";
import { type PcreEngine, pcreEngine, type PcreRegex } from "./pcre-engine.ts";
import { relaxPattern } from "./relax-pattern.ts";
import { loadRustEngine } from "./rust-engine.ts";
import type { Needle } from "../../text/index.ts";

/** As ripgrep, which takes PCRE2's own: about a second. */
const MOST_STEPS = 10_000_000;
const CARRIAGE_RETURN = 13;
const MATCHES_BETWEEN_LOOKS = 64;

export class MatchStopped extends Error {}

/** @throws Failure `invalid_input` */
export async function createBacktrackingMatcher(options: MatcherOptions, cancel: Cancel): Promise<Matcher> {
  const engine = pcreEngine();
  const isCrLf = endsInCrLf(options);
  const regex = compileOptions(engine, options, isCrLf);
  const needles = await needlesOf(options);
  const candidates = needles && new CandidateLines(needles);
  const find = stoppable(regex, cancel);
  const allHits = (bytes: Buffer): number[] => {
    const hits: number[] = [];
    for (const [at, piece] of pieces(bytes)) {
      const text = maskInvalidUtf8(piece).toString("utf8");
      engine.load(text);
      for (const [line, from, to] of lines(text, piece, isCrLf)) {
        const match = find(from, to, 0);
        if (!match) continue;
        const start = at + line + bytesTo(text, from, from + match[0]);
        hits.push(start, start + bytesTo(text, from + match[0], from + Math.max(match[0], match[1])));
      }
    }
    return hits;
  };
  const lineHits = (bytes: Buffer): number[] => candidates?.search(bytes, allHits) ?? allHits(bytes);
  return {
    engine: "backtracking",
    spansLines: options.multiline === true,
    mayMatch: (bytes) => candidates?.mayMatch(bytes) ?? true,
    lineHits,
    countLines: (bytes) => lineHits(bytes).length / 2,
    spans(bytes) {
      const isEnded = !options.multiline && isCrLf && bytes.at(-1) === CARRIAGE_RETURN;
      const text = maskInvalidUtf8(isEnded ? bytes.subarray(0, -1) : bytes).toString("utf8");
      engine.load(text);
      return allMatches(text, find);
    },
    [Symbol.dispose]: () => regex[Symbol.dispose](),
  };
}

/** Whoever writes a carriage return wants to see it; for everyone else CR LF ends a line as LF does. */
function endsInCrLf({ pattern }: MatcherOptions): boolean {
  return !/\\r|\\x0d|\\x\{0*d\}|\r/i.test(pattern);
}

function stoppable(regex: PcreRegex, cancel: Cancel): PcreRegex["match"] {
  let looks = 0;
  return (from, to, offset) => {
    if (looks++ % MATCHES_BETWEEN_LOOKS === 0 && cancel.state() !== "none") throw new MatchStopped();
    return regex.match(from, to, offset);
  };
}

function compileOptions(engine: PcreEngine, options: MatcherOptions, isCrLf: boolean): PcreRegex {
  const { pattern } = options;
  const source = options.literal ? escapeLiteral(pattern) : pattern;
  const flags = `m${isInsensitive(options) ? "i" : ""}${options.dotall ? "s" : ""}`;
  // Alone first: errors then point into what the caller wrote, and ")(" cannot close the group around it.
  engine.compile(source, flags, pattern)[Symbol.dispose]();
  if (!options.multiline && asksForLineFeed(source)) throw lineFeedFailure(pattern);
  // A comment would swallow the end of the group; so would text quoted by \Q.
  const end = /\(\?\^?[a-zA-Z]*x/.test(source) ? "\\E\n)" : "\\E)";
  let body = `(?:${source}${end}`;
  if (options.word) body = `(?<!\\w)${body}(?!\\w)`;
  if (options.line) body = `^${body}$`;
  const newline = isCrLf ? "(*ANYCRLF)" : "(*LF)";
  return engine.compile(`(*UCP)${newline}(*LIMIT_MATCH=${MOST_STEPS})${body}`, flags, pattern);
}

/** Texts one of which stands in every match; `undefined` when nothing is known to. */
async function needlesOf(options: MatcherOptions): Promise<readonly Needle[] | undefined> {
  const relaxed = relaxPattern(options.literal ? escapeLiteral(options.pattern) : options.pattern);
  if (relaxed === undefined) return undefined;
  try {
    using regex = (await loadRustEngine()).compile(`(?ms${isInsensitive(options) ? "i" : ""}:${relaxed})`);
    return requiredNeedles(readHir(regex.hir()))?.needles;
  } catch {
    // What the other engine does not take is searched without.
    return undefined;
  }
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_]/gu, (sign) => `\\x{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Whether the pattern asks for a line feed, outside of classes, where it may be one of several characters. */
function asksForLineFeed(source: string): boolean {
  const bare = source.replaceAll(/\\[^n]|\[\^?\]?(?:\\.|[^\]\\])*\]/gsu, "");
  return bare.includes("\\n") || (bare.includes("\n") && !/\(\?\^?[a-zA-Z]*x/.test(source));
}

/** Where each line begins in the bytes, and begins and ends in the text. */
function* lines(text: string, bytes: Buffer, isCrLf: boolean): Iterable<[at: number, from: number, to: number]> {
  const isAscii = text.length === bytes.length;
  let at = 0;
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed;
    const isEnded = isCrLf && end > from && text.codePointAt(end - 1) === CARRIAGE_RETURN;
    yield [at, from, isEnded ? end - 1 : end];
    at = isAscii ? end + 1 : bytes.indexOf(NEWLINE, at) + 1;
    from = end + 1;
  }
}

function bytesTo(text: string, from: number, to: number): number {
  return Buffer.byteLength(text.slice(from, to), "utf8");
}

/** All matches, as offsets in UTF-8 bytes. */
function allMatches(text: string, find: PcreRegex["match"]): number[] {
  const spans: number[] = [];
  let [units, bytes] = [0, 0];
  for (const [start, end] of matchesIn(text, find)) {
    const from = bytes + bytesTo(text, units, start);
    bytes = from + bytesTo(text, start, end);
    units = end;
    spans.push(from, bytes);
  }
  return spans;
}

/** In the text that is loaded. An empty match right behind another one is none, as in ripgrep. */
function* matchesIn(text: string, find: PcreRegex["match"]): Generator<readonly [start: number, end: number]> {
  let [behind, last] = [0, -1];
  for (let offset = 0; offset <= text.length;) {
    const match = find(0, text.length, offset);
    if (!match) return;
    // \K in an assertion can put the start behind the end, or before what was given already.
    const start = Math.max(match[0], behind);
    const end = Math.max(match[1], start);
    const isEmpty = start === end;
    if (!isEmpty || end !== last) {
      behind = end;
      yield [start, end];
    }
    last = end;
    offset = isEmpty ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
}

/** @throws Failure `invalid_input` */
export function createBacktrackingCapturer(options: MatcherOptions, cancel: Cancel): Capturer {
  const engine = pcreEngine();
  const isCrLf = endsInCrLf(options);
  const regex = compileOptions(engine, options, isCrLf);
  const find = stoppable(regex, cancel);
  return {
    groups: regex.groupNames(),
    endsInCrLf: isCrLf,
    find(text, used, most) {
      engine.load(text);
      const found: Captured[] = [];
      for (const [start, end] of matchesIn(text, find)) {
        found.push({
          start,
          end,
          texts: used.map((group) => (group === 0 ? text.slice(start, end) : textOf(text, group))),
        });
        if (found.length >= most) break;
      }
      return found;
    },
    [Symbol.dispose]: () => regex[Symbol.dispose](),
  };

  function textOf(text: string, group: number): string {
    const span = regex.groupOfLast(group);
    return span ? text.slice(...span) : "";
  }
}
