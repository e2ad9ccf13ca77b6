/**
 * A search by PCRE2 in WebAssembly (package @stephen-riley/pcre2-wasm), for what no linear engine can do: look-around
 * and back-references. The meaning is that of ripgrep's `--pcre2`: Unicode classes, each line by itself without its
 * end, one text when matches may span lines. The module is driven without the package's own code, which wants Node's
 * file system and copies every subject.
 *
 * The memory of the module is fixed at 16 MiB, so a subject is bounded, and so is what backtracking can take: a match
 * that needs more steps or memory fails the search, because "no match" would be a lie. Between matches the search looks
 * whether it should stop.
 */
import type { Cancel, Failure } from "../../base/index.ts";
import { readHir } from "./hir.ts";
import {
  maskInvalidUtf8,
  pieces,
  isInsensitive,
  type Matcher,
  type MatcherOptions,
  NEWLINE,
  backtrackingFailure,
  lineFeedFailure,
} from "./matcher.ts";
import { CandidateLines, requiredNeedles } from "./needles.ts";
import { relaxPattern } from "./relax-pattern.ts";
import { loadRustEngine } from "./rust-matcher.ts";
import type { Needle } from "../../text/index.ts";
import { readFileSync } from "node:fs";
// @ts-expect-error: TypeScript knows no such modules; Bun gives the path of the file, also inside the executable.
import wasmPath from "../../../node_modules/@stephen-riley/pcre2-wasm/dist/libpcre2.wasm" with { type: "file" };

/** As ripgrep, which takes PCRE2's own: about a second. */
const MOST_STEPS = 10_000_000;
const CARRIAGE_RETURN = 13;
const MATCHES_BETWEEN_LOOKS = 64;

export class MatchStopped extends Error {}

