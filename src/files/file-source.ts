/**
 * One open file on its way to an answer: everything that a form of reading needs, so that each form is a function of it.
 * `size` is that of fstat, or of the bytes when the file was read whole; nothing beyond it exists for this call.
 */
import type { FilesContext } from "./files-context.ts";
import type { BinaryRead, ContentMark, NextRead, ReadRequest } from "./file-read.ts";
import { readRange } from "./read-bytes.ts";
import type { EncodingName } from "../text/index.ts";

export interface FileSource {
  readonly ctx: FilesContext;
  readonly fd: number;
  readonly size: number;
  /** All of it, when it was read whole: what is shown is then what was hashed. */
  readonly whole?: Buffer;
  /** As callers see it. */
  readonly path: string;
  readonly mark: ContentMark;
  readonly request: ReadRequest;
  /** Of the content in the answer. */
  readonly maxBytes: number;
}

export function readSource(source: FileSource, position: number, length: number): Buffer {
  return source.whole?.subarray(position, position + length) ?? readRange(source.fd, position, length);
}

/** The same call, from another place on. */
export function nextRead(source: FileSource, offset: number): NextRead {
  const { limit, line_numbers, encoding } = source.request;
  return {
    path: source.path,
    offset,
    ...(limit === undefined ? {} : { limit }),
    ...(line_numbers === undefined ? {} : { line_numbers }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

export interface CutText {
  readonly text: string;
  readonly encoding: EncodingName;
  /** Where what is left out begins in it. */
  readonly cutAt?: number | undefined;
}

/** The rest of a line that was cut, as bytes. @param position of the text in the file */
export function restOfLine(
  { path }: FileSource,
  { text, encoding, cutAt }: CutText,
  position = 0,
): { readonly rest?: NextRead } {
  if (cutAt === undefined || (encoding !== "utf-8" && encoding !== "utf-8-bom")) return {};
  const mark = encoding === "utf-8-bom" && position === 0 ? 3 : 0;
  const before = position + mark + Buffer.byteLength(text.slice(0, cutAt));
  return { rest: { path, offset: before + 1, encoding: "base64" } };
}

export function binaryRead(source: FileSource, mime: string, note?: string): BinaryRead {
  const { path, size, mark } = source;
  return { kind: "binary", type: "binary", path, mime, size, ...mark, ...(note ? { note } : {}) };
}
