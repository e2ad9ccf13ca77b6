/** A large picture goes to its process in parts; what the first of them gives away is refused before the others are sent. */
import { describe, expect, test } from "bun:test";
import { Failure, limits } from "../../src/base/index.ts";
import { showApart } from "../../src/jobs/read/show-apart.ts";
import type { Pictures } from "../../src/packs/media/pictures.ts";
import { handlers } from "../../src/packs/media/serve-pictures.ts";
import { hugePng, lyingHeic, makeGif, makeJpeg, makePng } from "./make-pictures.ts";

const MB = 1024 * 1024;
/** Stands behind a picture, so that it takes several parts. */
const BALLAST = Buffer.alloc(3 * MB);

/** Sends a picture to the code of the power, without a process in between. */
async function send(picture: Uint8Array): Promise<{ readonly said: string; readonly parts: number }> {
  let parts = 0;
  const outside = async (name: string, input: string): Promise<string> => {
    const ask = JSON.parse(input) as never;
    if (name === "pictures.put") parts++;
    const job = { signal: new AbortController().signal } as never;
    return JSON.stringify(await handlers[name.slice("pictures.".length) as keyof Pictures](ask, job));
  };
  try {
    const { facts } = await showApart({ outside })(picture, { maxBytes: limits.MAX_IMAGE_BYTES });
    return { said: `${facts.format} of ${facts.width} x ${facts.height}`, parts };
  } catch (thrown) {
    if (thrown instanceof Failure) return { said: thrown.data.code, parts };
    throw thrown;
  }
}

describe("the beginning of a picture", () => {
  test.each([
    ["a PNG of 60,000 x 60,000", () => hugePng(60_000, 60_000), "too_large"],
    ["a GIF with a million frames", () => makeGif(1_000_000), "too_large"],
    ["a HEIC that lies", lyingHeic, "unsupported"],
  ])("%s is refused by its first part, and no other is sent", async (_name, make, said) => {
    expect(await send(Buffer.concat([make(), BALLAST]))).toEqual({ said, parts: 1 });
  });

  test.each([
    ["a PNG", async () => makePng(30, 20), "png of 30 x 20"],
    ["a GIF", async () => makeGif(3), "gif of"],
    [
      "a JPEG whose notes fill the first part",
      async () => withLongNotes(await makeJpeg(makePng(30, 20), {})),
      "jpeg of 30 x 20",
    ],
  ])("%s that is sent in parts is shown", async (_name, make, said) => {
    const sent = await send(Buffer.concat([await make(), BALLAST]));
    expect(sent).toEqual({ said: expect.stringContaining(said) as string, parts: expect.any(Number) as number });
    expect(sent.parts).toBeGreaterThan(3);
  });
});

/** The size of the picture stands behind its notes, so the first part does not tell it. */
function withLongNotes(jpeg: Buffer): Buffer {
  const note = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd, 0x20)]);
  const notes = Array.from({ length: 20 }, () => note);
  return Buffer.concat([jpeg.subarray(0, 2), ...notes, jpeg.subarray(2)]);
}