/** @throws Failure `invalid_input` */
export async function createBacktrackingMatcher(options: MatcherOptions, cancel: Cancel): Promise<Matcher> {
  const engine = (loaded ??= instantiate());
  const isCrLf = !/\\r|\\x0d|\\x\{0*d\}|\r/i.test(options.pattern);
  const regex = compileOptions(engine, options, isCrLf);
  const needles = await needlesOf(options);
  const candidates = needles && new CandidateLines(needles);
  let looks = 0;
  const find: PcreRegex["match"] = (from, to, offset) => {
    if (looks++ % MATCHES_BETWEEN_LOOKS === 0 && cancel.state() !== "none") throw new MatchStopped();
    return regex.match(from, to, offset);
  };
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

/** All matches, as offsets in UTF-8 bytes. An empty match right behind another one is none, as in ripgrep. */
function allMatches(text: string, find: PcreRegex["match"]): number[] {
  const spans: number[] = [];
  let [units, bytes, last] = [0, 0, -1];
  for (let offset = 0; offset <= text.length;) {
    const match = find(0, text.length, offset);
    if (!match) break;
    // \K in an assertion can put the start behind the end, or before what was given already.
    const start = Math.max(match[0], units);
    const end = Math.max(match[1], start);
    const isEmpty = start === end;
    if (!isEmpty || end !== last) {
      const from = bytes + bytesTo(text, units, start);
      bytes = from + bytesTo(text, start, end);
      units = end;
      spans.push(from, bytes);
    }
    last = end;
    offset = isEmpty ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return spans;
}

interface PcreEngine {
  /** @param asked the pattern as the caller wrote it @throws Failure `invalid_input` */
  readonly compile: (pattern: string, flags: string, asked: string) => PcreRegex;
  /** The text that is searched from now on. @throws TextTooLong */
  readonly load: (text: string) => void;
}

interface PcreRegex extends Disposable {
  /**
   * The first match in a part of the loaded text, which begins and ends there as far as the pattern can tell. The place
   * where to begin to look, and the start and the end of the match, are UTF-16 units in the part. @throws BudgetSpent
   */
  readonly match: (from: number, to: number, offset: number) => readonly [number, number] | undefined;
}

/** A text would have needed more backtracking than one match may take. */
export class BudgetSpent extends Error {}

/** A line or text that does not fit into the engine. */
export class TextTooLong extends Error {}

/** The longest text, in UTF-16 units: it takes less than half of the memory that is free. */
const MAX_PCRE_UNITS: number = 1536 * 1024;

interface Exports {
  readonly _malloc: (bytes: number) => number;
  readonly _free: (at: number) => void;
  readonly _compile: (pattern: number, units: number, flags: number) => number;
  readonly _destroyCode: (code: number) => void;
  readonly _createMatchData: (code: number) => number;
  readonly _destroyMatchData: (data: number) => void;
  readonly _getOvectorPointer: (data: number) => number;
  readonly _match: (code: number, subject: number, units: number, offset: number, data: number) => number;
  readonly _lastErrorMessage: (into: number, units: number) => number;
  readonly _lastErrorOffset: () => number;
}

/** The layout of the module, as its own glue code has it. */
const MEMORY_PAGES = 256;
const TABLE_ENTRIES = 4;
const HEAP_TOP_AT = 117_184;
const HEAP_START = 5_360_256;

const NO_MATCH = -1;
/** MATCHLIMIT, NOMEMORY, DEPTHLIMIT, HEAPLIMIT */
const SPENT: readonly number[] = [-47, -48, -53, -63];
const MESSAGE_UNITS = 256;

/** One for each worker: a search is done with it before the next begins. */
let loaded: PcreEngine | undefined;

function instantiate(): PcreEngine {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const heap = Buffer.from(memory.buffer);
  const env = {
    memory,
    table: new WebAssembly.Table({ initial: TABLE_ENTRIES, maximum: TABLE_ENTRIES, element: "anyfunc" }),
    __table_base: 0,
    abortStackOverflow: broken,
    nullFunc_vii: broken,
    nullFunc_iii: broken,
    // The memory cannot grow: what does not fit is an error of the call that asked for it.
    _emscripten_resize_heap: () => 0,
    _emscripten_get_heap_size: () => heap.length,
    _emscripten_memcpy_big: (to: number, from: number, bytes: number) => {
      heap.copyWithin(to, from, from + bytes);
      return to;
    },
  };
  const module = new WebAssembly.Module(readFileSync(String(wasmPath)));
  // The version is pinned; this is what it exports.
  const wasm = new WebAssembly.Instance(module, { env }).exports as unknown as Exports;
  heap.writeUInt32LE(HEAP_START, HEAP_TOP_AT);
  const subject = wasm._malloc(MAX_PCRE_UNITS * 2);
  return {
    compile: (pattern, flags, asked) => compile({ wasm, heap, subject }, pattern, flags, asked),
    load(text) {
      if (text.length > MAX_PCRE_UNITS) throw new TextTooLong("the text is longer than the engine takes");
      heap.write(text, subject, "utf16le");
    },
  };
}

function broken(): never {
  throw new Error("the backtracking engine broke");
}

interface Loaded {
  readonly wasm: Exports;
  readonly heap: Buffer;
  /** Where the text stands that is searched. */
  readonly subject: number;
}

function compile({ wasm, heap, subject }: Loaded, pattern: string, flags: string, asked: string): PcreRegex {
  const text = copyIn(wasm, heap, Buffer.from(pattern, "utf16le"));
  const letters = copyIn(wasm, heap, Buffer.from(`${flags}\0`, "latin1"));
  const code = text === 0 ? 0 : wasm._compile(text, pattern.length, letters);
  wasm._free(letters);
  wasm._free(text);
  if (code === 0) throw compileError(wasm, heap, asked);
  const data = wasm._createMatchData(code);
  const ends = wasm._getOvectorPointer(data);
  return {
    match(from, to, offset) {
      const result = wasm._match(code, subject + from * 2, to - from, offset, data);
      if (result === NO_MATCH) return undefined;
      if (SPENT.includes(result)) throw new BudgetSpent("the match needs more backtracking than it may take");
      if (result < 0) throw new Error(`the backtracking engine answered ${result}`);
      return [heap.readUInt32LE(ends), heap.readUInt32LE(ends + 4)];
    },
    [Symbol.dispose]: () => {
      wasm._destroyMatchData(data);
      wasm._destroyCode(code);
    },
  };
}

function compileError(wasm: Exports, heap: Buffer, asked: string): Failure {
  const into = wasm._malloc(MESSAGE_UNITS * 2);
  if (into === 0) return backtrackingFailure(asked, "regular expression is too large", 0);
  const units = wasm._lastErrorMessage(into, MESSAGE_UNITS);
  const reason = heap.toString("utf16le", into, into + units * 2);
  wasm._free(into);
  return backtrackingFailure(asked, reason, wasm._lastErrorOffset());
}

/** 0 when there is no room. */
function copyIn(wasm: Exports, heap: Buffer, bytes: Buffer): number {
  const at = wasm._malloc(Math.max(1, bytes.length));
  if (at !== 0) bytes.copy(heap, at);
  return at;
}
