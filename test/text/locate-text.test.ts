/** Places found without regard to line ends are carried back to where they really are. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { createEndingBlindText, findOccurrences } from "../../src/text/lines/lines.ts";

test("a place is carried back over CRLF and lone CR", () => {
  const blind = createEndingBlindText("a\r\nb\rc\r\r\nd");
  expect(blind.flat).toBe("a\nb\nc\n\nd");
  expect(blind.toOriginal([0, 1, 2, 3, 4, 5, 6, 7, 8])).toEqual([0, 1, 3, 4, 5, 6, 7, 9, 10]);
});

test("the flat text between two places is the original between theirs", () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\r\n", "\r")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (original, one, two) => {
      const blind = createEndingBlindText(original);
      const size = blind.flat.length + 1;
      const [from = 0, to = 0] = [one % size, two % size].sort((a, b) => a - b);
      const [start, end] = blind.toOriginal([from, to]);
      const part = original.slice(start, end);
      expect(part.replaceAll("\r\n", "\n").replaceAll("\r", "\n")).toBe(blind.flat.slice(from, to));
    }),
  );
});

test("occurrences are found with and without overlap, up to a number", () => {
  expect(findOccurrences("aaaa", "aa", 10, true)).toEqual([0, 1, 2]);
  expect(findOccurrences("aaaa", "aa", 10, false)).toEqual([0, 2]);
  expect(findOccurrences("aaaa", "a", 2, true)).toEqual([0, 1]);
});
