/** One line at a time; a lone CR counts only where there is no LF. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { createLineIndex, dominantEnding, endingNear, lineOfIndex, withEnding } from "../../src/text/lines/lines.ts";
import type * as text from "../../src/text/lines/lines.ts";
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
])("dominantEnding() finds the ending of %j", (text, expected) => {
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
  ])("endingNear() finds the ending of %j at %i", (text, index, expected) => {
    expect(endingNear(text, index)).toBe(expected as never);
  });
});

test("withEnding() rewrites every kind", () => {
  expect(withEnding("a\nb\r\nc\rd", "\r\n")).toBe("a\r\nb\r\nc\r\nd");
  expect(withEnding("a\r\n", "\n")).toBe("a\n");
});

function lastLineOf(text: string): number {
  return createLineIndex(text)(text.length);
}

describe("createLineIndex()", () => {
  test("createLineIndex() counts lines as an editor does", () => {
    expect(["", "a\n", "a\n\n", "a\nb", "10%\r20%\n", "a\rb\r"].map(lastLineOf)).toEqual([1, 1, 2, 2, 1, 2]);
  });

  test("createLineIndex() finds the line of every index", () => {
    expect([0, 2, 3, 4, 5, 6, 7, 8].map(createLineIndex("ab\r\nc\n\nd"))).toEqual([1, 1, 1, 2, 2, 3, 4, 4]);
    expect(createLineIndex("a\n")(2)).toBe(1);
    expect(createLineIndex("")(0)).toBe(1);
  });

  test("createLineIndex() agrees with lineOfIndex()", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r")), fc.nat(), (parts, seed) => {
        const text = parts.join("");
        const at = seed % (text.length + 1);
        expect(lineOfIndex(text, at)).toBe(createLineIndex(text)(at));
      }),
    );
  });
});

test("64 MB takes no noticeable time", async () => {
  const row = "some ordinary line of text, fifty characters long\r\n";
  const counted = await loadCounted<typeof text>("src/text/lines/lines.ts");
  // One pass, and three steps a line.
  expectGrowth({ size: 20_000, mostGrowth: 2.1, mostPerUnit: 2 * row.length }, (rows) => {
    const body = row.repeat(rows);
    return () => counted.dominantEnding(body);
  });
  expect(dominantEnding(row.repeat(1_300_000))).toBe("\r\n");
});
