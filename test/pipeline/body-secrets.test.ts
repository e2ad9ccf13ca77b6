/**
 * Secrets in bodies of requests: wherever one stands in a long body, and however its text is encoded, it is found; what is none
 * is left alone.
 */
import { expect, test } from "bun:test";
import { bodyHasSecret } from "../../src/pipeline/execute/outside/body-secrets.ts";
import { createRedactor } from "../../src/policy/index.ts";

const MIB: number = 1024 * 1024;
const TOKEN: string = ["AKIA", "IOSFODNN7EXAMPLQ"].join("");
/** Nearly the longest that is known. */
const LONG_TOKEN: string = ["eyJ", "eyJ", ""].map((begin) => begin + "aB3".repeat(600)).join(".");
const redactor = createRedactor(new Uint8Array(32));

async function has(body: Buffer): Promise<boolean> {
  return await bodyHasSecret(body, redactor);
}

/** @param at where the secret begins in a body of so many bytes */
function bodyWith(secret: string | Buffer, at: number, length: number): Buffer {
  const body = Buffer.alloc(length, ".");
  Buffer.from(secret).copy(body, at);
  return body;
}

const percent = (text: string): string => text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const wide = (text: string): Buffer => Buffer.from(text, "utf16le");
const wideBig = (text: string): Buffer => Buffer.from(wide(text)).swap16();

test.each([0, 9 * MIB, 64 * MIB - TOKEN.length])(
  "a token that begins at byte %d of a long body is found",
  async (at) => {
    expect(await has(bodyWith(TOKEN, at, 64 * MIB))).toBe(true);
  },
);

test.each([
  ["a token", TOKEN],
  ["a long token", LONG_TOKEN],
  ["a token in percent signs", percent(LONG_TOKEN)],
  ["a token of UTF-16", wide(` ${LONG_TOKEN} `)],
  ["a token of UTF-16 in percent signs", wide(percent(LONG_TOKEN))],
  ["a placeholder", "[secret:0a1b2c]"],
])("%s across the border of two pieces is found, wherever the border cuts it", async (_what, secret) => {
  const { length } = Buffer.from(secret);
  const cuts = [1, 3, 4, Math.floor(length / 2), length - 3, length - 1];
  for (const cut of cuts)
    for (const border of [MIB, 3 * MIB, 8 * MIB])
      expect([cut, border, await has(bodyWith(secret, border - cut, 10 * MIB))]).toEqual([cut, border, true]);
});

test.each([
  ["with its mark", wide(`\uFEFFthe key is ${TOKEN}\r\n`)],
  ["the other way round, with its mark", wideBig(`\uFEFFthe key is ${TOKEN}\r\n`)],
  ["without a mark", wide(`the key is ${TOKEN}\r\n`)],
  ["the other way round, without a mark", wideBig(`the key is ${TOKEN}\r\n`)],
  ["at an odd place of a program", Buffer.concat([Buffer.from([0x7f, 0x45, 0xff]), wide(`the key is ${TOKEN}\0`)])],
  ["behind another script", wide(`\u4e41${TOKEN}`)],
  ["the other way round behind another script", wideBig(`\u4e41${TOKEN}`)],
])("a token of UTF-16 is found %s", async (_how, body) => {
  expect(await has(body)).toBe(true);
});

test.each([
  ["zeros", Buffer.alloc(2 * MIB)],
  [
    "all bytes, in many orders",
    Buffer.from(Array.from({ length: 2 * MIB }, (_, at) => Math.imul(at, at * 2_654_435_761) >>> 24)),
  ],
  ["text of UTF-16", wide("nothing to see here, \u4e41 and more\r\n".repeat(30_000))],
  ["names of a program, each with its end", Buffer.from("token=\0AES256-GCM-SHA384-x9\0".repeat(1000))],
  ["nothing", Buffer.alloc(0)],
])("a body of %s has no secret", async (_what, body) => {
  expect(await has(body)).toBe(false);
});

test("other work goes on while a long body is looked through", async () => {
  const order: string[] = [];
  const looking = has(Buffer.alloc(3 * MIB)).then(() => order.push("looked"));
  setImmediate(() => order.push("other work"));
  await looking;
  expect(order).toEqual(["other work", "looked"]);
});
