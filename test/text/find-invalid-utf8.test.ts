/** Must agree with the strict decoder on every input. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { findInvalidUtf8 } from "../../src/text/encoding/encoding.ts";

function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

test("every sequence of two bytes, and every start of longer ones", () => {
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      for (const rest of [[], [0x80], [0x80, 0x80], [0xbf, 0xbf], [0x41]]) {
        const bytes = Uint8Array.from([first, second, ...rest]);
        expect(findInvalidUtf8(bytes) === -1).toBe(decodes(bytes));
      }
    }
  }
});

test("text is valid, and a bad byte in it is found where it stands", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (before, after) => {
      const head = Buffer.from(before);
      expect(findInvalidUtf8(head)).toBe(-1);
      const bad = Buffer.concat([head, Buffer.from([0xff]), Buffer.from(after)]);
      expect(findInvalidUtf8(bad)).toBe(head.length);
    }),
  );
});
