/** SI sizes, pinned at every border. */
import { expect, test } from "bun:test";
import { count, formatBytes } from "../../src/text/index.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [12, "12 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [1234, "1.2 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [3_400_000, "3.4 MB"],
  [2_000_000_000, "2.0 GB"],
  [5e18, "5000.0 PB"],
])("formatBytes() writes %i for people", (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});

test("count() takes the word for one thing, and another for none or several", () => {
  expect([0, 1, 2].map((number) => count(number, "file"))).toEqual(["0 files", "1 file", "2 files"]);
  expect([1, 2].map((number) => count(number, "match", "matches"))).toEqual(["1 match", "2 matches"]);
});
