/**
 * Our globs against `Bun.Glob`, as a second opinion on the syntax that both have. Decision 0005 says where they differ.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { compileGlob, matchInOrder } from "../../src/search/ignore/glob-pattern.ts";

const NAME: fc.Arbitrary<string> = fc
  .array(fc.constantFrom("a", "b", "ab", ".ts", "é", "*", "?", "[ab]", "[a-c]", "{a,b*}", "{1..3}", "\\*"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join("").replaceAll(/\*{2,}/g, "*"));
const PATTERN: fc.Arbitrary<string> = fc
  .array(fc.oneof(NAME, fc.constant("**")), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"));
const PATH: fc.Arbitrary<string> = fc
  .array(
    fc
      .array(fc.constantFrom("a", "b", "c", "ab", ".ts", "é", "1", "2", "*", "x"), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.join("")),
    { minLength: 1, maxLength: 4 },
  )
  .map((names) => names.join("/"));

test("compileGlob() and Bun.Glob agree on stars, classes, braces and escapes", () => {
  fc.assert(
    fc.property(PATTERN, PATH, (pattern, path) => {
      const cut = path.lastIndexOf("/");
      const matches = matchInOrder(compileGlob([pattern], true));
      expect(matches({ directory: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) })).toBe(
        new Bun.Glob(pattern).match(path),
      );
    }),
    { numRuns: 20_000 },
  );
});
