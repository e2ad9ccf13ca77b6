/**
 * A picture for a model: looked at before it is decoded, then decoded, cut, made smaller and written anew, so that nothing of
 * the file but its pixels, and the colour profile of a JPEG or WebP, goes on. Metadata and whatever stands behind the picture
 * stay behind.
 *
 * The decoder is the runtime's own and not that of the system, which would bring formats and faults of each machine.
 *
 * Usual mistake: to send a small file as it is. It names the place where it was taken, and it may be another file as well.
 */
import { Failure } from "../base/index.ts";
import { cropPng, type PictureRegion } from "./crop-png.ts";
import { damaged, PictureBytes } from "./picture-bytes.ts";
import { readExif, type CameraNotes } from "./read-exif.ts";
import { MAX_FRAMES, readHeader, type PictureFormat, type PictureHeader } from "./read-header.ts";
import { stillWebp } from "./still-webp.ts";
import { stripPng } from "./strip-png.ts";

/** Four bytes each while scaling: 160 MB for the largest, and more than a phone's camera makes. */
export const MAX_PICTURE_PIXELS = 40_000_000;
/** The longest side that models look at. */
export const MODEL_SIDE = 1568;

export interface PictureWanted {
  /** The most that the answer may have. */
  readonly maxBytes: number;
  /** The longest side of the answer. Default: as it is, and smaller where it has too many bytes. */
  readonly maxSide?: number | undefined;
  readonly region?: PictureRegion | undefined;
  /** Also without losses, for a program that reads it. */
  readonly png?: { readonly maxBytes: number; readonly maxSide: number } | undefined;
}

export interface PictureFacts extends CameraNotes {
  readonly format: PictureFormat;
  /** Upright, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

export interface ShownPicture {
  readonly mime: "image/png" | "image/jpeg" | "image/webp";
  /** base64 */
  readonly data: string;
  readonly width: number;
  readonly height: number;
  /** There are fewer pixels than in the picture, or in the part of it that was wanted. */
  readonly isScaled: boolean;
  /** base64 */
  readonly png?: string | undefined;
  readonly facts: PictureFacts;
}

/**
 * @throws Failure `unsupported` for a format that is not decoded, `too_large` for too many pixels or frames, and where it
 *   does not fit at any size; `invalid_input` when it is damaged, and for a region that does not lie in it
 */
export async function showPicture(bytes: Uint8Array, wanted: PictureWanted): Promise<ShownPicture> {
  const header = readHeader(new PictureBytes(bytes));
  if (!header) throw notDecoded();
  if (header.width === 0 || header.height === 0) throw damaged();
  refuseBomb(header);
  const facts = factsOf(header);
  if (wanted.region) refuseOutside(wanted.region, facts);
  Bun.Image.backend = "bun";
  try {
    // A JPEG is turned by its decoder.
    const orientation = header.format === "jpeg" ? undefined : facts.orientation;
    const pixels = await prepare(stillWebp(stripPng(bytes)), orientation, wanted.region);
    const made = await makeAnew(pixels, facts, wanted, bytes.length);
    const png = wanted.png && (await makeAnew(pixels, facts, { ...wanted, ...wanted.png, asPng: true }, bytes.length));
    return { ...made, ...(png ? { png: png.data } : {}), facts };
  } catch (thrown) {
    if (codeOf(thrown)?.startsWith("ERR_IMAGE_TOO_MANY") === true) throw tooManyPixels();
    if (codeOf(thrown)?.startsWith("ERR_IMAGE_") === true) throw damaged();
    throw thrown;
  }
}

/**
 * Refuses a picture by its beginning, where that is enough to know that all of it would be refused; the rest need not come then.
 *
 * @throws Failure `unsupported`, `too_large`
 */
export function refuseBeginning(head: Uint8Array): void {
  const header = headerIn(head);
  if (header === "none") throw notDecoded();
  if (header !== "cut") refuseBomb(header);
}

function headerIn(head: Uint8Array): PictureHeader | "none" | "cut" {
  try {
    return readHeader(new PictureBytes(head)) ?? "none";
  } catch (thrown) {
    if (thrown instanceof Failure) return "cut";
    throw thrown;
  }
}

function refuseBomb({ width, height, frames }: PictureHeader): void {
  if (width * height > MAX_PICTURE_PIXELS) throw tooManyPixels();
  if (frames > MAX_FRAMES)
    throw new Failure("too_large", `Cannot show the picture: it has more than ${MAX_FRAMES} frames`, { hint: "" });
}

