/**
 * Names between bytes, strings and what is shown: nothing is lost on the way, and no two names meet.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { readName, showName } from "../../src/scope/names.ts";
import { parsePath } from "../../src/scope/parse-path.ts";
import { nameFromBytes, nameToBytes } from "../../src/sys/index.ts";

const anyByte = fc.integer({ min: 1, max: 255 });
const oddByte = fc.constantFrom(0x0a, 0x1b, 0x25, 0x7f, 0x80, 0xc3, 0xa9, 0xed, 0xa0, 0xef, 0xbf, 0xbd, 0xff, 0x2f);
const bytes = fc
  .array(fc.oneof(anyByte, oddByte), { minLength: 1, maxLength: 40 })
  .map((list) => Uint8Array.from(list));

test("bytes -> name -> bytes is the same", () => {
  fc.assert(fc.property(bytes, (given) => expect([...nameToBytes(nameFromBytes(given))]).toEqual([...given])));
});

test("two names are equal only when their bytes are", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(nameFromBytes(a) === nameFromBytes(b)).toBe(Buffer.from(a).equals(b));
    }),
  );
});

test("what is shown can be given back", () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const shown = showName(nameFromBytes(given));
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      const back = readName(shown);
      // A real name that looks escaped is shown with a "./" before it, which means the same path.
      expect([...nameToBytes((back ?? "").replace(/^\.\/bytes:/, "bytes:"))]).toEqual([...given]);
    }),
  );
});

test("a name that is ~ is shown so that the path can be given back, and what a caller wrote is not changed", () => {
  const roots = [{ spellings: ["/root"] }];
  for (const rel of ["~", "~/a", "~/bytes:a", "~/a\n", "~/\udcff", "bytes:a", "d/~", "~a"]) {
    expect(parsePath(showName(rel), roots, "read")).toEqual({ root: 0, rel, mustBeDirectory: false });
  }
  expect([showName("~"), showName("~/a"), showName("d/~"), showName("~a")]).toEqual(["./~", "./~/a", "d/~", "~a"]);
  expect(() => parsePath("~/a", roots, "read")).toThrow('Cannot read "~/a": ~ is not expanded');
});

test("plain names are shown as they are", () => {
  for (const name of ["a.txt", "ü ö/日本.md", "a%20b", "-rf", "a\\b", "😀", "💀.txt", "\ufffd"]) {
    expect(showName(name)).toBe(name);
    expect(readName(name)).toBe(name);
  }
});

test("a name that cannot be seen whole is shown as bytes", () => {
  for (const sign of ["\n", "\u200b", "\u200d", "\ufeff", "\u202e", "\u{e0041}", "\u00ad", "\ufe0f"]) {
    const shown = showName(`a${sign}b`);
    expect(shown).toMatch(/^bytes:a(?:%[0-9A-F]{2})+b$/);
    expect(readName(shown)).toBe(`a${sign}b`);
  }
});

test("the second half of an emoji is no byte", () => {
  expect(nameToBytes("💀\udc80")).toEqual(Buffer.from([0xf0, 0x9f, 0x92, 0x80, 0x80]));
});

test.each(["bytes:%", "bytes:%4", "bytes:%GG", "bytes:a%0"])("%s is broken", (shown) => {
  expect(readName(shown)).toBeUndefined();
});
