/**
 * One file, in the form that fits it: text by lines, an image, raw bytes on request, or a description. The file is
 * opened once and everything is read from that descriptor; what a path names a moment later does not matter.
 *
 * Small files are the hot path: one open, one fstat, one read, one hash. Above MAX_HASHED_READ_BYTES nothing is read but
 * what the answer needs.
 */
import { answerBytes, limits } from "../base/index.ts";
import { failureOf, type OpenFile } from "../scope/index.ts";
import { hashOfBytes, versionOf } from "./content-mark.ts";
import { decodeSource } from "./decode-source.ts";
import type { FileRead, ReadRequest } from "./file-read.ts";
import type { FilesContext } from "./files-context.ts";
import { binaryRead, type FileSource } from "./file-source.ts";
import { readBase64 } from "./read-base64.ts";
import { readRange } from "./read-bytes.ts";
import { isShownImage, readImage } from "./read-image.ts";
import { readLargeText } from "./read-large-text.ts";
import { readWholeText } from "./read-whole-text.ts";
import { screenEncoding } from "./screen-range.ts";

/**
 * Asynchronous only for images and large files; everything else is done when the promise is returned.
 * @throws Failure, among others `not_text`, `too_large`, `invalid_input` for a range past the end
 */
export async function readFile(ctx: FilesContext, request: ReadRequest): Promise<FileRead> {
  const at = ctx.scope.locate(request.path, "read");
  using file = ctx.scope.openFile(at, "read");
  try {
    return await readOpenFile(ctx, request, file);
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "read");
  }
}

async function readOpenFile(ctx: FilesContext, request: ReadRequest, file: OpenFile): Promise<FileRead> {
  const path = ctx.scope.show(file.at);
  const size = Number(file.stat.size);
  if (size > limits.MAX_HASHED_READ_BYTES) {
    const version = versionOf(file.stat);
    if (request.unless_hash === version) return { kind: "unchanged", path, version };
    return await readLarge({
      ctx,
      fd: file.fd,
      size,
      path,
      mark: { version },
      request,
      maxBytes: budgetOf(ctx, request),
    });
  }
  const bytes = readRange(file.fd, 0, size);
  const hash = hashOfBytes(bytes);
  if (request.unless_hash === hash) return { kind: "unchanged", path, hash };
  const source = { ctx, fd: file.fd, size: bytes.length, whole: bytes, path, mark: { hash }, request };
  return await readSmall({ ...source, maxBytes: budgetOf(ctx, request) }, bytes);
}

/** Who asks for a number of lines gets them if they fit at all; who does not gets a page. */
function budgetOf({ bounds }: FilesContext, { limit, maxBytes }: ReadRequest): number {
  return Math.max(1, Math.min(maxBytes ?? Infinity, answerBytes(bounds, maxBytes ?? limit)));
}

async function readSmall(source: FileSource, bytes: Buffer): Promise<FileRead> {
  if (source.request.encoding === "base64") return readBase64(source);
  const decoded = decodeSource(source, bytes, 0);
  if (decoded.kind === "text") screenEncoding(source, bytes, decoded.text);
  if (decoded.kind === "text") return readWholeText(source, decoded.text, decoded.encoding);
  return await readMedia(source, decoded.type.mime);
}

async function readLarge(source: FileSource): Promise<FileRead> {
  if (source.request.encoding === "base64") return readBase64(source);
  const read = await readLargeText(source);
  return read.kind === "text" ? read : await readMedia(source, read.type.mime);
}

async function readMedia(source: FileSource, mime: string): Promise<FileRead> {
  return isShownImage(mime) ? await readImage(source, mime) : binaryRead(source, mime);
}
