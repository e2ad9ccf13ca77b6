/** What is shown of a picture: its pixels, upright, in part and small enough, and nothing else of its file. */
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/base/index.ts";
import { stripPng } from "../../src/pictures/strip-png.ts";
import { showPicture, type PictureWanted, type ShownPicture } from "../../src/pictures/index.ts";
import { fc } from "../property.ts";
import {
  chunk,
  chunkBomb,
  hugePng,
  lyingHeic,
  makeExif,
  makeFilm,
  makeGif,
  makeJpeg,
  makePng,
  nestedIcon,
  pngHeader,
  SIGNATURE,
  type Notes,
} from "./make-pictures.ts";

const MB = 1024 * 1024;
const NOTES: Notes = {
  orientation: 1,
  taken: "2024:05:01 12:30:00",
  latitude: [52, 31, 12, "N"],
  longitude: [13, 24, 18, "W"],
};

async function show(bytes: Uint8Array, wanted: Partial<PictureWanted> = {}): Promise<ShownPicture> {
  return await showPicture(bytes, { maxBytes: MB, ...wanted });
}

async function codeOf(bytes: Uint8Array, wanted: Partial<PictureWanted> = {}): Promise<string> {
  try {
    await show(bytes, wanted);
    return "shown";
  } catch (thrown) {
    if (thrown instanceof Failure) return `${thrown.code}: ${thrown.message}`;
    throw thrown;
  }
}

/** The colours of a lossless picture, by its own pixels. */
async function colourAt(png: string, x: number, y: number): Promise<number[]> {
  const one = await showPicture(Buffer.from(png, "base64"), { maxBytes: MB, region: { x, y, width: 1, height: 1 } });
  const { inflateSync } = await import("node:zlib");
  const bytes = Buffer.from(one.data, "base64");
  const at = bytes.indexOf("IDAT");
  return [...inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))).subarray(1, 4)];
}

/** Every pixel has a colour of its own. */
const byPlace = (x: number, y: number): readonly [number, number, number] => [x % 256, y % 256, (x * 7 + y * 13) % 256];

describe("the facts of a picture", () => {
  test("a picture from a camera tells its size, when and where it was taken", async () => {
    const { facts } = await show(await makeJpeg(makePng(40, 30), NOTES));
    expect(facts).toEqual({
      format: "jpeg",
      width: 40,
      height: 30,
      frames: 1,
      orientation: 1,
      taken: "2024-05-01 12:30:00",
      place: { latitude: 52.52, longitude: -13.405 },
    });
  });

  test("a picture that was taken on its side is shown upright, and so are its measures", async () => {
    const shown = await show(await makeJpeg(makePng(40, 30), { orientation: 6 }));
    expect(shown).toMatchObject({ width: 30, height: 40, facts: { width: 30, height: 40, orientation: 6 } });
  });

  test.each([
    [1, (x: number, y: number) => [x, y]],
    [2, (x: number, y: number) => [2 - x, y]],
    [3, (x: number, y: number) => [2 - x, 1 - y]],
    [4, (x: number, y: number) => [x, 1 - y]],
    [5, (x: number, y: number) => [y, x]],
    [6, (x: number, y: number) => [1 - y, x]],
    [7, (x: number, y: number) => [1 - y, 2 - x]],
    [8, (x: number, y: number) => [y, 2 - x]],
  ] as const)(
    "a PNG whose notes say orientation %d is shown upright, and so is a part of it",
    async (orientation, to) => {
      const png = makePng(3, 2, byPlace, [chunk("eXIf", makeExif({ orientation }))]);
      const [width, height] = orientation >= 5 ? [2, 3] : [3, 2];
      const shown = await show(png);
      expect(shown).toMatchObject({ width, height, facts: { width, height, orientation } });
      for (const [x, y] of [
        [0, 0],
        [2, 0],
        [1, 1],
      ] as const) {
        const [left = 0, top = 0] = to(x, y);
        expect(await colourAt(shown.data, left, top)).toEqual([...byPlace(x, y)]);
        const part = await show(png, { region: { x: left, y: top, width: 1, height: 1 } });
        expect(await colourAt(part.data, 0, 0)).toEqual([...byPlace(x, y)]);
      }
    },
  );

  test("notes of a PNG are read, and broken notes are no notes", async () => {
    expect((await show(withExif(makeExif(NOTES)))).facts.taken).toBe("2024-05-01 12:30:00");
    expect((await show(withExif(makeExif(NOTES).subarray(0, 30)))).facts).toEqual({
      format: "png",
      width: 4,
      height: 4,
      frames: 1,
    });
  });

  test("frames are counted, and the first is shown", async () => {
    expect(await show(makeGif(7))).toMatchObject({ mime: "image/png", facts: { format: "gif", frames: 7 } });
  });

  test.each([
    ["without transparency", []],
    ["with transparency", [chunk("tRNS", Buffer.from([0, 255, 0, 255, 0, 255]))]],
  ])("a film in WebP %s is shown as its first frame, and its frames are counted", async (_, extra) => {
    const [first, second] = [makePng(40, 30, () => [200, 30, 30], extra), makePng(20, 10)];
    const shown = await show(await makeFilm([first, second]));
    expect(shown).toMatchObject({ width: 40, height: 30, facts: { format: "webp", width: 40, height: 30, frames: 2 } });
    const [red = 0, green = 0] = await colourAt(shown.data, 20, 15);
    expect(red - green).toBeGreaterThan(120);
  });
});

