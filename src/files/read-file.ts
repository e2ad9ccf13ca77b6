/**
 * One file, in the form that fits it: text by lines, an image, raw bytes on request, or a description. The file is
 * opened once and everything is read from that descriptor; what a path names a moment later does not matter. Small
 * files are the hot path: one open, one fstat, one read, one hash. Above MAX_HASHED_READ_BYTES nothing is read but what
 * the answer needs.
 *
 * Several files share one answer: those whose lines are named by number share the largest answer, the others one of the
 * usual size. Each may use an equal part of what is left, so short ones leave more for those after them; a file that
 * fails says so in its place and costs the others nothing.
 */
import { answerBytes, Failure, type FailureData, limits, sha256, throwIfStopped } from "../base/index.ts";
import { failureOf, type OpenFile } from "../scope/index.ts";
import { binaryRead, readRange, refuseLarge, versionOf } from "./file-source.ts";
import type { FileRead, FilesContext, FileSource, NextRead, ReadRequest } from "./file-source.ts";
import { decodeSource, isShownImage, type MediaText, readBase64, readImage } from "./read-media.ts";
import { readLargeText, readWholeText } from "./read-text.ts";
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
  const size = Number(file.stat.size);
  refuseLarge(ctx, request.path, size, "read");
  const whole = size > limits.MAX_HASHED_READ_BYTES ? undefined : readRange(file.fd, 0, size);
  return await readHeldFile(ctx, request, file, whole);
}

/** A file that is open, for whoever has looked at what is in it. @param whole its bytes; absent where they are too many */
export async function readHeldFile(
  ctx: FilesContext,
  request: ReadRequest,
  file: OpenFile,
  whole: Buffer | undefined,
): Promise<FileRead> {
  const path = ctx.scope.show(file.at);
  const mark = whole ? { hash: sha256(whole) } : { version: versionOf(file.stat) };
  if (request.unless_hash !== undefined && request.unless_hash === (mark.hash ?? mark.version))
    return { kind: "unchanged", path, ...mark };
  const maxBytes = budgetOf(ctx, request);
  const open = { ctx, fd: file.fd, path, mark, request, maxBytes };
  const source: FileSource = whole ? { ...open, size: whole.length, whole } : { ...open, size: Number(file.stat.size) };
  if (request.encoding === "base64") return readBase64(source);
  const read = whole ? readHeldText(source, whole) : await readLargeText(source);
  if (read.kind === "text") return read;
  const { mime } = read.type;
  return isShownImage(mime) ? await readImage(source, mime) : binaryRead(source, mime);
}

/**
 * A caller that asks for a number of lines gets them if they fit at all; one that does not gets a page, in which there is
 * room for the note about it too.
 */
function budgetOf({ bounds }: FilesContext, { path, limit, maxBytes }: ReadRequest): number {
  const most = answerBytes(bounds, maxBytes ?? limit);
  const isUsual = maxBytes === undefined && limit === undefined;
  // Where a smaller room is tried out, whoever does that measures the note too.
  const isTried = bounds?.usualBytes === bounds?.mostBytes && bounds !== undefined;
  if (isUsual && !isTried) return Math.max(Math.floor(most / 2), most - headBytes({ path }) - REST_BYTES);
  return Math.max(1, Math.min(maxBytes ?? Infinity, most));
}

/** What the note says about a line that was cut, and the call that reads the rest of it. */
const REST_BYTES = 160;

function readHeldText(source: FileSource, bytes: Buffer): ReturnType<typeof readWholeText> | MediaText {
  const decoded = decodeSource(source, bytes, 0);
  if (decoded.kind === "media") return decoded;
  screenEncoding(source, bytes, decoded.text);
  return readWholeText(source, decoded.text, decoded.encoding);
}

export interface FileRange {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface FailedRead {
  readonly kind: "failed";
  readonly path: string;
  readonly failure: FailureData;
}

export interface FilesRead {
  /** In the order in which they were asked. */
  readonly files: readonly (FileRead | FailedRead)[];
  readonly truncated: boolean;
  readonly next?: { readonly files: readonly (FileRange | NextRead)[] };
}

/** Running out of time ends the list, and `next` holds the rest; @throws Failure `cancelled` */
export async function readFiles(
  ctx: FilesContext,
  request: { readonly files: readonly FileRange[] },
): Promise<FilesRead> {
  const wanted = request.files.slice(0, limits.MAX_READ_FILES);
  const files: (FileRead | FailedRead)[] = [];
  const rest: (FileRange | NextRead)[] = [];
  const usual = answerBytes(ctx.bounds, undefined);
  const unasked = wanted.filter(({ limit }) => limit === undefined).length;
  const isUsual = unasked === wanted.length;
  let left = isUsual ? usual : answerBytes(ctx.bounds, limits.MAX_READ_BYTES);
  for (const [index, range] of wanted.entries()) {
    const even = shareOf(left, wanted.length - index);
    const own = isUsual || range.limit !== undefined ? left : shareOf(usual, unasked);
    const share = Math.min(left, even, own);
    const read = left > 0 ? await readOne(ctx, range, share) : "no room";
    if (read === "out of time") {
      rest.push(...wanted.slice(index));
      break;
    }
    if (read === "no room" || (files.length > 0 && isCutByShare(read, share))) {
      rest.push(range);
      continue;
    }
    left -= contentBytes(read) + (isUsual ? headBytes(range) : 0);
    files.push(read);
    const { next } = read as { readonly next?: NextRead };
    if (next) rest.push(next);
  }
  rest.push(...request.files.slice(limits.MAX_READ_FILES));
  const truncated = rest.length > 0 || files.some((read) => "truncated" in read && read.truncated);
  return { files, truncated, ...(rest.length > 0 ? { next: { files: rest } } : {}) };
}

/** Gives room for at least the longest line: much of a few files is more useful than a little of all. */
function shareOf(bytes: number, files: number): number {
  return Math.max(limits.MAX_READ_LINE_BYTES, Math.floor(bytes / files));
}

/** Whether the first line would have fitted into an answer of its own. */
function isCutByShare(read: FileRead | FailedRead, share: number): boolean {
  return read.kind === "text" && share < limits.MAX_READ_LINE_BYTES && read.cut_lines !== undefined;
}

/** Estimates what stands above the text of a file: its head, and the note with its path, hash and next call. */
function headBytes({ path }: FileRange): number {
  return 200 + 3 * Buffer.byteLength(path);
}

async function readOne(
  ctx: FilesContext,
  range: FileRange,
  maxBytes: number,
): Promise<FileRead | FailedRead | "out of time"> {
  try {
    throwIfStopped(ctx.cancel, "reading the files");
    return await readFile(ctx, { ...range, maxBytes });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "cancelled") throw thrown;
    if (thrown.code === "timed_out") return "out of time";
    return { kind: "failed", path: range.path, failure: thrown.data };
  }
}

function contentBytes(read: FileRead | FailedRead): number {
  if (read.kind === "text") return Buffer.byteLength(read.text);
  return read.kind === "base64" || read.kind === "image" ? read.data.length : 0;
}
