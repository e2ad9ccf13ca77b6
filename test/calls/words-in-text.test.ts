/**
 * Words of a failure or a proposal by their place in the text of its result: whatever they are, a program gets them back
 * as they were.
 */
import { expect, test } from "bun:test";
import { wordsByPlace, wordsFrom } from "../../src/calls/call-result.ts";
import { fc } from "../property.ts";

const KEYS = ["message", "hint", "reason", "diff", "warnings", "code", "path", "__proto__", "details"];
const TEXT = fc.string({ unit: fc.constantFrom("a", "é", "😀", '"', "\n", " ") });
const { value: VALUE } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, TEXT, fc.boolean(), fc.constant(null), fc.array(TEXT), tie("object")),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie("value")),
}));

test("words come back as they were, whether the text has them or not", () => {
  fc.assert(
    fc.property(VALUE, TEXT, fc.array(TEXT), (value, before, more) => {
      const words = JSON.stringify(value).match(/[^"\\[\]{},:]+/g) ?? [];
      const text = [before, ...words, ...more].join(" ");
      const sent = JSON.parse(JSON.stringify(wordsByPlace(text, value))) as unknown;
      expect(wordsFrom(text, sent)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 500 },
  );
});

test("words are given by place once the text has them, and codes, paths and numbers stay", () => {
  const text = "stale: Cannot edit the file. Read it again";
  const failure = {
    code: "stale",
    message: "Cannot edit the file",
    details: { reason: "stale", path: "the file", lines: [1, 2] },
  };
  const sent = { ...failure, message: [7, 27] };
  expect(wordsByPlace(text, failure)).toEqual(sent);
  expect(wordsFrom(text, sent)).toEqual(failure);
});
