/**
 * Several files in one answer. Those whose lines are named by number share the largest answer, the others one of the usual
 * size. Each may use an equal part of what is left, so short ones leave more for those after them; a file that fails says so
 * in its place and costs the others nothing.
 */
import { answerBytes, Failure, limits, throwIfStopped, type FailureData } from "../base/index.ts";
import type { FileRead, NextRead } from "./file-read.ts";
import type { FilesContext } from "./files-context.ts";
import { readFile } from "./read-file.ts";

export interface ReadFilesRequest {
  readonly files: readonly FileRange[];
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
export async function readFiles(ctx: FilesContext, request: ReadFilesRequest): Promise<FilesRead> {
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
    if ("next" in read) rest.push(read.next);
  }
  rest.push(...request.files.slice(limits.MAX_READ_FILES));
  const truncated = rest.length > 0 || files.some((read) => "truncated" in read && read.truncated);
  return { files, truncated, ...(rest.length > 0 ? { next: { files: rest } } : {}) };
}

/** Room for the longest line at least: a few files with much of each are more use than a little of all. */
function shareOf(bytes: number, files: number): number {
  return Math.max(limits.MAX_READ_LINE_BYTES, Math.floor(bytes / files));
}

/** Its first line would have fitted into an answer of its own. */
function isCutByShare(read: FileRead | FailedRead, share: number): boolean {
  return read.kind === "text" && share < limits.MAX_READ_LINE_BYTES && read.cut_lines !== undefined;
}

/** About what stands above the text of a file: its head, and the note with its path, hash and next call. */
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
