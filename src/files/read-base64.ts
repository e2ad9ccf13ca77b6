/**
 * Raw bytes of a file as base64, by byte range: what is not text, or is not in the encoding that was asked. Only the
 * range is read, whatever the size of the file.
 */
import { Failure } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import type { Base64Read, ReadRequest } from "./file-read.ts";
import { nextRead, readSource, type FileSource } from "./file-source.ts";
import { screenBytes } from "./screen-range.ts";

/** @throws Failure `invalid_input` when the range begins past the end */
export function readBase64(source: FileSource): Base64Read {
  const start = firstByte(source.request, source.size);
  const fits = Math.max(3, Math.floor(source.maxBytes / 4) * 3);
  const limit = Math.max(1, source.request.limit ?? source.size);
  const wanted = Math.max(0, Math.min(limit, fits, source.size - start));
  const bytes = readSource(source, start, wanted);
  screenBytes(source, start, wanted);
  const end = start + bytes.length;
  const hasMore = bytes.length === wanted && end < source.size;
  return {
    kind: "base64",
    path: source.path,
    data: bytes.toString("base64"),
    first_byte: start + 1,
    bytes: bytes.length,
    size: source.size,
    ...source.mark,
    truncated: hasMore,
    ...(hasMore ? { next: nextRead(source, end + 1) } : {}),
  };
}

function firstByte(request: ReadRequest, size: number): number {
  const offset = request.offset ?? 1;
  if (offset < 0) return Math.max(0, size + offset);
  const start = Math.max(0, offset - 1);
  if (start === 0 || start < size) return start;
  const state = `byte ${offset} is past the end (it has ${size} bytes)`;
  throw new Failure("invalid_input", `Cannot read "${quotable(request.path)}": ${state}`, {
    hint: "With encoding: base64, offset and limit count bytes.",
  });
}
