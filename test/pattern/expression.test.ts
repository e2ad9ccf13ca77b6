/** Patterns of parameters: they mean what the runtime's expressions mean, and take linear time. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { compileExpression, MAX_EXPRESSION_WORK } from "../../src/pattern/index.ts";

function ofRuntime(source: string, text: string): boolean {
  return new RegExp(`^(?:${source})$`, "u").test(text);
}

describe("an expression means what the runtime's means", () => {
  const sources = [
    "[\\w./@{}^~:+-]+",
    "[\\w ()]+",
    "[A-Za-z0-9_.][A-Za-z0-9_./+-]*",
    "^a+$",
    "^a|b$|^$",
    "(?:^a)b",
    "a$b?",
    "(a|ab)(c|bcd)(d*)",
    "a{2}b{1,}c{0,2}d{1,3}?",
    "(?:a{0,2}b){2,3}",
    "(?!-)[a-d-]+",
    "(?=..$)[ab]*",
    "(?!(?!ab))a.*",
    "(?<year>\\d{4})-(?<month>\\d\\d)",
    ".",
    "[^]*",
    "[]|a",
    "\\p{L}+\\P{L}?",
    "\\u0061\\x62\\u{63}\\cA?",
    "\\uD83D\\uDE00",
    "[\\]\\\\a]+",
    "\\/\\.\\$\\|",
    "(?:)*",
    "(a*)*",
    "(?:a*?b??)+?",
    "",
  ];
  const texts = fc.string({
    unit: fc.constantFrom(...Array.from("abcd-./\\]$|12(\n\u0001"), "\u{1f600}", "\ud83d", "é"),
    maxLength: 8,
  });
  test.each(sources)("an expression means what the runtime's means: %s", (source) => {
    const expression = compileExpression(source);
    for (const text of ["", "ab", "abcd", "a", "b", "aa", "2026-11", "\u{1f600}", "abab", "/.$|", "abc\u0001"])
      expect([text, expression.matches(text)]).toEqual([text, ofRuntime(source, text)]);
    fc.assert(fc.property(texts, (text) => expression.matches(text) === ofRuntime(source, text)));
  });

  test("an expression that is made of any parts means what the runtime's means", () => {
    const { whole } = fc.letrec<{ whole: string }>((tie) => ({
      whole: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "$", "\\d", "1"),
        fc.tuple(tie("whole"), tie("whole")).map((parts) => parts.join("")),
        fc.tuple(tie("whole"), tie("whole")).map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(tie("whole"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}"))
          .map((parts) => `(${parts[0]})${parts[1]}`),
        tie("whole").map((part) => `(?!${part})`),
        tie("whole").map((part) => `(?=${part})`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1"), maxLength: 6 });
    fc.assert(
      fc.property(
        whole,
        text,
        (source, given) => compileExpression(source).matches(given) === ofRuntime(source, given),
      ),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ["(a)\\1", "a reference to a group"],
  ["(?<x>a)\\k<x>", "a reference to a group"],
  ["(?<=a)b", "a look behind"],
  ["(?<!a)b", "a look behind"],
  ["\\bword\\b", "an edge of a word"],
  ["a^b", "behind something else"],
  ["(?:(?:(?:a{50}){50}){50}){50}", "too long"],
  ["(".repeat(200) + ")".repeat(200), "too deeply"],
  ["(", "not a regular expression"],
  [")(", "not a regular expression"],
])("%s is refused", (source, why) => {
  expect(() => compileExpression(source)).toThrow(why);
});

test.each(["(a+)+b", "(a|a)*b", "(a|aa)+b", "a*a*a*a*a*b", "(?:a?){30}a{30}", "(?!(a+)+b)a*c", "([a-z]+)*\\d"])(
  "%s takes twice the steps for twice the text",
  (source) => {
    const expression = compileExpression(source);
    const stepsFor = (size: number): number => {
      expect(expression.matches("a".repeat(size))).toBe(false);
      return expression.steps;
    };
    // What was learned from the first is known to the second.
    stepsFor(1000);
    const once = stepsFor(1000);
    expect(stepsFor(2000) / once).toBeLessThanOrEqual(2.1);
  },
);

test("a text that would take too long has no answer, and no more work than the limit", () => {
  const expression = compileExpression("(?!(?:x?){4000}$)[^]*");
  expect(expression.matches("x".repeat(60_000))).toBeUndefined();
  expect(expression.steps).toBeLessThanOrEqual(MAX_EXPRESSION_WORK * 1.05);
  expect(compileExpression("x*").matches("x".repeat(64 * 1024))).toBe(true);
});
