/**
 * A text in windows of whole lines, so that a file of any size takes a bounded buffer. A line longer than the largest
 * window comes in pieces that overlap; the last piece is marked.
 *
 * A window is a view into the buffer: it holds until the next call.
 */
import type { Turn } from "../../base/index.ts";
import { NEWLINE } from "../engine/matcher.ts";
import { sharedScanner } from "../../text/index.ts";
import type { TextSource } from "./text-source.ts";

export interface Window {
  readonly bytes: Buffer;
  /** Of its first byte in the source. */
  readonly position: number;
  /** `whole`: complete lines. `piece`: part of one long line; `end`: its last part, with the line end if there is one. */
  readonly kind: "whole" | "piece" | "end";
}

/** Shared by all files of one search: a megabyte of the scanner's own memory, where needles are found without a copy. */
export class WindowBuffer {
  readonly #usual: Buffer = sharedScanner().text;
  bytes: Buffer = this.#usual;

  /** Back to the usual size after a file with a long line. */
  shrink(): void {
    this.bytes = this.#usual;
  }
}

/** The longest line that is searched as one; twice this is what a long line can cost in memory. */
const MAX_WHOLE_LINE_BYTES: number = 16 * 1024 * 1024;
/** A match of at most this length is not missed at the border of two pieces. */
const OVERLAP_BYTES: number = 64 * 1024;

/** With a promise of the next turn wherever others should have the thread. */
export function* lineWindows(
  source: TextSource,
  buffer: WindowBuffer,
  turn: Turn | undefined,
): Generator<Window | Promise<void>, void, undefined> {
  let position = 0;
  let filled = source.head;
  let isInLongLine = false;
  for (let isAtEnd = source.isWhole; !isAtEnd || filled > 0;) {
    if (!isAtEnd && filled < buffer.bytes.length) {
      const got = source.read(buffer.bytes, filled, buffer.bytes.length - filled, position + filled);
      isAtEnd = got === 0;
      filled += got;
      if (!isAtEnd && filled < buffer.bytes.length) continue;
    }
    if (filled === 0) return;
    const bytes = buffer.bytes.subarray(0, filled);
    let used: number;
    if (isInLongLine) {
      const end = bytes.indexOf(NEWLINE);
      const isEnd = end >= 0 || isAtEnd;
      used = end >= 0 ? end + 1 : filled;
      yield { bytes: bytes.subarray(0, used), position, kind: isEnd ? "end" : "piece" };
      isInLongLine = !isEnd;
      if (!isEnd) used -= OVERLAP_BYTES;
    } else {
      used = isAtEnd ? filled : bytes.lastIndexOf(NEWLINE) + 1;
      if (used > 0) yield { bytes: bytes.subarray(0, used), position, kind: "whole" };
      else if (filled < MAX_WHOLE_LINE_BYTES) buffer.bytes = grown(buffer.bytes);
      else {
        yield { bytes, position, kind: "piece" };
        isInLongLine = true;
        used = filled - OVERLAP_BYTES;
      }
    }
    buffer.bytes.copyWithin(0, used, filled);
    position += used;
    filled -= used;
    const next = turn?.pause();
    if (next) yield* keeping(buffer.bytes.subarray(0, filled), next);
  }
}

/** Others search in the same memory meanwhile. */
function* keeping(bytes: Buffer, next: Promise<void>): Generator<Promise<void>, void, undefined> {
  const kept = Buffer.from(bytes);
  yield next;
  kept.copy(bytes);
}

function grown(bytes: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes.length * 4);
  bytes.copy(larger);
  return larger;
}
