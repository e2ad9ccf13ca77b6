/**
 * Many needles in one pass over a text, and a count of one byte, at several GB/s: scan.wat, 16 bytes at a time and more. Needles
 * are exact bytes, or fold the case of ASCII letters.
 *
 * Text that lies in the scanner's own memory (`text`) is scanned where it is; anything else is copied in pieces. So
 * searches read files straight into `text`.
 *
 * Usual mistake: to use it where a program starts: the module is loaded and assembled with the first scanner.
 */
import { compiledModule } from "../base/index.ts";
// @ts-expect-error: TypeScript knows no such modules; Bun gives the path of the file, also inside the executable.
import wasmPath from "./scan.wasm" with { type: "file" };

export interface Needle {
  /** Letters in lower case where `folds` says so. */
  readonly bytes: Buffer;
  /** By byte: whether it is an ASCII letter in either case. */
  readonly folds: readonly boolean[];
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly find: (at: number, end: number) => number;
  readonly find_one: (at: number, end: number) => number;
  readonly count: (at: number, end: number, byte: number) => number;
  readonly find_lines: (at: number, end: number, start: number, look: number, most: number) => number;
  readonly row: WebAssembly.Global<"i32">;
  readonly found: WebAssembly.Global<"i32">;
  readonly stop: WebAssembly.Global<"i32">;
}

/** A run over lines: where it stands, in the text and in the automaton, and what it has found so far. */
export interface LineRun {
  at: number;
  /** 0: behind a line that is known to match or not to match. */
  row: number;
  found: number;
  /** An empty place in a row, or a byte that the automaton knows nothing of, both at `at`. */
  stop: "end" | "unknown" | "undecided";
}

/** The numbers in a row that are no rows; `atStart` is the row at the start of a line, from which a needle is looked for. */
export const NO_ROW = { unknown: 0, found: 1, atStart: 2, undecided: 3 } as const;

/**
 * Where a run looks: everywhere; in lines that hold a needle; or from so many bytes before a needle on, until the automaton
 * is at its start again.
 */
export type Sparse = "no" | "line" | number;

/** Layout of scan.wat. */
const TABLES_AT = 0;
const BUCKETS_AT = 128;
const TWO_AT = 192;
const NEEDLES_AT = 1024;
const TEXT_AT = 65_536;
const BUCKETS = 8;
/** What the needles may take before the text, with the length and the fold of each. */
const MAX_NEEDLE_BYTES = 31_000;
/** More than a text has lines. */
const MOST_FOUND = 0x7fff_ffff;
/** The longest needle that is looked for alone: a load reaches so far behind the text, and 64 bytes; a kilobyte is free there. */
const MAX_ONE_BYTES = 512;
const TEXT_BYTES: number = 1024 * 1024;
/** The room behind the text, for text that lies elsewhere. */
const COPY_BYTES = 61_440;
const COPY_AT: number = TEXT_AT + TEXT_BYTES + 1024;
const ROWS_AT: number = 18 * 65_536;
/** As many as the memory holds. */
export const MOST_ROWS = 512;
export const ROW_NUMBERS = 256;
const STOPS: readonly LineRun["stop"][] = ["end", "unknown", "end", "end", "undecided"];

export class Scanner {
  readonly #wasm: Exports;
  readonly #memory: Buffer;
  #needles: readonly Needle[] = [];
  /** One exact needle is best left to the runtime's own search. */
  #only: Buffer | undefined;
  #hasTwo = false;
  #longest = 1;
  #rowsOf: object | undefined;

  constructor() {
    const { exports } = new WebAssembly.Instance(compiledModule("scan", String(wasmPath)));
    // The module is ours; this is what it exports.
    this.#wasm = exports as unknown as Exports;
    this.#memory = Buffer.from(this.#wasm.memory.buffer);
  }

  /** The memory into which a text is best read; the caller decides what it holds. */
  get text(): Buffer {
    return this.#memory.subarray(TEXT_AT, TEXT_AT + TEXT_BYTES);
  }

