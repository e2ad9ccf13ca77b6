/**
 * A part of a picture, at its full detail. The runtime's decoder has no cropping, so it is asked for the pixels as a PNG
 * without compression, of which the wanted rows are cut here while they are unpacked; the whole is never held a second time.
 */
import { pipeline } from "node:stream/promises";
import { crc32, createInflate, deflateSync } from "node:zlib";
import { damaged } from "./picture-bytes.ts";

/** In pixels, from the upper left corner of the upright picture. */
export interface PictureRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/**
 * @param png of eight bits a channel, not interlaced, as the runtime writes it; the region lies inside
 * @throws Failure `invalid_input` when it is damaged
 */
export async function cropPng(png: Buffer, region: PictureRegion): Promise<Buffer> {
  const width = png.readUInt32BE(16);
  const header = Buffer.from(png.subarray(16, 29));
  const channels = CHANNELS[header[9] ?? -1];
  if (channels === undefined || header[8] !== 8 || header[12] !== 0) throw damaged();
  const rows = new RegionRows(width, channels, region);
  try {
    await pipeline(dataOf(png), createInflate(), async (unpacked: AsyncIterable<Buffer>) => {
      for await (const data of unpacked) rows.push(data);
    });
  } catch (thrown) {
    throw thrown instanceof Error && "code" in thrown ? damaged() : thrown;
  }
  if (!rows.areWhole) throw damaged();
  header.writeUInt32BE(region.width, 0);
  header.writeUInt32BE(region.height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows.out, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** By the colour type of the header: grey, RGB, grey with alpha, RGB with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

function* dataOf(png: Buffer): Generator<Buffer> {
  for (let at = SIGNATURE.length; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") yield png.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
}

/** Takes the unpacked bytes as they come, undoes the filter of each row, and keeps what lies in the region. */
class RegionRows {
  readonly out: Buffer;
  readonly #region: PictureRegion;
  readonly #channels: number;
  /** The row that is being filled, with its filter before it, and the one above it. */
  #row: Buffer;
  #above: Buffer;
  #filled = 0;
  #y = 0;

  constructor(width: number, channels: number, region: PictureRegion) {
    this.#region = region;
    this.#channels = channels;
    [this.#row, this.#above] = [Buffer.alloc(1 + width * channels), Buffer.alloc(1 + width * channels)];
    this.out = Buffer.alloc((1 + region.width * channels) * region.height);
  }

  get areWhole(): boolean {
    return this.#y === this.#region.y + this.#region.height;
  }

  push(data: Buffer): void {
    const { y, height } = this.#region;
    for (let at = 0; at < data.length && this.#y < y + height;) {
      const taken = data.copy(this.#row, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled < this.#row.length) return;
      this.#endRow();
    }
  }

  #endRow(): void {
    unfilter(this.#row, this.#above, this.#channels);
    const { x, y, width } = this.#region;
    const line = this.#y - y;
    const start = 1 + x * this.#channels;
    const bytes = width * this.#channels;
    if (line >= 0) this.#row.copy(this.out, line * (1 + bytes) + 1, start, start + bytes);
    [this.#row, this.#above] = [this.#above, this.#row];
    this.#filled = 0;
    this.#y++;
  }
}

/** In place; the first byte names the filter. */
function unfilter(row: Buffer, above: Buffer, step: number): void {
  const filter = row[0] ?? 0;
  if (filter === 0) return;
  for (let at = 1; at < row.length; at++) {
    const left = at > step ? (row[at - step] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at > step ? (above[at - step] ?? 0) : 0;
    const guess = [0, left, up, (left + up) >> 1, filter === 4 ? nearest(left, up, corner) : 0][filter] ?? 0;
    row[at] = ((row[at] ?? 0) + guess) & 0xff;
  }
}

function nearest(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}
