/** A window of lines: its borders, its numbers, and what it says about the rest. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import type * as text from "../../src/text/index.ts";
import { sliceLines } from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

const WIDE = { maxBytes: 1_000_000, maxLineBytes: 1_000_000 };

test("sliceLines() gives everything, with each line's own ending", () => {
  expect(sliceLines("a\r\nb\nc", WIDE)).toEqual({
    text: "a\r\nb\nc",
    firstLine: 1,
    lines: 3,
    totalLines: 3,
    truncated: false,
    cutLines: [],
  });
});

test.each([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["\n", 1],
  ["a\n\n", 2],
  ["a\rb", 2],
  ["a\rb\n", 1],
])("%j has %i lines", (text, totalLines) => {
  expect(sliceLines(text, WIDE).totalLines).toBe(totalLines);
});

describe("window", () => {
  const text = "1\n2\n3\n4\n5\n";
  test("sliceLines() takes an offset and a limit, and says where to go on", () => {
    expect(sliceLines(text, { ...WIDE, offset: 2, limit: 2 })).toEqual({
      text: "2\n3\n",
      firstLine: 2,
      lines: 2,
      totalLines: 5,
      truncated: true,
      cutLines: [],
      nextOffset: 4,
    });
    expect(sliceLines(text, { ...WIDE, offset: 4, limit: 2 }).truncated).toBe(false);
    expect(sliceLines(text, { ...WIDE, offset: 0, limit: 1 }).text).toBe("1\n");
  });

  test("sliceLines() counts a negative offset from the end", () => {
    expect(sliceLines(text, { ...WIDE, offset: -2 })).toMatchObject({ text: "4\n5\n", firstLine: 4 });
    expect(sliceLines(text, { ...WIDE, offset: -99 })).toMatchObject({ text, firstLine: 1 });
  });

  test("sliceLines() gives nothing past the end", () => {
    const result = sliceLines(text, { ...WIDE, offset: 9 });
    expect(result).toMatchObject({ text: "", lines: 0, totalLines: 5, truncated: false });
    expect(result.nextOffset).toBeUndefined();
  });

  test("sliceLines() writes line numbers six wide", () => {
    expect(sliceLines("a\nb\n", { ...WIDE, lineNumbers: true }).text).toBe("     1\ta\n     2\tb\n");
    expect(sliceLines(text, { ...WIDE, offset: 5, lineNumbers: true }).text).toBe("     5\t5\n");
  });

  test("sliceLines() stops at maxBytes on a line's border, and gives one line in any case", () => {
    expect(sliceLines("aaa\nbbb\nccc\n", { maxBytes: 8, maxLineBytes: 100 })).toMatchObject({
      text: "aaa\nbbb\n",
      nextOffset: 3,
      truncated: true,
    });
    expect(sliceLines("aaaaaaaa\nb\n", { maxBytes: 4, maxLineBytes: 100 })).toEqual({
      text: "aaaa … [4 more bytes]\n",
      firstLine: 1,
      lines: 1,
      totalLines: 2,
      truncated: true,
      cutLines: [1],
      cutAt: 4,
      nextOffset: 2,
    });
  });

  test("sliceLines() cuts long lines between code points and keeps their endings", () => {
    const result = sliceLines("ab😀cd\r\nx\n", { maxBytes: 100, maxLineBytes: 5 });
    expect(result).toMatchObject({ text: "ab … [6 more bytes]\r\nx\n", cutLines: [1], truncated: true });
    expect(result.nextOffset).toBeUndefined();
  });
});

test("following nextOffset gives the whole text", () => {
  const file = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r\n")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4 }), (text, maxBytes, limit) => {
      let collected = "";
      let offset: number | undefined = 1;
      while (offset !== undefined) {
        const part = sliceLines(text, {
          offset,
          limit,
          maxBytes: Math.max(maxBytes, 1),
          maxLineBytes: 1000,
        });
        fc.pre(part.cutLines.length === 0);
        // Or a lack of progress would hang the test instead of failing it.
        expect(part.nextOffset ?? Infinity).toBeGreaterThan(offset);
        collected += part.text;
        offset = part.nextOffset;
      }
      expect(collected).toBe(text);
    }),
  );
});

test("64 MB takes no noticeable time", async () => {
  const row = "some ordinary line of text, fifty characters long.\n";
  const counted = await loadCounted<typeof text>("src/text/index.ts");
  // Two passes, to count the lines and to find the first one.
  expectGrowth({ size: 20_000, mostGrowth: 2.1, mostPerUnit: 4 * row.length }, (rows) => {
    const body = row.repeat(rows);
    return () => counted.sliceLines(body, { ...WIDE, offset: -20 });
  });
  expect(sliceLines(row.repeat(1_300_000), { ...WIDE, offset: -20 }).lines).toBe(20);
});
