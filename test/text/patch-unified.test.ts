/** Unified and git diffs: headers of every kind, counts that are wrong, and what a text patch cannot do. */
import { describe, expect, test } from "bun:test";
import { applyHunks, type FilePatch, type PatchProblem } from "../../src/text/index.ts";
import { applied, only, parsed, refused } from "./patch-kit.ts";

const NAMES = ["--- a/x.ts", "+++ b/x.ts"];
const BODY = [" one", "-two", "+TWO", " three"];
const FILE = "one\ntwo\nthree\n";
const DONE = "one\nTWO\nthree\n";

test("parsePatch() reads a hunk with its numbers and its section as hints", () => {
  expect(parsed(...NAMES, "@@ -1,3 +1,3 @@", ...BODY).dialect).toBe("unified");
  expect(only(...NAMES, "@@ -1,3 +1,3 @@ function f() {", ...BODY)).toEqual({
    kind: "update",
    path: "x.ts",
    candidatesForPath: ["x.ts", "a/x.ts", "b/x.ts"],
    hunks: [
      {
        lines: [
          { kind: "keep", text: "one" },
          { kind: "remove", text: "two" },
          { kind: "insert", text: "TWO" },
          { kind: "keep", text: "three" },
        ],
        anchors: ["function f() {"],
        anchorKind: "soft",
        startLine: 1,
        endOfFile: false,
        at: 3,
      },
    ],
  });
});

describe("names", () => {
  const cases: [name: string, lines: string[], file: Partial<FilePatch> & { moveTo?: string }][] = [
    ["without prefixes", ["--- x.ts", "+++ x.ts"], { path: "x.ts" }],
    ["with one prefix", ["--- x.ts", "+++ b/x.ts"], { path: "x.ts", candidatesForPath: ["x.ts", "b/x.ts"] }],
    ["with time stamps", ["--- a/x y.ts\t2024-01-02 10:11:12.000000000 +0100", "+++ b/x y.ts\t"], { path: "x y.ts" }],
    [
      "with time stamps behind a blank",
      ["--- x.ts 2024-01-02 10:11:12", "+++ x.ts 2024-01-02T10:11Z"],
      { path: "x.ts" },
    ],
    [
      "with octal escapes",
      ['--- "a/\\303\\251\\t\\"b\\".ts"', '+++ "b/\\303\\251\\t\\"b\\".ts"'],
      { path: 'é\t"b".ts' },
    ],
    ["of a backup copy", ["--- x.ts.orig", "+++ x.ts"], { path: "x.ts" }],
    ["that differ", ["--- a/x.ts", "+++ b/y.ts"], { path: "x.ts", moveTo: "y.ts" }],
  ];
  test.each(cases)("parsePatch() reads the names of %s", (_name, lines, file) => {
    expect(only(...lines, "@@ -1,3 +1,3 @@", ...BODY)).toMatchObject(file);
  });

  test("a name with a wrong escape is refused", () => {
    expect(refused('--- "a/\\q"', "+++ b/x")).toMatchObject({ code: "bad_path", line: 1 });
    expect(refused('--- "a/\\377"', "+++ b/x")).toMatchObject({ code: "bad_path", line: 1 });
    expect(refused('--- "a/x', "+++ b/x")).toMatchObject({ code: "bad_path", line: 1 });
    expect(refused("--- a/x", "+++ ")).toMatchObject({ code: "bad_path", line: 2 });
  });
});