  /** Sets what `find` looks for, which costs nothing when it stays the same. @param needles none of them empty */
  load(needles: readonly Needle[]): void {
    if (needles === this.#needles) return;
    const [first] = needles;
    this.#needles = needles;
    this.#only = needles.length === 1 && !first?.folds.includes(true) ? first?.bytes : undefined;
    const memory = this.#memory;
    memory.fill(0, TABLES_AT, NEEDLES_AT);
    this.#hasTwo = needles.length === 1 && first !== undefined && first.bytes.length <= MAX_ONE_BYTES;
    if (this.#hasTwo && first)
      for (const [at, value] of [...rarestTwo(first), 1].entries()) memory.writeUInt32LE(value, TWO_AT + 4 * at);
    this.#longest = Math.max(...needles.map(({ bytes }) => bytes.length));
    const perBucket = Math.ceil(needles.length / BUCKETS);
    let at = NEEDLES_AT;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      memory.writeUInt32LE(at, BUCKETS_AT + 8 * bucket);
      for (const needle of needles.slice(bucket * perBucket, (bucket + 1) * perBucket))
        at = this.#write(needle, bucket, at);
      memory.writeUInt32LE(at, BUCKETS_AT + 8 * bucket + 4);
    }
  }

  find(bytes: Buffer, from: number): number {
    if (this.#only) return bytes.indexOf(this.#only, from);
    const at = this.#placeOf(bytes);
    if (at !== undefined) {
      const found = this.#findIn(at + from, at + bytes.length);
      return found < 0 ? -1 : found - at;
    }
    for (let start = from; start < bytes.length; start += COPY_BYTES - this.#longest) {
      const length = bytes.copy(this.#memory, COPY_AT, start, start + COPY_BYTES);
      const found = this.#findIn(COPY_AT, COPY_AT + length);
      if (found >= 0) return start + found - COPY_AT;
    }
    return -1;
  }

  count(bytes: Buffer, byte: number): number {
    const at = this.#placeOf(bytes);
    if (at !== undefined) return this.#wasm.count(at, at + bytes.length, byte);
    let sum = 0;
    for (let start = 0; start < bytes.length; start += COPY_BYTES) {
      const length = bytes.copy(this.#memory, COPY_AT, start, start + COPY_BYTES);
      sum += this.#wasm.count(COPY_AT, COPY_AT + length, byte);
    }
    return sum;
  }

  /** Whether `findLines` can go through this text: only where it lies in the scanner's own memory. */
  holds(bytes: Buffer): boolean {
    return this.#placeOf(bytes) !== undefined;
  }

  /**
   * The rows of an automaton, which only `owner` writes. The last owner may be another: `isNew` says that nothing of what
   * was written before is there any more. A row is named by its address.
   */
  rows(owner: object): { readonly rows: Uint32Array; readonly at: number; readonly isNew: boolean } {
    const isNew = this.#rowsOf !== owner;
    this.#rowsOf = owner;
    const rows = new Uint32Array(this.#wasm.memory.buffer, ROWS_AT, MOST_ROWS * ROW_NUMBERS);
    return { rows, at: ROWS_AT, isNew };
  }

  /**
   * Goes on with a run over the lines of a text that lies in the scanner's memory, until `most` are found.
   *
   * @param start the row at the start of a line; 0: every line that holds a needle is found
   */
  findLines(bytes: Buffer, run: LineRun, start: number, sparse: Sparse, most: number): void {
    const { find_lines, row, found, stop } = this.#wasm;
    row.value = run.row;
    found.value = run.found;
    const from = bytes.byteOffset;
    const look = sparse === "no" ? 0 : sparse === "line" ? 1 : sparse + 2;
    run.at = find_lines(from + run.at, from + bytes.length, start, look, Math.min(most, MOST_FOUND)) - from;
    run.row = row.value;
    run.found = found.value;
    run.stop = STOPS[stop.value] ?? "end";
  }

  #findIn(at: number, end: number): number {
    return this.#hasTwo ? this.#wasm.find_one(at, end) : this.#wasm.find(at, end);
  }

  #placeOf(bytes: Buffer): number | undefined {
    return bytes.buffer === this.#memory.buffer ? bytes.byteOffset : undefined;
  }

  /** For each of the first three places, the two nibbles of every byte that may stand there. */
  #write({ bytes, folds }: Needle, bucket: number, at: number): number {
    const memory = this.#memory;
    memory.writeUInt32LE(bytes.length, at);
    bytes.forEach((byte, place) => {
      const fold = folds[place] ? 0x20 : 0;
      memory[at + 4 + place] = byte;
      memory[at + 4 + bytes.length + place] = fold;
      if (place < 3) for (const one of fold ? [byte, byte & ~fold] : [byte]) this.#mark(place, one, bucket);
    });
    // Of a needle shorter than three bytes the last places hold anything.
    for (let place = bytes.length; place < 3; place++)
      for (let nibble = 0; nibble < 16; nibble++) this.#mark(place, nibble * 17, bucket);
    return at + 4 + 2 * bytes.length;
  }

  #mark(place: number, byte: number, bucket: number): void {
    for (const at of [TABLES_AT + place * 32 + (byte & 15), TABLES_AT + place * 32 + 16 + (byte >> 4)])
      this.#memory[at] = (this.#memory[at] ?? 0) | (1 << bucket);
  }
}

function rarestTwo({ bytes, folds }: Needle): number[] {
  const places = [...bytes.keys()];
  const share = (at: number): number => {
    const byte = bytes[at] ?? 0;
    return byteShare(byte) + (folds[at] ? byteShare(byte - 0x20) : 0);
  };
  places.sort((a, b) => share(a) - share(b));
  const [first = 0, second = first] = places;
  return [first, second].flatMap((at) => [bytes[at] ?? 0, at, folds[at] ? 0x20 : 0]);
}

export function fits(needles: readonly Needle[]): boolean {
  return needles.reduce((sum, { bytes }) => sum + bytes.length + 2, 0) <= MAX_NEEDLE_BYTES;
}

export function needleOf(text: string, isInsensitive: boolean): Needle {
  const bytes = Buffer.from(isInsensitive ? text.toLowerCase() : text, "utf8");
  return { bytes, folds: [...bytes].map((byte) => isInsensitive && byte >= 0x61 && byte <= 0x7a) };
}

let shared: Scanner | undefined;

/** The scanner of a thread, made when it is first needed: each user is done with it before the next begins. */
export function sharedScanner(): Scanner {
  shared ??= new Scanner();
  return shared;
}

const BY_FREQUENCY = ' _et0\ni\tnrEsdTaASRCcoIfMDNLPlOupFm,x1G)(;U*h2g-#vBbH=3/>Kk.Vw4"yX85W}{6Y7&:<q9QZ[]z|+\\!%@j';
const SPACE_SHARE = 0.22;
const NEXT_SHARE = 0.04;
/** Bytes that are not named: control signs, and everything outside of ASCII. */
const RARE_SHARE = 0.0002;

let shares: readonly number[] | undefined;

export function byteShare(byte: number): number {
  // Not where a program starts, which loads this.
  shares ??= Array.from({ length: 256 }, (_, at) => {
    const rank = BY_FREQUENCY.indexOf(String.fromCharCode(at));
    if (rank < 0) return RARE_SHARE;
    return rank === 0 ? SPACE_SHARE : NEXT_SHARE * Math.exp(-rank / 25);
  });
  return shares[byte] ?? RARE_SHARE;
}
