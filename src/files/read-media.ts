/**
 * A file that is not shown as lines: an image as image content, written anew without its metadata, and scaled down where it is
 * too large; raw bytes as base64. An image that cannot be opened is described as a binary file, because one broken image in a
 * conversation makes model APIs refuse all of it.
 *
 * Which files are text is decided here too, and strictly: bytes that would not survive the way back are refused with their
 * offset, unless the file is plainly of another kind. Valid Unicode is text whatever its first bytes resemble; a code page
 * accepts nearly all bytes, so there known signatures come first.
 */
import { Failure, limits, throwIfStopped } from "../base/index.ts";
import type { PictureWanted, ShownPicture } from "../pictures/index.ts";
import { quotable } from "../scope/index.ts";
import { type DecodedText, decodeText, type FileType, sniffType } from "../text/index.ts";
import { binaryRead, nextRead, readSource } from "./file-source.ts";
import type { Base64Read, BinaryRead, FilesContext, FileSource, ImageRead, ReadRequest } from "./file-source.ts";
import { screenBytes } from "./screen-range.ts";

/** The image types that model APIs take; other images are described. */
const SHOWN_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** An image is held in memory one time, with its pixels beside it. */
export const MAX_PICTURE_BYTES: number = limits.MAX_EDIT_FILE_BYTES;

export function isShownImage(mime: string): boolean {
  return SHOWN_TYPES.includes(mime);
}

export async function readImage(source: FileSource, mime: string): Promise<ImageRead | BinaryRead> {
  const { path, size, mark, ctx } = source;
  if (size > MAX_PICTURE_BYTES) return binaryRead(source, mime, `the image is over ${MAX_PICTURE_BYTES} bytes`);
  const asked = source.request.maxBytes;
  const maxBytes = Math.min(limits.MAX_IMAGE_BYTES, asked === undefined ? Infinity : Math.floor(asked / 4) * 3);
  throwIfStopped(ctx.cancel, `reading "${path}"`);
  try {
    const shown = await showPicture(ctx, readSource(source, 0, size), { maxBytes });
    const { width, height, data, isScaled } = shown;
    const sent = { kind: "image", path, mime: shown.mime, data, width, height, size, ...mark } as const;
    return isScaled ? { ...sent, scaled: true } : sent;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "cancelled" || thrown.code === "timed_out") throw thrown;
    return binaryRead(source, mime, `the image cannot be shown: ${whyOf(thrown)}`);
  }
}

/** @throws Failure as `showPicture` of `pictures`, and of the process that does it */
export async function showPicture(ctx: FilesContext, bytes: Uint8Array, wanted: PictureWanted): Promise<ShownPicture> {
  if (ctx.showPicture) return await ctx.showPicture(bytes, wanted);
  return await (await import("../pictures/index.ts")).showPicture(bytes, wanted);
}

function whyOf({ message }: Failure): string {
  return message.replace(/^Cannot [^:]*: /, "");
}

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

export type MediaText = { readonly kind: "media"; readonly type: FileType };
export type SourceText = Extract<DecodedText, { kind: "text" }> | MediaText;

/**
 * @param position of the bytes in the file, for messages
 * @throws Failure `not_text`
 */
export function decodeSource(source: FileSource, bytes: Uint8Array, position: number): SourceText {
  const asked = source.request.encoding ?? "auto";
  const legacy = source.ctx.legacyEncoding;
  const decoded = decodeText(bytes, {
    encoding: asked === "base64" ? "auto" : asked,
    ...(legacy === undefined ? {} : { legacy }),
  });
  if (asked !== "auto" || (decoded.kind === "text" && isUnicode(decoded.encoding))) {
    if (decoded.kind === "text") return decoded;
    throw notText(source, decoded, position);
  }
  const type = sniffSource(source);
  if (type.kind !== "text" && type.mime !== UNKNOWN_TYPE) return { kind: "media", type };
  if (decoded.kind === "text") return decoded;
  if (isBinary(bytes, decoded.offset)) return { kind: "media", type: { mime: UNKNOWN_TYPE, kind: "binary" } };
  throw notText(source, decoded, position);
}

const UNKNOWN_TYPE = "application/octet-stream";
/** Every signature that is known lies within this. */
const SNIFF_BYTES = 4096;
/** Git and ripgrep look as far as this. */
const BINARY_SEARCH_BYTES: number = 8 * 1024;

function isUnicode(encoding: string): boolean {
  return encoding.startsWith("utf-");
}

function sniffSource(source: FileSource): FileType {
  const head = readSource(source, 0, SNIFF_BYTES);
  return sniffType(head, source.path.slice(source.path.lastIndexOf("/") + 1));
}

/** Looks for a NUL where the decoder stopped and near the beginning; broken UTF-16 is full of them, and is no binary file. */
function isBinary(bytes: Uint8Array, offset: number): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide && (bytes[2] !== 0 || bytes[3] !== 0)) return false;
  return bytes[offset] === 0 || bytes.subarray(0, BINARY_SEARCH_BYTES).includes(0);
}

function notText(source: FileSource, why: DecodedText & { kind: "not_text" }, position: number): Failure {
  const offset = Math.max(0, position + why.offset);
  const raw = "Use read_file with encoding: base64 for the raw bytes";
  const named = `${raw}, or name its own, such as encoding: windows-1252.`;
  const hint =
    (source.request.encoding ?? "auto") !== "auto"
      ? `${raw}, or encoding: auto.`
      : source.ctx.legacyEncoding
        ? named
        : `${named} The operator can also configure a legacy encoding.`;
  const state = `${why.reason} (byte offset ${offset})`;
  return new Failure("not_text", `Cannot read "${quotable(source.request.path)}": ${state}`, {
    hint,
    details: { offset },
  });
}
