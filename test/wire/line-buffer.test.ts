/** The block of an unfinished line keeps what was added, in order, and lets go of a large block. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { LineBuffer } from "../../src/wire/frames.ts";

test("bytes() is all parts since the last clear()", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.uint8Array({ maxLength: 50 }))), (lines) => {
      const buffer = new LineBuffer(100_000);
      for (const parts of lines) {
        for (const part of parts) buffer.add(part);
        expect(Buffer.from(buffer.bytes())).toEqual(Buffer.concat(parts));
        expect(buffer.length).toBe(Buffer.concat(parts).length);
        buffer.clear();
        expect(buffer.bytes()).toHaveLength(0);
      }
    }),
  );
});

test("the block is never larger than asked, and a large one is not kept", () => {
  const buffer = new LineBuffer(1_000_000);
  for (let n = 0; n < 10; n++) buffer.add(new Uint8Array(100_000).fill(n));
  expect(buffer.bytes().buffer.byteLength).toBe(1_000_000);
  expect([buffer.bytes()[0], buffer.bytes()[999_999]]).toEqual([0, 9]);
  buffer.clear();
  expect(buffer.bytes().buffer.byteLength).toBe(0);
});
