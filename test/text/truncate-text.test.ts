/** Always a prefix, always within the bound, never half a code point. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { truncateUtf8 } from "../../src/text/index.ts";

test("truncateUtf8() cuts between code points", () => {
  expect(truncateUtf8("aé😀", 7)).toEqual({ text: "aé😀", truncated: false, totalBytes: 7 });
  expect(truncateUtf8("aé😀", 6)).toEqual({ text: "aé", truncated: true, totalBytes: 7 });
  expect(truncateUtf8("aé😀", 2)).toEqual({ text: "a", truncated: true, totalBytes: 7 });
  expect(truncateUtf8("😀", 0)).toEqual({ text: "", truncated: true, totalBytes: 4 });
});

test("truncateUtf8() gives the longest prefix that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, max) => {
      const cut = truncateUtf8(text, max);
      expect(text.startsWith(cut.text)).toBe(true);
      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(max);
      const next = String.fromCodePoint(text.codePointAt(cut.text.length) ?? 0);
      if (cut.truncated) expect(Buffer.byteLength(cut.text + next)).toBeGreaterThan(max);
      else expect(cut.text).toBe(text);
    }),
  );
});
