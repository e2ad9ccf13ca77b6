/** One line at a time; a lone CR counts only where there is no LF. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import {
  createLineIndex,
  dominantEnding,
  endingNear,
  lineOfIndex,
  withEnding,
} from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

test.each([
  ["", undefined],
  ["abc", undefined],
  ["a\nb\r\nc\n", "\n"],
  ["a\r\nb\r\nc\n", "\r\n"],
  ["a\r\nb\n", "\r\n"],
  ["a\nb\r\n", "\n"],
  ["a\rb\r", "\r"],
  ["10%\r20%\r30%\n", "\n"],
  ["\n", "\n"],
])("dominantEnding(%j)", (text, expected) => {
  expect(dominantEnding(text)).toBe(expected as never);
});

describe("endingNear", () => {
  const mixed = "a\r\nb\nc";
  test.each([
    [mixed, 0, "\r\n"],
    [mixed, 1, "\r\n"],
    [mixed, 3, "\n"],
    [mixed, 5, "\n"],
    ["a\nb\r\nc", 5, "\r\n"],
    ["abc", 1, "\n"],
    ["", 0, "\n"],
    ["a\rb", 2, "\r"],
  ])("of %j at %i", (text, index, expected) => {
    expect(endingNear(text, index)).toBe(expected as never);
  });
});

test("withEnding rewrites every kind", () => {
  expect(withEnding("a\nb\r\nc\rd", "\r\n")).toBe("a\r\nb\r\nc\r\nd");
  expect(withEnding("a\r\n", "\n")).toBe("a\n");
});

describe("line index", () => {
  test("counts as an editor does", () => {
    expect(createLineIndex("").count).toBe(0);
    expect(createLineIndex("a\n").count).toBe(1);
    expect(createLineIndex("a\n\n").count).toBe(2);
    expect(createLineIndex("a\nb").count).toBe(2);
    expect(createLineIndex("10%\r20%\n").count).toBe(1);
    expect(createLineIndex("a\rb\r").count).toBe(2);
  });

  test("finds lines and starts", () => {
    const index = createLineIndex("ab\r\nc\n\nd");
    expect([0, 2, 3, 4, 5, 6, 7, 8].map(index.lineOf)).toEqual([1, 1, 1, 2, 2, 3, 4, 4]);
    expect([1, 2, 3, 4, 5].map(index.startOf)).toEqual([0, 4, 6, 7, 8]);
    expect(createLineIndex("a\n").lineOf(2)).toBe(1);
    expect(createLineIndex("").lineOf(0)).toBe(1);
  });

  test("agrees with lineOfIndex, and a line starts where its index says", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r")), fc.nat(), (parts, seed) => {
        const text = parts.join("");
        const index = createLineIndex(text);
        const at = seed % (text.length + 1);
        expect(lineOfIndex(text, at)).toBe(index.lineOf(at));
        for (let line = 1; line <= index.count; line++) expect(index.lineOf(index.startOf(line))).toBe(line);
      }),
    );
  });
});

test("64 MB takes no noticeable time", async () => {
  const row = "some ordinary line of text, fifty characters long\r\n";
  const counted = await loadCounted<typeof text>("src/text/index.ts");
  // One pass, and three steps a line.
  expectGrowth({ size: 20_000, mostGrowth: 2.1, mostPerUnit: 2 * row.length }, (rows) => {
    const body = row.repeat(rows);
    return () => counted.dominantEnding(body);
  });
  expect(dominantEnding(row.repeat(1_300_000))).toBe("\r\n");
});
