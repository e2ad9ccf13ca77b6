/**
 * A file as UTF-8 text by position: BOM left out, UTF-16 (by its BOM) transcoded, everything else the bytes as they are.
 * Reading past the end, or in a file that shrank, gives fewer bytes and never fails the search.
 */
import { readSync } from "node:fs";
import { sizeOfFile, type ListedFile } from "../../scope/index.ts";

export interface TextSource {
  /** Bytes from `position`; how many there were. 0 at the end. */
  readonly read: (into: Buffer, at: number, length: number, position: number) => number;
  /** Expected; the file may change. */
  readonly size: number;
  /** How many bytes of it `openTextSource` has left in the buffer, and whether that is all. */
  readonly head: number;
  readonly isWhole: boolean;
  readonly isTranscoded: boolean;
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
    isTranscoded: false,
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
    isTranscoded: true,
    read: (into, at, wanted, position) =>
      // Asking `copy` for a place behind the end is an error.
      position >= text.length ? 0 : text.copy(into, at, position, Math.min(text.length, position + wanted)),
  };
}
