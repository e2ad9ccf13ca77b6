/**
 * The first frame of an animated WebP as a picture of its own: the decoder takes only still ones. A frame holds the parts of a
 * still picture behind sixteen bytes that say where and how long it is shown (WebP container specification, "Animation").
 */
import { PictureBytes } from "./picture-bytes.ts";

const FRAME_HEAD_BYTES = 16;
const PIXELS: ReadonlySet<string> = new Set(["ALPH", "VP8 ", "VP8L"]);
const HAS_ALPHA = 0x10;

/** The bytes themselves where they are no animated WebP. @throws Failure `invalid_input` where the frame is cut off */
export function stillWebp(bytes: Uint8Array): Uint8Array {
  const picture = new PictureBytes(bytes);
  if (!/^RIFF[^]{4}WEBP/.test(picture.latin(0, 12))) return bytes;
  const frame = chunksIn(picture.part(12, picture.length)).find(({ type }) => type === "ANMF")?.data;
  if (!frame) return bytes;
  const pixels = chunksIn(frame.part(FRAME_HEAD_BYTES, frame.length))
    .filter(({ type }) => PIXELS.has(type))
    .take(2)
    .toArray();
  const hasAlpha = pixels.some(({ type }) => type === "ALPH");
  // Its width and height stand where the frame has its own, less one.
  const size = Uint8Array.from({ length: 6 }, (_, index) => frame.u8(6 + index));
  const head = Buffer.concat([Buffer.from([HAS_ALPHA, 0, 0, 0]), size]);
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    ...(hasAlpha ? [chunk("VP8X", head)] : []),
    ...pixels.map(({ type, data }) => chunk(type, data.bytes)),
  ]);
  return chunk("RIFF", body);
}

function* chunksIn(picture: PictureBytes): Generator<{ readonly type: string; readonly data: PictureBytes }> {
  for (let at = 0; at + 8 <= picture.length;) {
    const length = picture.u32(at + 4, true);
    yield { type: picture.latin(at, 4), data: picture.part(at + 8, length) };
    at += 8 + length + (length % 2);
  }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