function withExif(exif: Uint8Array): Buffer {
  return makePng(4, 4, undefined, [chunk("eXIf", exif)]);
}

describe("what goes on of a picture", () => {
  const SECRET = "hidden-in-the-file";

  test("nothing of a JPEG but its pixels goes on: neither notes of the camera nor what stands behind it", async () => {
    const jpeg = Buffer.concat([await makeJpeg(makePng(40, 30), NOTES), Buffer.from(SECRET)]);
    expect(jpeg.includes("Exif")).toBe(true);
    const sent = Buffer.from((await show(jpeg)).data, "base64");
    for (const part of ["Exif", "2024:05:01", SECRET]) expect(sent.includes(part)).toBe(false);
    expect(sent.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  });

  test("nothing of a PNG but its pixels goes on: neither texts, notes, profiles nor what stands behind it", async () => {
    const parts = ["tEXt", "eXIf", "iCCP", "teSt"].map((type) => chunk(type, Buffer.from(`x\0\0${SECRET}`)));
    const png = Buffer.concat([makePng(40, 30, undefined, parts), Buffer.from(SECRET)]);
    const sent = Buffer.from((await show(png)).data, "base64");
    expect(sent.includes(SECRET)).toBe(false);
    expect(typesOf(sent)).toEqual(["IHDR", "IDAT", "IEND"]);
    expect(sent.length).toBe(sent.indexOf("IEND") + 8);
  });

  test("a small PNG keeps every pixel", async () => {
    const { data, isScaled } = await show(makePng(50, 20, byPlace));
    expect(isScaled).toBe(false);
    expect(await colourAt(data, 49, 19)).toEqual([...byPlace(49, 19)]);
  });
});

function typesOf(png: Buffer): string[] {
  const types: string[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    types.push(png.toString("latin1", at + 4, at + 8));
  return [...new Set(types)];
}

describe("a region", () => {
  test("a region shows just these pixels, wherever it lies", async () => {
    const png = makePng(60, 45, byPlace);
    await fc.assert(
      fc.asyncProperty(fc.nat(59), fc.nat(44), fc.nat(59), fc.nat(44), async (x, y, w, h) => {
        const region = { x, y, width: Math.min(1 + w, 60 - x), height: Math.min(1 + h, 45 - y) };
        const shown = await show(png, { region });
        expect([shown.width, shown.height]).toEqual([region.width, region.height]);
        const last = [region.width - 1, region.height - 1] as const;
        expect(await colourAt(shown.data, ...last)).toEqual([...byPlace(x + last[0], y + last[1])]);
      }),
      { numRuns: 30 },
    );
  });

  test("a region that does not lie in the picture is refused, with its size", async () => {
    expect(await codeOf(makePng(10, 10), { region: { x: 5, y: 0, width: 6, height: 1 } })).toBe(
      "invalid_input: Cannot show the region: it does not lie in the picture",
    );
  });
});

describe("a picture that is too much", () => {
  const pixels = "too_large: Cannot show the picture: it has more than 40 megapixels";
  const cases: [string, () => Buffer, string][] = [
    ["a PNG of 60,000 x 60,000", () => hugePng(60_000, 60_000), pixels],
    ["a PNG whose width alone is too much", () => Buffer.concat([SIGNATURE, pngHeader(0x7fffffff, 1)]), pixels],
    [
      "a GIF with a million frames",
      () => makeGif(1_000_000),
      "too_large: Cannot show the picture: it has more than 10000 frames",
    ],
    [
      "an icon in an icon in an icon",
      () => nestedIcon(1000),
      "unsupported: Cannot show the picture: only PNG, JPEG, GIF, WebP and BMP are decoded",
    ],
    [
      "a HEIC that claims a billion pixels",
      lyingHeic,
      "unsupported: Cannot show the picture: only PNG, JPEG, GIF, WebP and BMP are decoded",
    ],
    [
      "a PNG that ends in its header",
      () => makePng(9, 9).subarray(0, 30),
      "invalid_input: Cannot show the picture: it is damaged",
    ],
    [
      "a JPEG of nothing but markers",
      () => Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(MB, 0xff)]),
      "invalid_input: Cannot show the picture: it is damaged",
    ],
    [
      "a WebP without pixels",
      () => Buffer.from("RIFF\x04\0\0\0WEBP", "latin1"),
      "invalid_input: Cannot show the picture: it is damaged",
    ],
    ["a BMP of a negative size", () => bmp(-5), "invalid_input: Cannot show the picture: it is damaged"],
  ];
  test.each(cases)("%s is refused before it is decoded", async (_name, make, said) => {
    expect(await codeOf(make())).toBe(said);
  });

  test.each([["iCCP"], ["zTXt"]] as const)(
    "a part %s that unpacks to 100 MB is left out before the decoder sees it",
    async (type) => {
      const bomb = chunkBomb(type, 100 * MB);
      expect([bomb, stripPng(bomb)].map((one) => Buffer.from(one).includes(type))).toEqual([true, false]);
      expect(await codeOf(bomb)).toBe("shown");
    },
  );

  test("whatever stands in its bytes, a picture is shown or refused by a failure that is expected", async () => {
    const seeds = [makePng(20, 20, byPlace), await makeJpeg(makePng(20, 20), NOTES), makeGif(3)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(1500), fc.nat(255))),
        async (seed, edits) => {
          const bytes = Buffer.from(seed);
          for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
          expect(await codeOf(bytes)).toMatch(/^(?:shown|invalid_input|too_large|unsupported)/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function bmp(width: number): Buffer {
  const out = Buffer.alloc(64);
  out.write("BM");
  out.writeUInt32LE(40, 14);
  out.writeInt32LE(width, 18);
  return out;
}

describe("the size that is wanted", () => {
  test("the longest side is what was wanted, and nothing is made larger", async () => {
    expect(await show(makePng(400, 100), { maxSide: 200 })).toMatchObject({ width: 200, height: 50, isScaled: true });
    expect(await show(makePng(40, 10), { maxSide: 200 })).toMatchObject({ width: 40, height: 10, isScaled: false });
  });

  test("a picture for a program comes beside it, without losses", async () => {
    const { png, mime } = await show(await makeJpeg(makePng(60, 60), {}), { png: { maxBytes: MB, maxSide: 30 } });
    expect(mime).toBe("image/jpeg");
    expect(await new Bun.Image(Buffer.from(png ?? "", "base64")).metadata()).toEqual({
      width: 30,
      height: 30,
      format: "png",
    });
  });

  test("a picture that fits at no size is refused", async () => {
    expect(await codeOf(makePng(300, 300, byPlace), { maxBytes: 100 })).toBe(
      "too_large: Cannot show the picture: it does not fit into 100 bytes",
    );
  });
});
