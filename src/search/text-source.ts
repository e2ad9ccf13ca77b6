/**
 * A file as UTF-8 text by position: BOM left out, UTF-16 (by its BOM) transcoded, everything else the bytes as they are.
 * Reading past the end, or in a file that shrank, gives fewer bytes and never fails the search.
 */
import { readSync } from "node:fs";
import type { OpenFile } from "../scope/index.ts";

export interface TextSource {
  /** Bytes from `position`; how many there were. 0 at the end. */
  readonly read: (into: Buffer, at: number, length: number, position: number) => number;
  /** Expected; the file may change. */
  readonly size: number;
  readonly isTranscoded: boolean;
}

/** UTF-16 is transcoded in one piece; UTF-8 of it takes at most half as much again. */
const MAX_TRANSCODED_BYTES: number = 64 * 1024 * 1024;

export function openTextSource(file: OpenFile): TextSource | "too_large" {
  const head = Buffer.alloc(4);
  const got = readSync(file.fd, head, 0, 4, 0);
  const size = Number(file.stat.size);
  const encoding =
    head[0] === 0xff && head[1] === 0xfe
      ? "utf-16le"
      : head[0] === 0xfe && head[1] === 0xff
        ? "utf-16be"
        : undefined;
  if (encoding && got >= 2)
    return size > MAX_TRANSCODED_BYTES ? "too_large" : transcoded(file, size, encoding);
  const skip = got >= 3 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  return {
    size: size - skip,
    isTranscoded: false,
    read: (into, at, length, position) => readSync(file.fd, into, at, length, position + skip),
  };
}

function transcoded(file: OpenFile, size: number, encoding: "utf-16le" | "utf-16be"): TextSource {
  const raw = Buffer.alloc(size);
  let length = 0;
  for (let got = -1; got !== 0 && length < size; length += got)
    got = readSync(file.fd, raw, length, size - length, length);
  const text = Buffer.from(new TextDecoder(encoding).decode(raw.subarray(0, length)), "utf8");
  return {
    size: text.length,
    isTranscoded: true,
    read: (into, at, wanted, position) =>
      text.copy(into, at, position, Math.min(text.length, position + wanted)),
  };
}
