/**
 * PCRE2 in WebAssembly (package @stephen-riley/pcre2-wasm), driven without the package's own code, which wants Node's file
 * system and copies every subject. The memory of the module is fixed at 16 MiB, so a subject is bounded.
 */
import type { Failure } from "../../base/index.ts";
import { TextTooLong } from "./capturer.ts";
import { backtrackingFailure } from "./matcher.ts";
import { readFileSync } from "node:fs";
// @ts-expect-error: TypeScript knows no such modules; Bun gives the path of the file, also inside the executable.
import wasmPath from "../../../node_modules/@stephen-riley/pcre2-wasm/dist/libpcre2.wasm" with { type: "file" };

export interface PcreEngine {
  /** @param asked the pattern as the caller wrote it @throws Failure `invalid_input` */
  readonly compile: (pattern: string, flags: string, asked: string) => PcreRegex;
  /** The text that is searched from now on. @throws TextTooLong */
  readonly load: (text: string) => void;
}

export interface PcreRegex extends Disposable {
  /**
   * The first match in a part of the loaded text, which begins and ends there as far as the pattern can tell. The place
   * where to begin to look, and the start and the end of the match, are UTF-16 units in the part. @throws BudgetSpent
   */
  readonly match: (from: number, to: number, offset: number) => readonly [number, number] | undefined;
  /** Where a group of the match that was found last begins and ends, in the same units; `undefined`: it took no part. */
  readonly groupOfLast: (group: number) => readonly [number, number] | undefined;
  /** By number, the whole match first; `null` for a group without a name. */
  readonly groupNames: () => readonly (string | null)[];
}

/** A text would have needed more backtracking than one match may take. */
export class BudgetSpent extends Error {}

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
  readonly _getCaptureCount: (code: number) => number;
  readonly _getMatchNameCount: (code: number) => number;
  readonly _getMatchNameTable: (code: number) => number;
  /** In units of two bytes. */
  readonly _getMatchNameTableEntrySize: (code: number) => number;
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

export function pcreEngine(): PcreEngine {
  return (loaded ??= instantiate());
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
      return spanAt(heap, ends);
    },
    groupOfLast(group) {
      const span = spanAt(heap, ends + group * 8);
      return span[0] === UNSET ? undefined : span;
    },
    groupNames: () => groupNames(wasm, heap, code),
    [Symbol.dispose]: () => {
      wasm._destroyMatchData(data);
      wasm._destroyCode(code);
    },
  };
}

/** PCRE2_UNSET */
const UNSET = 0xffffffff;

function spanAt(heap: Buffer, at: number): readonly [number, number] {
  return [heap.readUInt32LE(at), heap.readUInt32LE(at + 4)];
}

/** An entry of the table is the number of a group and its name, ended by a zero. */
function groupNames(wasm: Exports, heap: Buffer, code: number): (string | null)[] {
  const names: (string | null)[] = Array.from({ length: wasm._getCaptureCount(code) + 1 }, () => null);
  const [table, size] = [wasm._getMatchNameTable(code), wasm._getMatchNameTableEntrySize(code) * 2];
  for (let at = table; at < table + wasm._getMatchNameCount(code) * size; at += size) {
    const name = heap.toString("utf16le", at + 2, at + size);
    names[heap.readUInt16LE(at)] = name.slice(0, name.indexOf("\0"));
  }
  return names;
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
