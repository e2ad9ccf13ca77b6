/**
 * Texts with diffs in them, as the command line shows them: every line is there, and only lines of hunks are taken for such.
 */
import { expect, test } from "bun:test";
import { markDiffs } from "../../src/review/index.ts";
import { unifiedDiff } from "../../src/text/index.ts";
import { fc } from "../property.ts";

const piecesOf = (diff: string): unknown[] => markDiffs(diff, false).map((line) => line.pieces);
const plain = (text: string): object => ({ kind: "plain", text });
const word = (text: string): object => ({ kind: "word", text });
const kindsOf = (text: string): string[] => markDiffs(text, false).map(({ kind }) => kind);

test("markDiffs tells lines of a hunk by its counts, whatever they look like", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n --- a\n-+++ b\n+@@ -1,9 +1,9 @@\n  \n-after\n+after";
  expect(kindsOf(diff)).toEqual(["name", "name", "hunk", "same", "removed", "added", "same", "text", "text"]);
});

test("markDiffs reads hunks without counts, as git writes them, and goes on after one that was cut", () => {
  expect(kindsOf("@@ -1 +1 @@\n-a\n+b\n-c")).toEqual(["hunk", "removed", "added", "text"]);
  expect(kindsOf("@@ -1,9 +1,9 @@\n a\n-b\n[diff cut]\n-c")).toEqual(["hunk", "same", "removed", "text", "text"]);
  expect(kindsOf("@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n")).toEqual([
    "hunk",
    "removed",
    "note",
    "added",
    "text",
  ]);
});

test("markDiffs marks the words that differ where as many lines go as come, and no words elsewhere", () => {
  expect(piecesOf("@@ -1,1 +1,1 @@\n-const a = 1;\n+const a = 2;").slice(1)).toEqual([
    [plain("const a = "), word("1"), plain(";")],
    [plain("const a = "), word("2"), plain(";")],
  ]);
  expect(piecesOf("@@ -1,1 +1,2 @@\n-const a = 1;\n+const a = 2;\n+x").slice(1)).toEqual([
    [plain("const a = 1;")],
    [plain("const a = 2;")],
    [plain("x")],
  ]);
});

test("markDiffs leaves out no line and changes no character of any text, diff or not", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom("@@ -1,2 +1,3 @@", "--- a", "+++ b", "-x  ", "+\ty", " z", "\\ No newline at end of file", ""),
  );
  const joined = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(joined, joined, (before, after) => {
      const { text: diff } = unifiedDiff(before, after, { path: "a.ts", maxBytes: 1_000_000 });
      for (const text of [before, diff, `${before}\n${diff}${after}`]) {
        const shown = markDiffs(text, false).map(({ sign, pieces }) => sign + pieces.map((one) => one.text).join(""));
        expect(shown.join("\n")).toBe(text);
        expect(markDiffs(text, true)).toHaveLength(text.split("\n").length);
      }
    }),
  );
});
