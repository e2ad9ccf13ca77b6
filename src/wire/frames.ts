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
import { createFrameScanner, type FrameScanner } from "./frame-scanner.ts";
import { createLineBuffer } from "./line-buffer.ts";
import { RPC, type RequestId } from "./message.ts";

export type Frame =
  | { readonly kind: "line"; readonly text: string }
  | {
      readonly kind: "rejected";
      /** The line's own id when it could be read, so that its sender learns which call failed. */
      readonly id: RequestId | null;
      readonly code: number;
      readonly message: string;
    };

export interface FrameOptions {
  /** One line without its LF; a CR counts. */
  readonly maxBytes: number;
  /** Nesting of arrays and objects; `[]` is 1. */
  readonly maxDepth: number;
}

export interface Frames {
  /** Calls `onFrame` for each line that ends in the chunk. The chunk is not kept. */
  push(chunk: Uint8Array, onFrame: (frame: Frame) => void): void;
  /** End of input: a last line without a newline counts. */
  end(onFrame: (frame: Frame) => void): void;
}

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const BOM: readonly [number, number, number] = [0xef, 0xbb, 0xbf];

export function createFrames(options: FrameOptions): Frames {
  const { maxBytes, maxDepth } = options;
  // With ignoreBOM the decoder keeps U+FEFF, so that JSON.parse refuses one that is not at the start of the stream.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const pending = createLineBuffer(maxBytes);
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
      discarding = createFrameScanner();
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
    const scanner = createFrameScanner();
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
    const message = "Cannot parse the line: it is not valid UTF-8";
    return { kind: "rejected", id: null, code: RPC.parseError, message };
  }
}

function rejected(id: RequestId | null, state: string): Frame {
  return { kind: "rejected", id, code: RPC.invalidRequest, message: `Cannot read the line: ${state}` };
}
