/** What is not text: binary files, raw bytes by range, images as they are and scaled. */
import { afterAll, expect, test } from "bun:test";
import { crc32, deflateSync } from "node:zlib";
import { readFile, type FileRead, type ReadRequest } from "../../src/files/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

const read = async (path: string, request: Omit<ReadRequest, "path"> = {}): Promise<FileRead> =>
  await readFile(space.ctx, { path, ...request });

/** An RGB image of noise, which does not compress, or of one colour, which does. */
function png(width: number, height: number, isNoise: boolean): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height, 7);
  if (isNoise) crypto.getRandomValues(new Uint8Array(64)).forEach((byte, at) => (rows[at] = byte));
  if (isNoise) for (let at = 64; at < rows.length; at++) rows[at] = ((rows[at - 64] ?? 0) * 31 + at * 17) ^ (at >> 7);
  for (let row = 0; row < height; row++) rows[row * (width * 3 + 1)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: isNoise ? 0 : 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}

test("a file with a NUL is described", async () => {
  space.write("nul.dat", "text\0more");
  expect(await read("nul.dat")).toEqual({
    kind: "binary",
    type: "binary",
    path: "nul.dat",
    mime: "application/octet-stream",
    size: 9,
    hash: "6a60e78c2b05837ddfee17b7d64b429731c49d2dba71c9df0f170b98bf5e1485",
  });
});

test("known formats are named by their first bytes, not by their name", async () => {
  space.write("report.txt", Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
  expect(await read("report.txt")).toMatchObject({ kind: "binary", mime: "application/pdf" });
  space.write("notes.pdf", "only text\n");
  expect((await read("notes.pdf")).kind).toBe("text");
});

test("a signature of a binary format goes before a code page, which accepts any byte", async () => {
  space.write("photo", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("JFIF")]));
  const answer = await readFile(space.with({ legacyEncoding: "iso-8859-1" }), { path: "photo" });
  expect(answer).toMatchObject({
    kind: "binary",
    mime: "image/jpeg",
    note: expect.stringContaining("damaged"),
  });
});

test("the pages of base64 can be joined to the bytes", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(10_000));
  space.write("raw.bin", bytes);
  let joined = "";
  let request: ReadRequest | undefined = { path: "raw.bin", encoding: "base64" };
  let pages = 0;
  for (; request && pages < 99; pages++) {
    const answer: FileRead = await readFile(space.ctx, { ...request, maxBytes: 1000 });
    if (answer.kind !== "base64") throw new Error(answer.kind);
    expect(answer.data.length).toBeLessThanOrEqual(1000);
    joined += answer.data;
    request = answer.next;
  }
  expect(pages).toBe(14);
  expect(Buffer.from(joined, "base64").equals(bytes)).toBe(true);
});

async function bytesText(offset: number, limit?: number): Promise<string> {
  const answer = await read("bytes.bin", { encoding: "base64", offset, ...(limit ? { limit } : {}) });
  return answer.kind === "base64" ? `${answer.first_byte}:${Buffer.from(answer.data, "base64").toString()}` : "";
}

test("offset and limit count bytes in base64, also from the end", async () => {
  space.write("bytes.bin", "0123456789");
  expect(await bytesText(1, 2)).toBe("1:01");
  expect(await bytesText(4, 3)).toBe("4:345");
  expect(await bytesText(-3)).toBe("8:789");
  expect(await bytesText(-3, 1)).toBe("8:7");
  expect(await bytesText(10)).toBe("10:9");
  const failure = await failureFrom(() => bytesText(11));
  expect(failure.message).toBe('Cannot read "bytes.bin": byte 11 is past the end (it has 10 bytes)');
});

test("a small image comes in its own size, written anew, with its measures", async () => {
  const bytes = png(30, 20, false);
  space.write("small.png", Buffer.concat([bytes, Buffer.from("behind its end")]));
  const answer = await read("small.png");
  expect(answer).toMatchObject({ kind: "image", mime: "image/png", width: 30, height: 20, size: bytes.length + 14 });
  const sent = Buffer.from(answer.kind === "image" ? answer.data : "", "base64");
  expect(await new Bun.Image(sent).metadata()).toEqual({ width: 30, height: 20, format: "png" });
  expect(sent.includes("behind its end")).toBe(false);
  expect(await read("small.png")).not.toHaveProperty("scaled");
});

test("an image over the limit is scaled down under it", async () => {
  const bytes = png(2000, 1000, true);
  space.write("large.png", bytes);
  const answer = await read("large.png");
  if (answer.kind !== "image") throw new Error(answer.kind);
  expect(bytes.length).toBeGreaterThan(1024 * 1024);
  expect(answer.scaled).toBe(true);
  expect(answer.mime).toBe("image/webp");
  expect(answer.width).toBe(answer.height * 2);
  const sent = Buffer.from(answer.data, "base64");
  expect(sent.length).toBeLessThanOrEqual(1024 * 1024);
  expect(await new Bun.Image(sent).metadata()).toMatchObject({ width: answer.width, format: "webp" });
});

test("an image that cannot be opened is described, with the reason", async () => {
  space.write("broken.png", png(30, 20, false).subarray(0, 20));
  expect(await read("broken.png")).toMatchObject({
    kind: "binary",
    mime: "image/png",
    note: expect.any(String),
  });
});
