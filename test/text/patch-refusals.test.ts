/** What a `*** Begin Patch` text is refused for: with its line, the reason, and what to do instead. */
import { describe, expect, test } from "bun:test";
import { type PatchProblem } from "../../src/text/index.ts";
import { applied, begin, refused, update } from "./patch-kit.ts";

const SIMPLE = update("@@", " one", "-two", "+TWO", " three");
describe("refuses", () => {
  const cases: [name: string, text: string, code: PatchProblem["code"], line: number, message: string][] = [
    ["nothing", " \n", "empty", 1, "the patch is empty"],
    ["something else", "const a = 1;\n", "not_a_patch", 1, "no patch begins"],
    ["an empty patch", begin(), "no_hunks", 1, "changes no file"],
    [
      "PowerShell line breaks",
      "x\n*** Begin Patch`n*** Update File: a`n@@`n-a`n*** End Patch",
      "escaped_newlines",
      2,
      "`n",
    ],
    [
      "escaped and real line breaks",
      "*** Begin Patch\\n*** Delete File: a\n*** End Patch",
      "escaped_newlines",
      1,
      "\\n",
    ],
    ["a begin without an end", SIMPLE.replace("*** End Patch", ""), "unbalanced_markers", 1, "*** End Patch"],
    [
      "an end without a begin",
      `x\n${SIMPLE.replace("*** Begin Patch\n", "")}`,
      "unbalanced_markers",
      8,
      "*** Begin Patch",
    ],
    ["an update of nothing", update(""), "no_hunks", 2, 'the update of "a.ts" changes nothing'],
    ["an unknown header", update("*** Rename File: b"), "bad_header", 3, "no known header"],
    ["text under no header", begin("hello"), "bad_header", 2, '"hello" stands under no file header'],
    ["an empty path", begin("*** Delete File:  "), "bad_path", 2, "the path is empty"],
    ["a path with NUL", begin("*** Delete File: a\0b"), "bad_path", 2, "NUL"],
    ["a half-signed new file", begin("*** Add File: a", "+one", "two"), "bad_line", 4, '"two" has no +'],
    ["content under a delete", begin("*** Delete File: a", "two"), "bad_line", 3, "stands under the delete"],
    [
      "a unified diff inside",
      begin("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"),
      "mixed_dialects",
      2,
      "unified diff",
    ],
    [
      "its header inside an update",
      update("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"),
      "mixed_dialects",
      3,
      "unified diff",
    ],
    [
      "a SEARCH block inside",
      update("<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"),
      "mixed_dialects",
      3,
      "SEARCH",
    ],
    ["a placeholder in a chunk", update("@@", "-a", "+b", "+// ... rest of code ..."), "placeholder", 6, "placeholder"],
    [
      "a placeholder in a new file",
      begin("*** Add File: a", "+x", "+# ... existing code ..."),
      "placeholder",
      4,
      "placeholder",
    ],
    [
      "update and delete",
      begin("*** Delete File: a.ts", "*** Update File: a.ts", "@@", "-a"),
      "conflict",
      3,
      "deleted in a section above",
    ],
    ["add and add", begin("*** Add File: a", "+x", "*** Add File: a", "+y"), "conflict", 4, "added in a section above"],
    ["two moves", update("*** Move to: b", "*** Move to: c", "@@", "-a"), "conflict", 4, "moved twice"],
    [
      "two patches in JSON",
      JSON.stringify([SIMPLE, begin("*** Delete File: b")]),
      "not_a_patch",
      1,
      "more than one patch",
    ],
  ];
  test.each(cases)("parsePatch() refuses %s", (_name, text, code, line, message) => {
    const result = refused(text);
    expect(result).toMatchObject({ code, line });
    expect(result.message).toStartWith(`line ${line}: `);
    expect(result.message).toContain(message);
    expect(result.hint).not.toBe("");
  });

  test("a placeholder that stood there before is not refused", () => {
    const marker = "// ... existing code ...";
    expect(applied(`${marker}\nx\n`, update("@@", `-${marker}`, "-x", `+${marker}`, "+y"))).toBe(`${marker}\ny\n`);
  });
});