function factsOf({ format, width, height, frames, exif }: PictureHeader): PictureFacts {
  const notes = readExif(exif);
  const isTurned = (notes.orientation ?? 1) >= 5;
  return { format, width: isTurned ? height : width, height: isTurned ? width : height, frames, ...notes };
}

function refuseOutside({ x, y, width, height }: PictureRegion, facts: PictureFacts): void {
  if (x + width <= facts.width && y + height <= facts.height) return;
  throw new Failure("invalid_input", "Cannot show the region: it does not lie in the picture", {
    hint: `The picture is ${facts.width} x ${facts.height} pixels.`,
  });
}

/** The picture upright, or a part of it; the bytes themselves where nothing is to be done. */
async function prepare(bytes: Uint8Array, orientation = 1, region: PictureRegion | undefined): Promise<Uint8Array> {
  if (!region && orientation === 1) return bytes;
  const png = await turnUpright(open(bytes), orientation).png({ compressionLevel: 0 }).buffer();
  return region ? await cropPng(png, region) : png;
}

/** Rotates clockwise before it mirrors, as the decoder does in whatever order it is told. */
function turnUpright(image: Bun.Image, orientation: number): Bun.Image {
  const quarters = { 3: 2, 5: 1, 6: 1, 7: 3, 8: 3 }[orientation] ?? 0;
  const turned = quarters === 0 ? image : image.rotate(quarters * 90);
  if (orientation === 4) return turned.flip();
  return [2, 5, 7].includes(orientation) ? turned.flop() : turned;
}

/** Longest side and quality, tried in order after what was wanted. */
const SCALES: readonly (readonly [side: number, quality: number])[] = [
  [MODEL_SIDE, 85],
  [MODEL_SIDE, 65],
  [1024, 65],
  [640, 60],
  [320, 50],
];

async function makeAnew(
  bytes: Uint8Array,
  { format, ...whole }: PictureFacts,
  { maxBytes, maxSide, region, asPng = false }: PictureWanted & { readonly asPng?: boolean },
  sourceBytes: number,
): Promise<Omit<ShownPicture, "facts" | "png">> {
  const { width, height } = region ?? whole;
  const longest = Math.max(width, height);
  // A file that is far too large does not fit whole: that it does not is not tried.
  const first = maxSide ?? (sourceBytes <= maxBytes || asPng ? longest : undefined);
  const scales = [...(first === undefined ? [] : [[first, 90] as const]), ...SCALES].filter(
    ([side], index) => index === 0 || side <= (maxSide ?? side),
  );
  for (const [side, quality] of scales) {
    const isScaled = side < longest;
    // Without losses where it is small already: text and lines stay sharp.
    const kinds = asPng ? (["png"] as const) : isPhoto(format) ? (["jpeg"] as const) : kindsOf(isScaled);
    for (const kind of kinds) {
      const made = await encode(bytes, { side, quality, kind, isScaled });
      if (made.data.length > maxBytes) continue;
      const { data, ...size } = made;
      return { mime: `image/${kind}`, data: data.toString("base64"), ...size, isScaled };
    }
  }
  throw new Failure("too_large", `Cannot show the picture: it does not fit into ${maxBytes} bytes`);
}

function isPhoto(format: PictureFormat): boolean {
  return format === "jpeg";
}

/** WebP keeps transparency, which JPEG would turn black. */
function kindsOf(isScaled: boolean): readonly ("png" | "webp")[] {
  return isScaled ? ["webp"] : ["png", "webp"];
}

interface Encoding {
  readonly side: number;
  readonly quality: number;
  readonly kind: "png" | "jpeg" | "webp";
  readonly isScaled: boolean;
}

async function encode(bytes: Uint8Array, { side, quality, kind, isScaled }: Encoding) {
  const image = open(bytes);
  if (isScaled) image.resize(side, side, { fit: "inside", withoutEnlargement: true });
  const typed = kind === "png" ? image.png() : kind === "jpeg" ? image.jpeg({ quality }) : image.webp({ quality });
  const data = await typed.buffer();
  return { data, width: image.width, height: image.height };
}

function open(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_PICTURE_PIXELS });
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : undefined;
}

function notDecoded(): Failure {
  return new Failure("unsupported", "Cannot show the picture: only PNG, JPEG, GIF, WebP and BMP are decoded", {
    hint: "Convert it first, where a command for that is declared.",
  });
}

function tooManyPixels(): Failure {
  return new Failure("too_large", `Cannot show the picture: it has more than ${MAX_PICTURE_PIXELS / 1e6} megapixels`, {
    hint: "Convert it to a smaller one first, where a command for that is declared.",
  });
}
