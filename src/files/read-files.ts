/**
 * Several files in one answer under one budget. Each file may use an equal part of what is left, so short ones leave
 * more for those after them; a file that fails says so in its place and costs the others nothing.
 */
import { Failure, limits, throwIfStopped, type FailureData } from "../base/index.ts";
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
  let budget = limits.MAX_READ_BYTES;
  for (const [index, range] of wanted.entries()) {
    const read = await readOne(ctx, range, Math.floor(budget / (wanted.length - index)));
    if (read === "out of time") {
      rest.push(...wanted.slice(index));
      break;
    }
    budget -= contentBytes(read);
    files.push(read);
    if ("next" in read) rest.push(read.next);
  }
  rest.push(...request.files.slice(limits.MAX_READ_FILES));
  const truncated = rest.length > 0 || files.some((read) => "truncated" in read && read.truncated);
  return { files, truncated, ...(rest.length > 0 ? { next: { files: rest } } : {}) };
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
