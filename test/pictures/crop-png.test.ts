/** Cutting a region out of pixels whose packed form is broken: the answer says so, however far it has been written. */
import { expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { Failure } from "../../src/base/index.ts";
import { cropPng } from "../../src/pictures/crop-png.ts";
import { chunk, pngHeader, SIGNATURE } from "./make-pictures.ts";

const [WIDTH, HEIGHT] = [1000, 400];
const ROWS = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT, 7).map((byte, at) => (at % (WIDTH * 3 + 1) === 0 ? 0 : byte));
// Without compression, as the runtime writes it: more than the decoder takes at once.
const PACKED = deflateSync(ROWS, { level: 0 });

function pngOf(...parts: readonly Buffer[]): Buffer {
  const data = parts.map((part) => chunk("IDAT", part));
  return Buffer.concat([SIGNATURE, pngHeader(WIDTH, HEIGHT), ...data, chunk("IEND", Buffer.alloc(0))]);
}

const brokenAt = (at: number): Buffer =>
  Buffer.concat([PACKED.subarray(0, at), Buffer.alloc(PACKED.length - at, 0xff)]);

async function cropped(png: Buffer): Promise<string> {
  const region = { x: 0, y: 0, width: 10, height: HEIGHT };
  return await cropPng(png, region).then(
    () => "cut",
    (thrown: unknown) => (thrown instanceof Failure ? thrown.message : String(thrown)),
  );
}

test.each([
  ["is broken at its beginning", pngOf(brokenAt(0))],
  ["is broken in one of its parts", pngOf(brokenAt(500_000).subarray(0, 600_000), brokenAt(500_000).subarray(600_000))],
  ["is broken in its middle", pngOf(brokenAt(PACKED.length >> 1))],
  ["ends early", pngOf(PACKED.subarray(0, PACKED.length >> 1))],
  ["has too few rows", pngOf(deflateSync(ROWS.subarray(0, ROWS.length >> 1)))],
  ["has no data", pngOf()],
])("cropPng() says that a picture is damaged whose data %s", async (_, png) => {
  expect(await cropped(png)).toBe("Cannot show the picture: it is damaged");
});

test("cropPng() cuts out of data in any number of parts", async () => {
  const parts = Array.from({ length: 13 }, (_, at) => PACKED.subarray(at * 100_000, (at + 1) * 100_000));
  expect(await cropped(pngOf(...parts))).toBe("cut");
});
