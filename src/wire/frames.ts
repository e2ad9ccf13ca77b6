/**
 * Cuts a stream of bytes into lines (LF or CRLF), each of them valid UTF-8, within a length and a nesting depth, or a
 * refusal that can be answered. Memory stays within about `maxBytes`, whatever is sent: a longer line is scanned for its
 * id and forgotten as it arrives. The same bytes give the same frames however they are cut into chunks.
 *
 * The bracket count is an upper bound of the depth, and two native searches; only a line that has more opening brackets
 * than `maxDepth` is scanned byte by byte.
 *
 * Usual mistake: `Buffer.concat` per chunk, which is quadratic, and decoding chunks, which cuts characters.
 */
import type { RpcProblem } from "../calls/index.ts";
import { FrameScanner } from "./frame-scanner.ts";
import { RPC, type RequestId } from "./message.ts";

export type Frame = { readonly kind: "line"; readonly text: string } | Rejected;

interface Rejected extends RpcProblem {
  readonly kind: "rejected";
  /** The line's own id when it could be read, so that its sender learns which call failed. */
  readonly id: RequestId | null;
}

export interface FrameOptions {
  /** One line without its LF; a CR counts. */
  readonly maxBytes: number;
  /** Nesting of arrays and objects; `[]` is 1. */
  readonly maxDepth: number;
}

export interface Frames {
  /** Calls `onFrame` for each line that ends in the chunk. The chunk is not kept. */
  push(chunk: Uint8Array, onFrame: (frame: Frame) => void): void;
  /** Ends the input: a last line without a newline counts. */
  end(onFrame: (frame: Frame) => void): void;
}

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const BOM: readonly [number, number, number] = [0xef, 0xbb, 0xbf];

export function createFrames({ maxBytes, maxDepth }: FrameOptions): Frames {
  // With ignoreBOM the decoder keeps U+FEFF, so that JSON.parse refuses one that is not at the start of the stream.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const pending = new LineBuffer(maxBytes);
  /** Set while a line that is too long is being discarded. */
  let discarding: FrameScanner | undefined;
  let isFirstLine = true;

  function push(chunk: Uint8Array, onFrame: (frame: Frame) => void): void {
    let start = 0;
    let newline = chunk.indexOf(LF);
    if (newline >= 0 && (discarding !== undefined || pending.length > 0)) {
      addPart(chunk.subarray(0, newline));
      finishPending(onFrame);
      start = newline + 1;
      newline = chunk.indexOf(LF, start);
    }
    while (newline >= 0) {
      emit(chunk.subarray(start, newline), onFrame);
      start = newline + 1;
      newline = chunk.indexOf(LF, start);
    }
    addPart(chunk.subarray(start));
  }

  function addPart(part: Uint8Array): void {
    if (discarding === undefined && pending.length + part.length > maxBytes) {
      discarding = new FrameScanner();
      discarding.feed(pending.bytes());
      pending.clear();
    }
    if (discarding === undefined) pending.add(part);
    else discarding.feed(part);
  }

  function finishPending(onFrame: (frame: Frame) => void): void {
    if (discarding === undefined) {
      emit(pending.bytes(), onFrame);
      pending.clear();
    } else {
      const { id } = discarding;
      discarding = undefined;
      isFirstLine = false;
      onFrame(rejected(id, `it is longer than ${maxBytes} bytes`));
    }
  }

  function emit(raw: Uint8Array, onFrame: (frame: Frame) => void): void {
    if (raw.length > maxBytes) {
      addPart(raw);
      finishPending(onFrame);
      return;
    }
    const line = isFirstLine ? withoutBom(raw) : raw;
    isFirstLine = false;
    if (!isBlank(line)) onFrame(frameOf(line, maxDepth, decoder));
  }

  function end(onFrame: (frame: Frame) => void): void {
    if (discarding !== undefined || pending.length > 0) finishPending(onFrame);
  }

  return { push, end };
}

function frameOf(line: Uint8Array, maxDepth: number, decoder: TextDecoder): Frame {
  if (mayNestDeeper(line, maxDepth)) {
    const scanner = new FrameScanner();
    scanner.feed(line);
    if (scanner.depth > maxDepth) return rejected(scanner.id, `it is nested deeper than ${maxDepth} levels`);
  }
  return decode(line, decoder);
}

/** PowerShell writes a byte order mark to the pipes it makes; RFC 8259, section 8.1 lets a parser ignore it. */
function withoutBom(line: Uint8Array): Uint8Array {
  return line[0] === BOM[0] && line[1] === BOM[1] && line[2] === BOM[2] ? line.subarray(3) : line;
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) {
    if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
  }
  return true;
}

function mayNestDeeper(line: Uint8Array, maxDepth: number): boolean {
  if (line.length <= maxDepth) return false;
  const objects = countUpTo(line, OPEN_OBJECT, maxDepth + 1);
  return objects + countUpTo(line, OPEN_ARRAY, maxDepth + 1 - objects) > maxDepth;
}

function countUpTo(line: Uint8Array, byte: number, most: number): number {
  let count = 0;
  for (let at = 0; count < most; at++) {
    at = line.indexOf(byte, at);
    if (at < 0) return count;
    count++;
  }
  return count;
}

/** A CR before the newline stays in the text: to JSON it is white space. */
function decode(line: Uint8Array, decoder: TextDecoder): Frame {
  try {
    return { kind: "line", text: decoder.decode(line) };
  } catch {
    const message = "Cannot parse the line: it is not valid UTF-8. Encode every message in UTF-8.";
    return { kind: "rejected", id: null, code: RPC.parseError, message };
  }
}

function rejected(id: RequestId | null, state: string): Frame {
  return { kind: "rejected", id, code: RPC.invalidRequest, message: `Cannot read the line: ${state}` };
}

/** One chunk of a pipe; a block of this size is kept between lines. */
const SMALL_BYTES: number = 64 * 1024;
/** Fewer copies than doubling, and never more than `maxBytes` in the end. */
const GROWTH = 4;

/**
 * The bytes of one unfinished line, in one block that grows as needed. A list of chunks would also be joined only once, but a
 * peer that writes one byte at a time would cost a hundred bytes of bookkeeping for each of them, and a short rest would
 * keep its whole chunk alive.
 */
export class LineBuffer {
  length = 0;
  #block: Uint8Array = new Uint8Array(0);
  readonly #maxBytes: number;

  /** @param maxBytes bounds the growth, and must not be exceeded by the caller */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Uint8Array): void {
    const needed = this.length + part.length;
    if (needed > this.#block.length) this.#grow(needed);
    this.#block.set(part, this.length);
    this.length = needed;
  }

  /** A view, good until the next `add` or `clear`. */
  bytes(): Uint8Array {
    return this.#block.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    if (this.#block.length > SMALL_BYTES) this.#block = new Uint8Array(0);
  }

  #grow(needed: number): void {
    const size = Math.max(needed, Math.min(Math.max(this.#block.length * GROWTH, SMALL_BYTES), this.#maxBytes));
    // Not zeroed, which halves the cost of a large line: only bytes that were written are ever shown.
    const larger = Bun.allocUnsafe(size);
    larger.set(this.bytes());
    this.#block = larger;
  }
}
