/**
 * The sheet that says why a person is asked: what asks stands there in words, and a rule with the file and line that has it.
 */
import { expect, test } from "bun:test";
import { explainLines } from "../../../src/review/index.ts";
import type { ProposalReview } from "../../../src/review/index.ts";

const why = (rule: string, source: string): readonly string[] =>
  explainLines({
    tool: "write_file",
    risk: "R2",
    why: { rule, source, reason: "it writes", suggested_rules: [] },
  } as unknown as ProposalReview);

test.each([
  ["default", "mode", "the mode default (no rule is about this call)"],
  ["write_file(a/**)", "/p/.ringfence.json:7", "the rule write_file(a/**) (/p/.ringfence.json:7)"],
  ["always", "tool", "the tool itself, whatever rules allow"],
  ["write_file", "hooks", "a hook of write_file"],
])("the sheet of what %s of %s asks says by whom in words", (rule, source, words) => {
  expect(why(rule, source)).toContain(`Asked by   ${words}`);
});
