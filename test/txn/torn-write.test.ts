/**
 * What a write in place that died may have left is told from what somebody else wrote: every sector old or new, nothing else.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { isTornWrite } from "../../src/txn/commit/revert.ts";

const SECTOR = 512;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const content = fc.uint8Array({ maxLength: 5 * SECTOR });

test("sectors of the new content over the old one, cut or not, are ours", () => {
  fc.assert(
    fc.property(content, content, fc.array(fc.boolean(), { minLength: 10 }), (before, after, written) => {
      const now = Buffer.alloc(Math.max(before.length, after.length));
      now.set(before);
      if (after.length > before.length) now.set(after.subarray(before.length), before.length);
      for (let at = 0; at < after.length; at += SECTOR)
        if (written[at / SECTOR]) now.set(after.subarray(at, at + SECTOR), at);
      expect(isTornWrite(now, before, after)).toBe(true);
      expect(isTornWrite(after, before, after)).toBe(true);
      expect(isTornWrite(before, before, after)).toBe(true);
    }),
  );
});

test("a byte of somebody else is not", () => {
  const flipped = fc.record({ before: content, after: content, at: fc.nat() });
  fc.assert(
    fc.property(flipped, ({ before, after, at }) => {
      if (after.length === 0) return;
      const now = Uint8Array.from(after);
      const index = at % now.length;
      const [old = 0, own = 0] = [before[index], after[index]];
      now[index] = [0, 1, 2].find((byte) => byte !== old && byte !== own) ?? 3;
      expect(isTornWrite(now, before, after)).toBe(false);
    }),
  );
});

test.each([
  ["one line taken back by hand", "x = 1\ny = 2\n", "x = 1\ny = 1\n", "x = 2\ny = 2\n"],
  ["something else", "mine\n", "old text\n", "new\n"],
  ["cut to nothing", "", "old\n", "new\n"],
])("%s is somebody's", (_what, now, before, after) => {
  expect(isTornWrite(bytes(now), bytes(before), bytes(after))).toBe(false);
});