describe("git", () => {
  test("parsePatch() reads a new executable file of git", () => {
    const lines = ["diff --git a/n b/n", "new file mode 100755", "index 0000000..1234567", "--- /dev/null", "+++ b/n"];
    expect(only(...lines, "@@ -0,0 +1,2 @@", "+a", "+b", "\\ No newline at end of file")).toEqual({
      kind: "add",
      path: "n",
      content: "a\nb",
      executable: true,
      candidatesForPath: ["n", "b/n"],
    });
  });

  test("parsePatch() reads an empty new file, a deleted file and an empty deleted file of git", () => {
    expect(only("diff --git a/n b/n", "new file mode 100644", "index 0000000..e69de29")).toMatchObject({
      kind: "add",
      path: "n",
      content: "",
    });
    expect(only("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a")).toMatchObject({
      kind: "delete",
      path: "x",
    });
    expect(only("diff --git a/a b.txt b/a b.txt", "deleted file mode 100644")).toMatchObject({
      kind: "delete",
      path: "a b.txt",
    });
  });

  test("a rename, pure and with hunks, with blanks in the names", () => {
    const lines = ["diff --git a/o p b/n q", "similarity index 100%", "rename from o p", "rename to n q"];
    expect(only(...lines)).toEqual({ kind: "update", path: "o p", moveTo: "n q", hunks: [] });
    const file = only(...lines, "--- a/o p", "+++ b/n q", "@@ -1,3 +1,3 @@", ...BODY);
    expect(file).toMatchObject({ path: "o p", moveTo: "n q", hunks: [{ startLine: 1 }] });
  });

  test("parsePatch() takes blanks behind the names of a rename for theirs where the first line has them too", () => {
    const lines = ["rename from old.txt ", "rename to new.txt "];
    const plain = { path: "old.txt", moveTo: "new.txt" };
    expect(only("diff --git a/old.txt b/new.txt", ...lines)).toMatchObject(plain);
    const blank = { path: "old.txt ", moveTo: "new.txt " };
    expect(only("diff --git a/old.txt  b/new.txt ", ...lines)).toMatchObject(blank);
    expect(only('diff --git "a/\\told " b/new.txt', 'rename from "\\told "', "rename to new.txt")).toMatchObject({
      path: "\told ",
    });
  });

  test("parsePatch() reads a copy of git, pure and with hunks, also to a name that another file gives up", () => {
    const lines = ["diff --git a/x b/y", "similarity index 90%", "copy from x", "copy to y"];
    expect(only(...lines)).toEqual({ kind: "copy", path: "y", from: "x", hunks: [] });
    const file = only(...lines, "--- a/x", "+++ b/y", "@@ -1,3 +1,3 @@", ...BODY);
    expect(file).toMatchObject({ kind: "copy", path: "y", from: "x", hunks: [{ startLine: 1 }] });
    const freed = parsed(...lines, "diff --git a/y b/z", "rename from y", "rename to z");
    expect(freed.files.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["copy y", "update y"]);
  });

  test("parsePatch() reads a mode of git", () => {
    expect(only("diff --git a/s b/s", "old mode 100644", "new mode 100755")).toMatchObject({
      kind: "update",
      path: "s",
      mode: "100755",
      hunks: [],
    });
  });

  test("parsePatch() reads a deletion and an addition of one path as its replacement", () => {
    const gone = ["--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"];
    expect(only(...gone, "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+b")).toMatchObject({
      kind: "replace",
      content: "b\n",
    });
  });

  test("parsePatch() reads the diff in a mail of git, with its signature", () => {
    const result = parsed(
      "From: me",
      "Subject: x",
      "---",
      " x.ts | 2 +-",
      "",
      ...NAMES,
      "@@ -1,3 +1,3 @@",
      ...BODY,
      "-- ",
      "2.39.5",
      "",
    );
    expect(result.files[0]).toMatchObject({ hunks: [{ lines: { length: 4 } }] });
    expect(result.tolerances).toEqual(["Text outside of the patch was ignored (patch lines 1, 2, 3, 4, 13, 14)."]);
  });

  test("parsePatch() reads several files of git", () => {
    const other = ["diff --git a/y b/y", "index 1..2 100644", "--- a/y", "+++ b/y", "@@ -1 +1 @@", "-a", "+b"];
    expect(parsed(...NAMES, "@@ -1,3 +1,3 @@", ...BODY, ...other).files.map(({ path }) => path)).toEqual(["x.ts", "y"]);
  });
});

