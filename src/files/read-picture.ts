/**
 * A picture by its path, or as a caller sends it: what it is by its first bytes, and its pixels as a model or a program can
 * look at them.
 */
import { Failure, sha256, unwrapBase64 } from "../base/index.ts";
import type { PictureWanted, ShownPicture } from "../pictures/index.ts";
import { failureOf, quotable } from "../scope/index.ts";
import { differsFromClaim, sniffType } from "../text/index.ts";
import { readRange, type FilesContext } from "./file-source.ts";
import { MAX_PICTURE_BYTES, showPicture } from "./read-media.ts";

export interface SentBytes {
  /** A path, or the bytes themselves in base64. */
  readonly path?: string | undefined;
  readonly data?: string | undefined;
  /** What the caller takes it for; it is not believed. */
  readonly mime_type?: string | undefined;
}

export interface PictureRequest extends SentBytes, PictureWanted {}

export interface PictureRead {
  /** Absent for one that was sent. */
  readonly path?: string;
  /** What the file is, whatever it is called. */
  readonly mime: string;
  readonly size: number;
  readonly hash: string;
  readonly shown: ShownPicture;
}

/** @throws Failure `invalid_input` for what is no picture, is not what it was taken for, or is damaged; `too_large`; `unsupported` */
export async function readPicture(ctx: FilesContext, request: PictureRequest): Promise<PictureRead> {
  const { path: _path, data: _data, mime_type: claimed, ...wanted } = request;
  const { path, name, bytes } = readSent(ctx, request, MAX_PICTURE_BYTES);
  const { mime, kind } = sniffType(bytes.subarray(0, SNIFF_BYTES), name);
  refuseOtherType(name, mime, claimed);
  if (kind !== "image")
    throw new Failure("invalid_input", `Cannot show "${name}": it is ${mime}, and no picture`, {
      hint: "Use read_file for a file that is no picture.",
    });
  const shown = await showPicture(ctx, bytes, wanted);
  return { ...(path === undefined ? {} : { path }), mime, size: bytes.length, hash: sha256(bytes), shown };
}

/** Every signature that is known lies within this. */
export const SNIFF_BYTES = 4096;

export interface SentFile {
  readonly path?: string;
  /** The last part of the path, or what stands in messages for one that was sent. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** @throws Failure `too_large`, `invalid_input`, and those of opening a file */
export function readSent(ctx: FilesContext, { path, data }: SentBytes, maxBytes: number): SentFile {
  if (path !== undefined && data === undefined) return readPath(ctx, path, maxBytes);
  if (data === undefined || path !== undefined)
    throw new Failure("invalid_input", "Cannot read what was sent: give either path or data");
  const bytes = Buffer.from(unwrapBase64(data) ?? "", "base64");
  if (bytes.length === 0) throw new Failure("invalid_input", "Cannot read what was sent: data is not base64");
  if (bytes.length > maxBytes) throw tooLarge("what was sent", bytes.length, maxBytes);
  return { name: "data", bytes };
}

function readPath(ctx: FilesContext, given: string, maxBytes: number): SentFile {
  const { scope } = ctx;
  const at = scope.locate(given, "read");
  using file = scope.openFile(at, "read");
  try {
    const path = scope.show(file.at);
    const size = Number(file.stat.size);
    if (size > maxBytes) throw tooLarge(`"${quotable(given)}"`, size, maxBytes);
    return { path, name: path.slice(path.lastIndexOf("/") + 1), bytes: readRange(file.fd, 0, size) };
  } catch (thrown) {
    throw failureOf(thrown, scope, at, "read");
  }
}

function tooLarge(what: string, bytes: number, most: number): Failure {
  return new Failure("too_large", `Cannot read ${what}: ${bytes} bytes are more than ${most}`, { hint: "" });
}

/** @throws Failure `invalid_input` */
export function refuseOtherType(name: string, mime: string, claimed: string | undefined): void {
  if (claimed === undefined || !differsFromClaim(mime, claimed)) return;
  throw new Failure("invalid_input", `Cannot take "${name}" for ${claimed}: by its first bytes it is ${mime}`, {
    hint: `Give mime_type ${mime}, or leave it out.`,
  });
}
