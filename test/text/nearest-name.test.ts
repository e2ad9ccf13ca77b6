/** Suggestions: the invisible differences first, then slips, then shared parts, in a stable order. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { nearestNames } from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { editDistance } from "../../src/text/show-text.ts";
import { countSteps, expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

test("the same name in another form comes first", () => {
  expect(nearestNames("cafe\u0301.txt", ["cafe.txt", "caf\u00e9.txt"], 5)).toEqual(["caf\u00e9.txt", "cafe.txt"]);
  expect(nearestNames("readme.md", ["reader.md", "README.md"], 1)).toEqual(["README.md"]);
  expect(nearestNames("Shot 9 PM.png", ["Shot 8 PM.png", "Shot 9\u202fPM.png"], 1)).toEqual(["Shot 9\u202fPM.png"]);
});

test("then slips, then names that share a part", () => {
  const names = ["config.test.ts", "cofnig.ts", "zebra.ts", "confg.ts", "my-config.ts"];
  expect(nearestNames("config.ts", names, 10)).toEqual(["cofnig.ts", "confg.ts", "my-config.ts", "config.test.ts"]);
});

test("nearestNames() is bounded, and finds nothing where nothing is alike", () => {
  expect(nearestNames("alpha", ["alphb", "alphc", "alphd"], 2)).toEqual(["alphb", "alphc"]);
  expect(nearestNames("alpha", ["zzzzz", ""], 5)).toEqual([]);
  expect(nearestNames("a", ["b"], 5)).toEqual([]);
  expect(nearestNames("alpha", ["alpha"], 0)).toEqual([]);
});

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "acb", 1],
  ["abcd", "abxcd", 1],
  ["kitten", "sitting", 3],
  ["ca", "abc", 3],
])("editDistance() measures %j against %j", (a, b, expected) => {
  expect(editDistance(a, b, 10)).toBe(expected);
});

test("editDistance is symmetric, and its bound only cuts", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(5), (a, b, max) => {
      const exact = editDistance(a, b, 20);
      expect(editDistance(b, a, 20)).toBe(exact);
      expect(editDistance(a, b, max)).toBe(Math.min(exact, max + 1));
    }),
  );
});

test("ten thousand names take no noticeable time", async () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `some-component-${index}.test.tsx`);
  const wanted = "some-componnet-77.test.tsx";
  const counted = await loadCounted<typeof text>("src/text/index.ts");
  expectGrowth({ size: 500, mostGrowth: 2.1, mostPerUnit: 6300 }, (count) => {
    const some = names.slice(0, count);
    return () => counted.nearestNames(wanted, some, 3);
  });
  // More are not looked at.
  const stepsFor = (count: number): number => countSteps(() => counted.nearestNames(wanted, names.slice(0, count), 3));
  expect(stepsFor(50_000) / stepsFor(10_000)).toBeLessThan(1.01);
  expect(nearestNames(wanted, names, 3)[0]).toBe("some-component-77.test.tsx");
});
