/**
 * Whole forms, word by word. Some clients show three lines of a message and 48 characters of a label, and nobody can see the
 * rest there: so the point stands in them, and all of it below.
 */
import { describe, expect, test } from "bun:test";
import { openAsker, type Asker } from "./asker.ts";
import type { FileTree } from "./file-tree.ts";
import type { Members } from "./in-memory-host.ts";
import { labelsOf, seenOf, wholeForm } from "./whole-form.ts";

interface Case {
  readonly name: string;
  readonly files?: FileTree;
  readonly tool: string;
  readonly given: Members;
  /** What everybody has to see: in the first lines, and in the first characters of a label. */
  readonly point: readonly string[];
  readonly allowed?: string;
  readonly whole: string;
}

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join("");

const END = (tool: string, risk: string): string =>
  `id: ID@DIGEST\ntool: ${tool}, risk ${risk}\nmade: TIME, expires: TIME`;

const labels = (always: string): string =>
  `[Apply]\n[Always: ${always}, now and without asking until the host ends]\n[Reject]`;

const CASES: readonly Case[] = [
  {
    name: "an edit of one line",
    files: { "report.txt": "a\nb\nc\nd\ne\nf\nStatus: draft\nh\n" },
    tool: "edit_file",
    given: { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" },
    point: ["report.txt:7  -Status: draft  +Status: final"],
    allowed: "edit_file(report.txt)",
    whole: `report.txt:7  -Status: draft  +Status: final
1. Edit /ROOT/report.txt (28 bytes -> 28 bytes, mode 644, utf-8)
@@ -4,5 +4,5 @@
 d
 e
 f
-Status: draft
+Status: final
 h
${END("edit_file", "R2")}
${labels("edit_file(report.txt)")}`,
  },
  {
    name: "an edit of several places",
    files: { "report.txt": numbered },
    tool: "edit_file",
    given: {
      path: "report.txt",
      edits: [
        { old_text: "line 3\n", new_text: "LINE 3\n" },
        { old_text: "line 38\n", new_text: "" },
        { old_text: "line 20\n", new_text: "LINE 20\nnew\n" },
      ],
    },
    point: ["report.txt: +3 -3 in 3 places", "-line 3  +LINE 3", "-line 20  +LINE 20"],
    allowed: "edit_file(report.txt)",
    whole: `Edit report.txt: +3 -3 in 3 places
line 3  -line 3  +LINE 3
line 20  -line 20  +LINE 20
1. Edit /ROOT/report.txt (311 bytes -> 307 bytes, mode 644, utf-8)
@@ -1,6 +1,6 @@
 line 1
 line 2
-line 3
+LINE 3
 line 4
 line 5
 line 6
@@ -17,7 +17,8 @@
 line 17
 line 18
 line 19
-line 20
+LINE 20
+new
 line 21
 line 22
 line 23
@@ -35,6 +36,5 @@
 line 35
 line 36
 line 37
-line 38
 line 39
 line 40
${END("edit_file", "R2")}
${labels("edit_file(report.txt)")}`,
  },
  {
    name: "a new file",
    tool: "write_file",
    given: { path: "notes/new.txt", content: "first\nsecond\nthird\n" },
    point: ["Create notes/new.txt: +3", "+first", "+second"],
    allowed: "write_file(notes/new.txt)",
    whole: `Create notes/new.txt: +3 -0
line 1  +first
line 2  +second
1. Create /ROOT/notes/new.txt (19 bytes, mode 644, utf-8, makes 1 directory above)
@@ -0,0 +1,3 @@
+first
+second
+third
${END("write_file", "R2")}
${labels("write_file(notes/new.txt)")}`,
  },
  {
    name: "a directory that is deleted",
    files: { "src/important.py": "pass\n", "src/b/c.py": "x\n" },
    tool: "delete",
    given: { path: "src", recursive: true },
    point: ["Delete src (a directory with 3 entries, 7 bytes)"],
    allowed: "delete(src, with",
    whole: `Delete src (a directory with 3 entries, 7 bytes)
1. Delete /ROOT/src (a directory with 3 entries, 7 bytes, mode 755)
${END("delete", "R4")}
Note: 3 entries go with the directory.
${labels('delete(src, with {"recursive":true})')}`,
  },
  {
    name: "a move onto another file",
    files: { "b.txt": "b\n", "notes.txt": "one\ntwo\n" },
    tool: "move",
    given: { source: "b.txt", destination: "notes.txt", overwrite: true },
    point: ["Move b.txt -> notes.txt", "replaces a file of 8 bytes", "-one  +b", "-two"],
    allowed: "move(b.txt, notes.txt, …)",
    whole: `Move b.txt -> notes.txt (2 bytes, replaces a file of 8 bytes and mode 644)
line 1  -one  +b
line 2  -two
1. Move /ROOT/b.txt -> /ROOT/notes.txt (2 bytes, mode 644, replaces a file of 8 bytes and mode 644)
@@ -1,2 +1,1 @@
-one
-two
+b
${END("move", "R4")}
Note: It replaces what is at notes.txt.
${labels('move(b.txt, notes.txt, …), that is move(b.txt, notes.txt, with {"overwrite":true})')}`,
  },
  {
    name: "many files, of which what is lost comes first",
    files: {
      "notes.txt": "line one\n",
      "src/important.py": "pass\n",
      "tool.sh": "#!/bin/sh\n",
      "b.txt": "b\n",
    },
    tool: "change_files",
    given: {
      operations: [
        { op: "edit_file", path: "notes.txt", old_text: "line one", new_text: "line 1" },
        { op: "move", source: "b.txt", destination: "conftest.py" },
        { op: "write_file", path: "x/y/z.txt", content: "deep\n" },
        { op: "write_file", path: "tool.sh", encoding: "base64", content: btoa("\0echo hi\n") },
        { op: "delete", path: "src/important.py" },
      ],
    },
    point: [
      "5 changes: delete 1, overwrite 1, move 1, edit 1, create 1 (+2 -1)",
      "Delete src/important.py (5 bytes)",
      "Overwrite tool.sh",
    ],
    whole: `5 changes: delete 1, overwrite 1, move 1, edit 1, create 1 (+2 -1)
Delete src/important.py (5 bytes)
Overwrite tool.sh (10 bytes -> 9 bytes, utf-8 -> not text)
1. Edit /ROOT/notes.txt (9 bytes -> 7 bytes, mode 644, utf-8)
2. Move /ROOT/b.txt -> /ROOT/conftest.py (2 bytes, mode 644)
3. Create /ROOT/x/y/z.txt (5 bytes, mode 644, utf-8, makes 2 directories above)
4. Overwrite /ROOT/tool.sh (10 bytes -> 9 bytes, mode 644, utf-8 -> not text)
5. Delete /ROOT/src/important.py (5 bytes, mode 644)
--- a/notes.txt
+++ b/notes.txt
@@ -1,1 +1,1 @@
-line one
+line 1
--- /dev/null
+++ b/x/y/z.txt
@@ -0,0 +1,1 @@
+deep
tool.sh, as a program sees it that reads bytes:
| \\x00echo hi
${END("change_files", "R4")}
[Apply]
[Reject]`,
  },
  {
    name: "two small edits",
    files: { "a.ts": "foo\n", "b.ts": "foo\n" },
    tool: "change_files",
    given: {
      operations: ["a.ts", "b.ts"].map((path) => ({
        op: "edit_file",
        path,
        old_text: "foo",
        new_text: "bar",
      })),
    },
    point: ["2 changes: edit 2 (+2 -2)", "a.ts:1  -foo  +bar", "b.ts:1  -foo  +bar"],
    allowed: "change_files(a.ts, b.ts, …)",
    whole: `2 changes: edit 2 (+2 -2)
a.ts:1  -foo  +bar
b.ts:1  -foo  +bar
1. Edit /ROOT/a.ts (4 bytes -> 4 bytes, mode 644, utf-8)
2. Edit /ROOT/b.ts (4 bytes -> 4 bytes, mode 644, utf-8)
--- a/a.ts
+++ b/a.ts
@@ -1,1 +1,1 @@
-foo
+bar
--- a/b.ts
+++ b/b.ts
@@ -1,1 +1,1 @@
-foo
+bar
${END("change_files", "R2")}
${labels('change_files(a.ts, b.ts, …), that is change_files(a.ts, b.ts, with {"operations":[{"op":"edit_file","path":"a.ts"},{"op":"edit_file","path":"b.ts"}]})')}`,
  },
  {
    name: "bytes that are commands to a shell and words to a person",
    tool: "write_file",
    given: {
      path: "i.sh",
      content: Buffer.from("\necho EVIL; \n").toString("utf16le"),
      encoding: "utf-16le",
    },
    point: ["Create i.sh:1", "utf-16le with a byte order mark", "| echo EVIL; "],
    allowed: "write_file(i.sh, …)",
    whole: `Create i.sh:1  +攊档\\u206f噅䱉※  (no line feed at its end)  (utf-16le with a byte order mark)
| \\xff\\xfe
| echo EVIL; 
1. Create /ROOT/i.sh (14 bytes, mode 644, utf-16le with a byte order mark)
@@ -0,0 +1,1 @@
+攊档\\u206f噅䱉※
\\ No newline at end of file
i.sh, as a program sees it that reads bytes:
| \\xff\\xfe
| echo EVIL; 
${END("write_file", "R2")}
${labels('write_file(i.sh, …), that is write_file(i.sh, with {"encoding":"utf-16le"})')}`,
  },
];

async function open(files: FileTree = {}): Promise<Asker> {
  return await openAsker("2025-11-25", { files, config: { baseline: "if_known" } });
}

describe("the form about", () => {
  test.each([...CASES])("the form shows the whole of $name", async ({ files, tool, given, point, allowed, whole }) => {
    await using asker = await open(files);
    const { form, answer } = await asker.ask({ name: tool, arguments: given });
    expect(wholeForm(form, asker.host)).toBe(whole);
    expect(form.message).not.toContain("\n\n");
    const seen = seenOf(form);
    for (const one of point) expect(seen.lines).toContain(one);
    if (allowed === undefined) expect(labelsOf(form)).toEqual(["Apply", "Reject"]);
    else expect(seen.labels).toContainEqual(expect.stringContaining(`Always: ${allowed}`));
    await answer({ action: "cancel" });
  });
});
