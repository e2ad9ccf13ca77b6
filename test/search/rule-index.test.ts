/**
 * Ignore rules are looked up, not tried one by one: what is found is what trying them would find.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { compileRule, parseIgnoreFile } from "../../src/search/ignore/ignore-file.ts";

const PIECE = fc.constantFrom("a", "b", ".", "*", "**", "?", "[ab]", "~", "#", ".o", "/", "é", "\\*", "a.b");
const PATTERN = fc
  .array(PIECE, { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(""))
  .filter((pattern) => !/^[#/]|\/$/.test(pattern) && pattern !== "!");
const TEXT = fc
  .array(fc.constantFrom("a", "b", ".", "~", "#", ".o", "é", "*"), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(""));
const RULE = fc.record({
  pattern: fc.oneof(
    PATTERN,
    PATTERN.map((pattern) => `/${pattern}`),
  ),
  isKept: fc.boolean(),
  directoriesOnly: fc.boolean(),
});

test("the last that matches decides, whatever it is looked up by", () => {
  fc.assert(
    fc.property(
      fc.array(RULE, { minLength: 1, maxLength: 12 }),
      fc.array(TEXT, { maxLength: 2 }),
      fc.array(TEXT, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      (rules, directories, names, isDirectory) => {
        const directory = directories.join("/");
        const lines = rules.map((rule) => (rule.isKept ? "!" : "") + rule.pattern + (rule.directoriesOnly ? "/" : ""));
        const judge = parseIgnoreFile(lines.join("\n"))?.judgeIn(directory);
        for (const name of names) {
          const found = rules.findLast(
            (rule) => (isDirectory || !rule.directoriesOnly) && compileRule(rule.pattern)?.(directory, name) === true,
          );
          const verdict = found && (found.isKept ? "keep" : "ignore");
          expect([lines, name, judge?.(name, isDirectory)]).toEqual([lines, name, verdict]);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
