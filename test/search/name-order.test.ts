/**
 * The order of answers: name by name, each by its bytes.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { nameToBytes } from "../../src/sys/index.ts";
import { comparePaths } from "../../src/search/walk/name-order.ts";

const NAME = fc
  .array(fc.constantFrom("a", "b", ".", "-", "é", "\uffee", "\u{1f600}", "\u{1f601}", "\udcff", "\udc80"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((signs) => signs.join(""));
const PATH = fc.array(NAME, { minLength: 1, maxLength: 4 });

test("paths are compared name by name, and names by their bytes", () => {
  fc.assert(
    fc.property(PATH, PATH, PATH, (above, one, other) => {
      const [a, b] = [above.concat(one), above.concat(other)];
      const at = a.findIndex((name, index) => name !== b[index]);
      const [left, right] = [a[at], b[at]];
      const order =
        left === undefined || right === undefined
          ? a.length - b.length
          : Buffer.compare(nameToBytes(left), nameToBytes(right));
      expect(Math.sign(comparePaths(a.join("/"), b.join("/")))).toBe(Math.sign(order));
    }),
    { numRuns: 3000 },
  );
});
