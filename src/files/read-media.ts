/**
 * A file that is not shown as lines: an image as image content, scaled down where it is too large; raw bytes as base64. An
 * image that cannot be opened is described as a binary file, because one broken image in a conversation makes model APIs
 * refuse all of it.
 */
import { Failure, limits, throwIfStopped } from "../base/index.ts";
import type { Base64Read, BinaryRead, ImageRead, ReadRequest } from "./file-read.ts";
import { binaryRead, nextRead, readSource, type FileSource } from "./file-source.ts";
import { quotable } from "../scope/index.ts";
import { screenBytes } from "./screen-range.ts";

/** The image types that model APIs take; other images are described. */
const SHOWN_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** An image is held in memory one time, with its pixels beside it. */
const MAX_SOURCE_BYTES: number = limits.MAX_EDIT_FILE_BYTES;
/** Four bytes each while scaling: 160 MB for the largest, and more than a phone's camera makes. */
const MAX_SOURCE_PIXELS = 40_000_000;
/** Longest side and quality, tried in order; 1568 is the most that models look at. */
const SCALES: readonly (readonly [side: number, quality: number])[] = [
  [1568, 85],
  [1568, 65],
  [1024, 65],
  [640, 60],
  [320, 50],
];

export function isShownImage(mime: string): boolean {
  return SHOWN_TYPES.includes(mime);
}

export async function readImage(source: FileSource, mime: string): Promise<ImageRead | BinaryRead> {
  if (source.size > MAX_SOURCE_BYTES) return binaryRead(source, mime, `the image is over ${MAX_SOURCE_BYTES} bytes`);
  const bytes = readSource(source, 0, source.size);
  try {
    return await showImage(source, bytes, mime);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : undefined;
    if (code?.startsWith("ERR_IMAGE_") !== true) throw thrown;
    const why = code === "ERR_IMAGE_TOO_MANY_PIXELS" ? "it has too many pixels" : "it is damaged";
    return binaryRead(source, mime, `the image cannot be shown: ${why}`);
  }
}

async function showImage(source: FileSource, bytes: Buffer, mime: string): Promise<ImageRead | BinaryRead> {
  const { path, size, mark } = source;
  const asked = source.request.maxBytes;
  const maxBytes = Math.min(limits.MAX_IMAGE_BYTES, asked === undefined ? Infinity : Math.floor(asked / 4) * 3);
  const { width, height } = await open(bytes).metadata();
  if (bytes.length <= maxBytes) {
    return { kind: "image", path, mime, data: bytes.toString("base64"), width, height, size, ...mark };
  }
  for (const [side, quality] of SCALES) {
    throwIfStopped(source.ctx.cancel, `reading "${path}"`);
    const image = open(bytes).resize(side, side, { fit: "inside", withoutEnlargement: true });
    const isPhoto = mime === "image/jpeg";
    // WebP keeps transparency, which JPEG would turn black.
    const scaled = await (isPhoto ? image.jpeg({ quality }) : image.webp({ quality })).buffer();
    if (scaled.length > maxBytes) continue;
    return {
      kind: "image",
      path,
      mime: isPhoto ? "image/jpeg" : "image/webp",
      data: scaled.toString("base64"),
      width: image.width,
      height: image.height,
      size,
      ...mark,
      scaled: true,
    };
  }
  return binaryRead(source, mime, `the image does not fit into ${maxBytes} bytes`);
}

function open(bytes: Buffer): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_SOURCE_PIXELS });
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
