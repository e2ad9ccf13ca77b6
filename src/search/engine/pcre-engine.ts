/**
 * PCRE2 in WebAssembly (package @stephen-riley/pcre2-wasm), the engine of ripgrep's --pcre2: look-around, back-references,
 * and limits that end in an error. Driven without the package's own code, which wants Node's file system and copies every
 * subject once a match.
 *
 * The memory of the module is fixed at 16 MiB, so a subject is bounded, and so is what backtracking can take. A match that needs more
 * steps or memory than there is throws `BudgetSpent`: it is never "no match".
 */
import { readFileSync } from "node:fs";
// @ts-expect-error: TypeScript knows no such modules; Bun gives the path of the file, also inside the executable.
import wasmPath from "../../../node_modules/@stephen-riley/pcre2-wasm/dist/libpcre2.wasm" with { type: "file" };

export interface PcreEngine {
  /** @throws PatternError */
  readonly compile: (pattern: string, flags: string) => PcreRegex;
  /** The text that is searched from now on. @throws TextTooLong */
  readonly load: (text: string) => void;
}

export interface PcreRegex extends Disposable {
  /**
   * The first match in a part of the loaded text, which begins and ends there as far as the pattern can tell.
   * @param offset where to begin to look, in the part
   * @returns start and end in the part, in UTF-16 units
   * @throws BudgetSpent
   */
  readonly match: (from: number, to: number, offset: number) => readonly [number, number] | undefined;
}

/** The engine refuses a pattern; the message has its own words, `at` the place in the pattern. */
export class PatternError extends Error {
  readonly at: number;

  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
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

let loaded: PcreEngine | undefined;

/** One for each worker: a search is done with it before the next begins. */
export function loadPcreEngine(): PcreEngine {
  loaded ??= instantiate();
  return loaded;
}

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
    compile: (pattern, flags) => compile(wasm, heap, subject, pattern, flags),
    load(text) {
      if (text.length > MAX_PCRE_UNITS) throw new TextTooLong("the text is longer than the engine takes");
      heap.write(text, subject, "utf16le");
    },
  };
}

function broken(): never {
  throw new Error("the backtracking engine broke");
}

function compile(wasm: Exports, heap: Buffer, subject: number, pattern: string, flags: string): PcreRegex {
  const text = copyIn(wasm, heap, Buffer.from(pattern, "utf16le"));
  const letters = copyIn(wasm, heap, Buffer.from(`${flags}\0`, "latin1"));
  const code = text === 0 ? 0 : wasm._compile(text, pattern.length, letters);
  wasm._free(letters);
  wasm._free(text);
  if (code === 0) throw compileError(wasm, heap);
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

function compileError(wasm: Exports, heap: Buffer): PatternError {
  const into = wasm._malloc(MESSAGE_UNITS * 2);
  if (into === 0) return new PatternError("regular expression is too large", 0);
  const units = wasm._lastErrorMessage(into, MESSAGE_UNITS);
  const reason = heap.toString("utf16le", into, into + units * 2);
  wasm._free(into);
  return new PatternError(reason, wasm._lastErrorOffset());
}

/** 0 when there is no room. */
function copyIn(wasm: Exports, heap: Buffer, bytes: Buffer): number {
  const at = wasm._malloc(Math.max(1, bytes.length));
  if (at !== 0) bytes.copy(heap, at);
  return at;
}
