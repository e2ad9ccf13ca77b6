/**
 * Pictures that tests look at, made byte by byte: of any size and with any notes, and those that lie about themselves.
 */
import { crc32, deflateSync } from "node:zlib";

export const SIGNATURE: Buffer = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}

export function pngHeader(width: number, height: number, depth = 8, colour = 2): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, 0], 8);
  return chunk("IHDR", header);
}

type Colour = readonly [red: number, green: number, blue: number];

/** An RGB picture. @param extra chunks before its pixels */
export function makePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour = () => [200, 30, 30],
  extra: readonly Buffer[] = [],
): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (width * 3 + 1) + 1 + x * 3);
  return Buffer.concat([
    SIGNATURE,
    pngHeader(width, height),
    ...extra,
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Says that it has so many pixels, of one bit each, and has them. */
export function hugePng(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    SIGNATURE,
    pngHeader(width, height, 1, 0),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A small picture with a part that becomes so many bytes when it is unpacked. */
export function chunkBomb(type: "iCCP" | "zTXt", bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes), { level: 9 });
  return makePng(4, 4, undefined, [chunk(type, Buffer.concat([Buffer.from("x\0\0"), packed]))]);
}

export function makeGif(frames: number): Buffer {
  const head = Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  const frame = Buffer.from("\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1");
  return Buffer.concat([head, Buffer.alloc(frame.length * frames, frame), Buffer.from(";")]);
}

function webpPart(type: string, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat(data);
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function webpSize(width: number, height: number): Buffer {
  const size = Buffer.alloc(6);
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  return size;
}

/** A film in WebP whose frames are the pictures. */
export async function makeFilm(pngs: readonly Buffer[]): Promise<Buffer> {
  const frames = await Promise.all(
    pngs.map(async (png) => {
      const image = new Bun.Image(png).webp({ quality: 90 });
      const still = await image.buffer();
      // A picture with transparency has a header of its own, which a frame has not.
      const pixels = still.subarray(still.toString("latin1", 12, 16) === "VP8X" ? 30 : 12);
      const place = Buffer.concat([Buffer.alloc(6), webpSize(image.width, image.height), Buffer.from([100, 0, 0, 0])]);
      return webpPart("ANMF", place, pixels);
    }),
  );
  const canvas = webpPart("VP8X", Buffer.from([0x12, 0, 0, 0]), webpSize(60, 50));
  return webpPart("RIFF", Buffer.from("WEBP"), canvas, webpPart("ANIM", Buffer.alloc(6)), ...frames);
}

/** An icon whose only entry is another icon, and so on. */
export function nestedIcon(depth: number): Buffer {
  let inside = makePng(1, 1);
  for (let level = 0; level < depth; level++) {
    const head = Buffer.alloc(22);
    head.set([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 32, 0]);
    head.writeUInt32LE(inside.length, 14);
    head.writeUInt32LE(22, 18);
    inside = Buffer.concat([head, inside]);
  }
  return inside;
}

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, data]);
}

/** Calls itself HEIC, and claims a billion pixels in its boxes. */
export function lyingHeic(): Buffer {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(65_535, 4);
  size.writeUInt32BE(65_535, 8);
  const ispe = box("ipco", box("ispe", size));
  return Buffer.concat([
    box("ftyp", Buffer.from("heic\0\0\0\0mif1heic")),
    box("meta", Buffer.alloc(4), box("iprp", ispe)),
  ]);
}

export interface Notes {
  readonly orientation?: number;
  readonly taken?: string;
  /** Degrees, minutes, seconds, and the half of the world. */
  readonly latitude?: readonly [number, number, number, "N" | "S"];
  readonly longitude?: readonly [number, number, number, "E" | "W"];
}

function entry(tag: number, type: number, count: number, value: number | string): Buffer {
  const out = Buffer.alloc(12);
  out.writeUInt16LE(tag, 0);
  out.writeUInt16LE(type, 2);
  out.writeUInt32LE(count, 4);
  if (typeof value === "string") out.write(value, 8, "latin1");
  else out.writeUInt32LE(value, 8);
  return out;
}

function directory(entries: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16LE(entries.length, 0);
  return Buffer.concat([count, ...entries, Buffer.alloc(4)]);
}

/** A TIFF structure in the byte order of Intel, with the entries of a camera. */
export function makeExif({ orientation = 1, taken, latitude, longitude }: Notes): Buffer {
  const tail: Buffer[] = [];
  const TAIL_AT = 1000;
  let tailBytes = 0;
  const put = (data: Buffer): number => {
    const at = TAIL_AT + tailBytes;
    tail.push(data);
    tailBytes += data.length;
    return at;
  };
  const angle = (parts: readonly (number | string)[]): number => {
    const data = Buffer.alloc(24);
    for (const [at, part] of parts.slice(0, 3).entries()) {
      data.writeUInt32LE(Number(part) * 100, at * 8);
      data.writeUInt32LE(100, at * 8 + 4);
    }
    return put(data);
  };
  const exifPart = taken === undefined ? [] : [entry(0x9003, 2, 20, put(Buffer.from(`${taken}\0`, "latin1")))];
  const gpsPart =
    latitude && longitude
      ? [
          entry(1, 2, 2, latitude[3]),
          entry(2, 5, 3, angle(latitude)),
          entry(3, 2, 2, longitude[3]),
          entry(4, 5, 3, angle(longitude)),
        ]
      : [];
  const first = [
    entry(0x0112, 3, 1, orientation),
    ...(exifPart.length > 0 ? [entry(0x8769, 4, 1, put(directory(exifPart)))] : []),
    ...(gpsPart.length > 0 ? [entry(0x8825, 4, 1, put(directory(gpsPart)))] : []),
  ];
  const head = Buffer.concat([Buffer.from("II*\0\x08\0\0\0", "latin1"), directory(first)]);
  return Buffer.concat([head, Buffer.alloc(TAIL_AT - head.length), ...tail]);
}

/** A JPEG as a camera writes it, with its notes in front. */
export async function makeJpeg(png: Buffer, notes: Notes): Promise<Buffer> {
  const plain = await new Bun.Image(png).jpeg({ quality: 95 }).buffer();
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), makeExif(notes)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([plain.subarray(0, 2), head, exif, plain.subarray(2)]);
}
