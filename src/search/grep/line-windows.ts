/**
 * A file as UTF-8 text, in windows of whole lines, so that a file of any size takes a bounded buffer. A BOM is left out,
 * UTF-16 (told by its BOM) is transcoded, everything else is given as it is. A line longer than the largest window comes in
 * pieces that overlap, the last of them marked. A file that shrinks meanwhile gives fewer bytes and never fails the search.
 *
 * A window is a view into the buffer: it holds until the next call.
 */
import { readSync } from "node:fs";
import type { JobTurn } from "../../base/index.ts";
import { type ListedFile, sizeOfFile } from "../../scope/index.ts";
import { NEWLINE } from "../engine/matcher.ts";
import { sharedScanner } from "../../text/index.ts";

export interface Window {
  readonly bytes: Buffer;
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
  turn: JobTurn | undefined,
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

export interface TextSource {
  /** Bytes from `position`; how many there were. 0 at the end. */
  readonly read: (into: Buffer, at: number, length: number, position: number) => number;
  /** Expected; the file may change. */
  readonly size: number;
  /** How many bytes of it `openTextSource` has left in the buffer, and whether that is all. */
  readonly head: number;
  readonly isWhole: boolean;
}

/** @returns fewer bytes at the end of the source */
export function readRange(source: TextSource, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  for (let got = -1; got !== 0 && filled < length; filled += got)
    got = source.read(bytes, filled, length - filled, from + filled);
  return bytes.subarray(0, filled);
}

/** UTF-16 is transcoded in one piece; UTF-8 of it takes at most half as much again. */
const MAX_TRANSCODED_BYTES: number = 64 * 1024 * 1024;

/** Both bytes of a byte order mark, 0xff and 0xfe, in either order. */
const UTF16_MARK = 0x1fd;

/**
 * @param into where the text begins to stand already when this returns: `source.head` bytes from position 0. Nearly every
 * file fits, and is read by one call of the system.
 */
export function openTextSource(file: ListedFile, into: Buffer): TextSource | "too_large" {
  const got = readSync(file.fd, into, 0, into.length, 0);
  // What does not fill the buffer is all there is.
  const size = file.size ?? (got < into.length ? got : sizeOfFile(file.fd));
  if (size === undefined) throw Object.assign(new Error("it is no file any more"), { syscall: "read" });
  const first = got >= 2 ? into[0] : 0;
  if (first === 0xff || first === 0xfe) {
    const encoding = into[1] === 0xfe ? "utf-16le" : "utf-16be";
    if (first + (into[1] ?? 0) === UTF16_MARK)
      return size > MAX_TRANSCODED_BYTES ? "too_large" : transcoded(file, size, encoding);
  }
  const skip = first === 0xef && got >= 3 && into[1] === 0xbb && into[2] === 0xbf ? 3 : 0;
  if (skip > 0) into.copyWithin(0, skip, got);
  return {
    size: size - skip,
    head: got - skip,
    isWhole: got < into.length && got >= size,
    read: (buffer, at, length, position) => readSync(file.fd, buffer, at, length, position + skip),
  };
}

function transcoded(file: ListedFile, size: number, encoding: "utf-16le" | "utf-16be"): TextSource {
  const raw = Buffer.alloc(size);
  let length = 0;
  for (let got = -1; got !== 0 && length < size; length += got)
    got = readSync(file.fd, raw, length, size - length, length);
  const text = Buffer.from(new TextDecoder(encoding).decode(raw.subarray(0, length)), "utf8");
  return {
    size: text.length,
    head: 0,
    isWhole: false,
    read: (into, at, wanted, position) =>
      // Asking `copy` for a place behind the end is an error.
      position >= text.length ? 0 : text.copy(into, at, position, Math.min(text.length, position + wanted)),
  };
}