describe("hunks", () => {
  test.each(["@@ -1,9 +1,9 @@", "@@ -7,1 +7,1 @@", "@@ -1,2 +1,3 @@", "@@ -0,0 +0,0 @@", "@@ -1 +1 @@"])(
    "with the wrong counts %s",
    (header) => {
      expect(applied(FILE, ...NAMES, header, ...BODY)).toBe(DONE);
      expect(parsed(...NAMES, header, ...BODY).tolerances).toEqual([
        "Wrong line counts of hunks were ignored (patch line 3).",
      ]);
    },
  );

  test("parsePatch() reads hunks with wrong counts that are followed by others", () => {
    const second = ["@@ -5,9 +5,9 @@", "-five", "+FIVE"];
    expect(applied(`${FILE}four\nfive\n`, ...NAMES, "@@ -1,9 +1,9 @@", ...BODY, ...second)).toBe(`${DONE}four\nFIVE\n`);
  });

  test("parsePatch() reads hunks without numbers", () => {
    expect(applied(FILE, ...NAMES, "@@ ... @@", ...BODY)).toBe(DONE);
    expect(applied(FILE, ...NAMES, "@@", ...BODY)).toBe(DONE);
    expect(applied(`two\nx\n${FILE}`, ...NAMES, "@@ one", "-two", "+TWO")).toBe(`two\nx\n${DONE}`);
  });

  test("parsePatch() reads hunks in a fence, with prose around it", () => {
    const text = ["Try this:", "", "```diff", ...NAMES, "@@ -1,9 +1,9 @@", ...BODY, "```", "", "Good luck!"];
    expect(applied(FILE, ...text)).toBe(DONE);
  });

  test("parsePatch() reads hunks in several fences, with prose between them", () => {
    const second = ["```diff", ...NAMES, "@@ -4,9 +4,9 @@", "-four", "+FOUR", "```"];
    const text = ["```diff", ...NAMES, "@@ -1,9 +1,9 @@", ...BODY, "```", "Then:", ...second, "Good luck!"];
    const [file] = parsed(...text).files;
    const result = applyHunks(`${FILE}four\n`, file?.kind === "update" ? file.hunks : []);
    expect(result).toMatchObject({ kind: "applied", text: `${DONE}FOUR\n` });
  });

  test("a patch with prose behind wrong counts is read", () => {
    expect(applied(FILE, ...NAMES, "@@ -1,9 +1,9 @@", ...BODY, "", "That is all.")).toBe(DONE);
  });

  test("parsePatch() reads hunks with context that lost its blank", () => {
    expect(applied("one\n\ntwo\n", ...NAMES, "@@ -1,3 +1,3 @@", " one", "", "-two", "+TWO")).toBe("one\n\nTWO\n");
    expect(applied(FILE, ...NAMES, "@@ -1,3 +1,3 @@", "one", "-two", "+TWO", "three")).toBe(DONE);
  });

  test("parsePatch() reads hunks whose lines look like headers, when the counts are right", () => {
    const lines = ["@@ -1,2 +1,2 @@", "--- a", "+++ b", " x"];
    expect(applied("-- a\nx\n", ...NAMES, ...lines)).toBe("++ b\nx\n");
  });

  test("parsePatch() reads hunks with @@ repeated in the middle", () => {
    expect(applied(FILE, ...NAMES, "@@ -1,3 +1,4 @@", " one", "@@", "+new", "@@", "-two", "+TWO")).toBe(
      "one\nnew\nTWO\nthree\n",
    );
  });

  test("a diff written with CRLF throughout changes a file with LF", () => {
    const crlf = [...NAMES, "@@ -1,3 +1,3 @@", ...BODY].map((line) => `${line}\r`);
    expect(applied(FILE, ...crlf)).toBe(DONE);
  });

  test("a hunk adds or takes the final newline", () => {
    const none = "\\ No newline at end of file";
    expect(applied("a", ...NAMES, "@@ -1 +1 @@", "-a", none, "+a")).toBe("a\n");
    expect(applied("a\n", ...NAMES, "@@ -1 +1 @@", "-a", "+a", none)).toBe("a");
    expect(applied("a\nb", ...NAMES, "@@ -1,2 +1,2 @@", "-a", "+x", " b", none)).toBe("x\nb");
  });
});

describe("refuses", () => {
  const cases: [name: string, lines: string[], code: PatchProblem["code"], line: number][] = [
    ["a binary patch", ["diff --git a/x b/x", "index 1..2", "GIT binary patch", "literal 3"], "binary", 3],
    ["a binary difference", ["diff --git a/x b/x", "Binary files a/x and b/x differ"], "binary", 2],
    [
      "a copy to a file that is changed too",
      ["diff --git a/x b/y", "copy from x", "copy to y", "diff --git a/y b/y", "new file mode 100644"],
      "conflict",
      1,
    ],
    ["a link", ["diff --git a/x b/x", "new file mode 120000"], "unsupported", 2],
    ["a merge", ["--- a/x", "+++ b/x", "@@@ -1,2 -1,2 +1,2 @@@", "  a"], "unsupported", 3],
    ["names without hunks", NAMES, "no_hunks", 1],
    ["hunks without names", ["@@ -1 +1 @@", "-a", "+b"], "bad_header", 1],
    ["context in a new file", ["--- /dev/null", "+++ b/x", "@@ -1 +1,2 @@", " a", "+b"], "bad_line", 3],
    ["a placeholder", [...NAMES, "@@ -1,2 +1,2 @@", " a", "-b", "+# rest of the code unchanged"], "placeholder", 6],
    ["PowerShell line breaks", ["--- a/x`n+++ b/x`n@@ -1 +1 @@`n-a"], "escaped_newlines", 1],
  ];
  test.each(cases)("parsePatch() refuses %s", (_name, lines, code, line) => {
    const result = refused(...lines);
    expect(result).toMatchObject({ code, line });
    expect(result.hint).not.toBe("");
  });
});
