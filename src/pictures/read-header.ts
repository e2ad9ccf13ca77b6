/**
 * What a picture says of itself before anything is decoded: its format, its size in pixels and its frames, and where its EXIF
 * part lies. Each format is walked once, part by part, and the walk of frames ends where there are too many: a file of a few
 * megabytes can hold millions.
 */
import { damaged, type PictureBytes } from "./picture-bytes.ts";

export type PictureFormat = "png" | "jpeg" | "gif" | "webp" | "bmp";

export interface PictureHeader {
  readonly format: PictureFormat;
  /** As it is stored, before it is turned. */
  readonly width: number;
  readonly height: number;
  /** Where there are too many, the count ends at `MAX_FRAMES` and one. */
  readonly frames: number;
  /** A TIFF structure with what the camera noted. */
  readonly exif?: PictureBytes | undefined;
}

/** More are no film that anybody looks at. */
export const MAX_FRAMES = 10_000;

/** `undefined` for a format that is not decoded here. @throws Failure `invalid_input` for a damaged one */
export function readHeader(picture: PictureBytes): PictureHeader | undefined {
  const start = picture.latin(0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return readPng(picture);
  if (start.startsWith("\xff\xd8\xff")) return readJpeg(picture);
  if (/^GIF8[79]a/.test(start)) return readGif(picture);
  if (/^RIFF[^]{4}WEBP/.test(start)) return readWebp(picture);
  if (start.startsWith("BM")) return readBmp(picture);
  return undefined;
}

const PNG_SIGNATURE_BYTES = 8;

function readPng(picture: PictureBytes): PictureHeader {
  if (picture.latin(12, 4) !== "IHDR") throw damaged();
  let frames = 1;
  let exif: PictureBytes | undefined;
  for (let at = PNG_SIGNATURE_BYTES; at + 8 <= picture.length;) {
    const [length, type] = [picture.u32(at), picture.latin(at + 4, 4)];
    if (type === "acTL") frames = Math.max(1, picture.u32(at + 8));
    if (type === "eXIf") exif = picture.part(at + 8, length);
    if (type === "IEND") break;
    at += 12 + length;
  }
  return { format: "png", width: picture.u32(16), height: picture.u32(20), frames: bounded(frames), exif };
}

/** Markers that stand alone, without a length. */
const LONE_MARKER = /^[\x01\xd0-\xd8]$/;
const EXIF_MARK = "Exif\0\0";

function readJpeg(picture: PictureBytes): PictureHeader {
  let exif: PictureBytes | undefined;
  for (let at = 2; ;) {
    if (picture.u8(at) !== 0xff) throw damaged();
    const marker = picture.u8(at + 1);
    if (marker === 0xff || LONE_MARKER.test(String.fromCharCode(marker))) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = picture.u16(at + 2);
    if (length < 2) throw damaged();
    if (marker === 0xe1 && exif === undefined && picture.latin(at + 4, EXIF_MARK.length) === EXIF_MARK)
      exif = picture.part(at + 4 + EXIF_MARK.length, length - 2 - EXIF_MARK.length);
    if (isFrameMarker(marker))
      return { format: "jpeg", height: picture.u16(at + 5), width: picture.u16(at + 7), frames: 1, exif };
    at += 2 + length;
  }
}

/** SOF0 to SOF15, without the tables between them. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readGif(picture: PictureBytes): PictureHeader {
  let [width, height] = [picture.u16(6, true), picture.u16(8, true)];
  let frames = 0;
  let at = 13 + tableBytes(picture.u8(10));
  // What is cut off at the end is decoded as far as it goes.
  for (; at < picture.length && frames <= MAX_FRAMES;) {
    const kind = picture.u8(at);
    if (kind === GIF_IMAGE && at + 10 <= picture.length) {
      frames++;
      // Its frames may be larger than its screen.
      width = Math.max(width, picture.u16(at + 1, true) + picture.u16(at + 5, true));
      height = Math.max(height, picture.u16(at + 3, true) + picture.u16(at + 7, true));
      at = endOfBlocks(picture, at + 11 + tableBytes(picture.u8(at + 9)));
    } else if (kind === GIF_EXTENSION) at = endOfBlocks(picture, at + 2);
    else break;
  }
  if (frames === 0) throw damaged();
  return { format: "gif", width, height, frames };
}

const [GIF_IMAGE, GIF_EXTENSION] = [0x2c, 0x21];

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks({ bytes }: PictureBytes, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function readWebp(picture: PictureBytes): PictureHeader {
  let size = { width: 0, height: 0 };
  let frames = 0;
  let exif: PictureBytes | undefined;
  for (let at = 12; at + 8 <= picture.length && frames <= MAX_FRAMES;) {
    const [type, length] = [picture.latin(at, 4), picture.u32(at + 4, true)];
    const data = at + 8;
    if (type === "VP8X") size = { width: 1 + picture.u24(data + 4), height: 1 + picture.u24(data + 7) };
    else if (type === "ANMF") {
      // What is shown of a film is its first frame, which may be smaller than the film.
      if (frames === 0) size = { width: 1 + picture.u24(data + 6), height: 1 + picture.u24(data + 9) };
      frames++;
    } else if (type === "EXIF") exif = exifOf(picture.part(data, length));
    else if ((type === "VP8 " || type === "VP8L") && size.width === 0) size = webpSize(picture, type, data);
    at = data + length + (length % 2);
  }
  if (size.width === 0) throw damaged();
  return { format: "webp", ...size, frames: Math.max(1, frames), exif };
}

function webpSize(picture: PictureBytes, type: string, at: number): { width: number; height: number } {
  if (type === "VP8 ") return { width: picture.u16(at + 6, true) & 0x3fff, height: picture.u16(at + 8, true) & 0x3fff };
  const bits = picture.u32(at + 1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

/** Some programs put the mark of JPEG before it. */
function exifOf(part: PictureBytes): PictureBytes {
  return part.latin(0, EXIF_MARK.length) === EXIF_MARK ? part.part(EXIF_MARK.length, part.length) : part;
}

function readBmp(picture: PictureBytes): PictureHeader {
  const isOld = picture.u32(14, true) === 12;
  const width = isOld ? picture.u16(18, true) : picture.i32(18, true);
  const height = isOld ? picture.u16(20, true) : Math.abs(picture.i32(22, true));
  if (width <= 0) throw damaged();
  return { format: "bmp", width, height, frames: 1 };
}

function bounded(frames: number): number {
  return Math.min(frames, MAX_FRAMES + 1);
}
