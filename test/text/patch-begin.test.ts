/** The `*** Begin Patch` format: what is understood of what models write around and inside it, and what is refused. */
import { describe, expect, test } from "bun:test";
import { type FilePatch } from "../../src/text/index.ts";
import { applied, begin, parsed, update } from "./patch-kit.ts";

const SIMPLE = update("@@", " one", "-two", "+TWO", " three");
const FILE = "one\ntwo\nthree\n";
const DONE = "one\nTWO\nthree\n";

test("parsePatch() reads additions, deletions, updates and moves in one patch", () => {
  const result = parsed(
    begin(
      "*** Add File: new/a.txt",
      "+one",
      "+",
      "+ two",
      "*** Delete File: old.txt",
      "*** Update File: b.txt",
      "*** Move to: c.txt",
      "@@ class A",
      "@@   run()",
      " keep",
      "-old",
      "+new",
      "*** End of File",
    ),
  );
  expect(result).toEqual({
    kind: "patch",
    dialect: "begin_patch",
    files: [
      { kind: "add", path: "new/a.txt", content: "one\n\n two\n" },
      { kind: "delete", path: "old.txt" },
      {
        kind: "update",
        path: "b.txt",
        moveTo: "c.txt",
        hunks: [
          {
            lines: [
              { kind: "keep", text: "keep" },
              { kind: "remove", text: "old" },
              { kind: "insert", text: "new" },
            ],
            anchors: ["class A", "run()"],
            anchorKind: "hard",
            endOfFile: true,
            at: 10,
          },
        ],
      },
    ],
    tolerances: [],
  });
});

describe("takes the patch out of", () => {
  const body = SIMPLE.trimEnd();
  const SHELL = "The patch was taken out of the shell command or fence around it.";
  const QUOTES = "The patch was taken out of the quotes of a shell command.";
  const JSON_NOTE = "The patch was taken out of the JSON around it.";
  const cases: [name: string, text: string, tolerances: string[]][] = [
    ["blank space", `\n\n  ${body}  \n\n`, []],
    ["markers with blanks around", body.replace("*** Begin Patch", "  *** Begin Patch "), []],
    ["CRLF", body.replaceAll("\n", "\r\n"), []],
    ["a byte order mark", `\ufeff${body}`, []],
    ["a heredoc", `apply_patch <<'EOF'\n${body}\nEOF\n`, [SHELL]],
    ["an unquoted heredoc", `applypatch <<EOF\n${body}\nEOF`, [SHELL]],
    ["a heredoc alone", `<<"PATCH"\n${body}\nPATCH`, [SHELL]],
    ["a shell", `bash -lc "apply_patch <<'EOF'\n${body}\nEOF"`, [SHELL]],
    ["a folder and a shell", `cd src && apply_patch <<'EOF'\n${body}\nEOF`, [SHELL]],
    ["single quotes", `apply_patch '${body}'`, [QUOTES]],
    ["double quotes", `zsh -c apply_patch "${body}"`, [QUOTES]],
    ["a PowerShell here-string", `@'\n${body}\n'@ | apply_patch`, [SHELL]],
    ["a fence", `\`\`\`diff\n${body}\n\`\`\``, [SHELL]],
    ["prose", `Here is the patch:\n\n${body}\nDone.\n`, ["Text outside of the patch was ignored (patch lines 1, 11)."]],
    ["a JSON command", JSON.stringify({ command: ["apply_patch", body] }), [JSON_NOTE]],
    ["a JSON input", JSON.stringify({ input: body }), [JSON_NOTE]],
    ["a JSON array", JSON.stringify(["bash", "-lc", `apply_patch <<'EOF'\n${body}\nEOF`]), [JSON_NOTE, SHELL]],
    ["a JSON string", JSON.stringify(body), [JSON_NOTE]],
    ["JSON in JSON", JSON.stringify({ arguments: JSON.stringify({ patch: body }) }), [JSON_NOTE]],
    [
      "escaped line breaks",
      JSON.stringify(body).slice(1, -1),
      [String.raw`Line breaks written as \n were read as line breaks.`],
    ],
    [
      "no markers",
      body.split("\n").slice(1, -1).join("\n"),
      ["The markers *** Begin Patch and *** End Patch were missing."],
    ],
    [
      "an environment id",
      body.replace("*** Update", "*** Environment ID: 7\n*** Update"),
      ["The environment id was ignored (patch line 2)."],
    ],
  ];
  test.each(cases)("parsePatch() takes the patch out of %s", (_name, text, tolerances) => {
    expect(applied(FILE, text)).toBe(DONE);
    expect(parsed(text).tolerances).toEqual(tolerances);
  });

  test("shell quotes, with their own escapes undone", () => {
    expect(applied("a\n", `apply_patch '${update("@@", "-a", "+it'\\''s").trimEnd()}'`)).toBe("it's\n");
    expect(applied("a\n", `apply_patch "${update("@@", "-a", '+\\"x\\" \\$y').trimEnd()}"`)).toBe('"x" $y\n');
  });

  test("nothing else: escapes inside a good patch stay", () => {
    expect(applied("a\n", update("@@", "-a", String.raw`+say("a\n\"b\"")`))).toBe('say("a\\n\\"b\\"")\n');
  });

  test("parsePatch() takes two patches as one", () => {
    const two = begin("*** Delete File: b") + begin("*** Delete File: c");
    expect(parsed(two).files.map(({ path }) => path)).toEqual(["b", "c"]);
  });
});

describe("reads", () => {
  test("parsePatch() reads a first chunk without @@", () => {
    expect(applied(FILE, update(" one", "-two", "+TWO"))).toBe(DONE);
  });

  test("parsePatch() reads context lines without a sign, when they stand there", () => {
    const file = "  if (a) {\n    b();\n  }\n";
    expect(applied(file, update("@@", "  if (a) {", "+    first();", "    b();"))).toBe(
      "  if (a) {\n    first();\n    b();\n  }\n",
    );
    const patch = update("@@", "one", "-two", "+TWO", "three");
    expect(applied(FILE, patch)).toBe(DONE);
    expect(parsed(patch).tolerances).toEqual(["Lines without a sign were read as context (patch lines 4, 7)."]);
    expect(applied("\tone\ntwo\n", update("@@", "\tone", "-two", "+TWO"))).toBe("\tone\nTWO\n");
  });

  test("parsePatch() reads an empty line inside a chunk as empty context, and around chunks as nothing", () => {
    const patch = update("", "@@", "", " one", "", "-two", "+TWO", "", "", "@@", "-six", "+SIX", "");
    expect(applied("one\n\ntwo\nsix\n", patch)).toBe("one\n\nTWO\nSIX\n");
    expect(parsed(patch).tolerances).toEqual(["Wholly empty lines were read as empty context (patch line 7)."]);
  });

  test("parsePatch() reads numbers after @@ as a hint only", () => {
    const twice = "x\na\nx\nb\nx\n";
    const patch = update("@@ -3,1 +3,1 @@", "-x", "+y");
    expect(applied(twice, patch)).toBe("x\na\ny\nb\nx\n");
    expect(parsed(patch).tolerances).toEqual([
      "Line numbers after @@ only decide between equal places (patch line 3).",
    ]);
    expect(applied(FILE, update("@@ -90,7 +90,9 @@ nowhere()", "-two", "+TWO"))).toBe(DONE);
    for (const header of ["@@ line 2 @@", "@@ 2", "@@ -2,1", "@@ -2,3 +2,4"]) {
      expect(applied(FILE, update(header, "-two", "+TWO"))).toBe(DONE);
    }
    for (const header of ["@@ ... @@", "@@ @@", "@@ …"]) {
      expect(applied(FILE, update(header, "-two", "+TWO"))).toBe(DONE);
    }
  });

  test("parsePatch() reads a repeated @@ as going on", () => {
    const patch = update("@@ one", " two", "@@ one", "+new", "@@ one", "-three", "+THREE");
    expect(applied(FILE, patch)).toBe("one\ntwo\nnew\nTHREE\n");
    expect(parsed(patch).tolerances).toEqual([
      "A repeated @@ line was read as going on at the same place (patch lines 5, 7).",
    ]);
  });

  test("a move without chunks", () => {
    expect(parsed(update("*** Move to: b.ts")).files).toEqual([
      { kind: "update", path: "a.ts", moveTo: "b.ts", hunks: [] },
    ]);
  });

  test("parsePatch() reads chunks behind *** End of File", () => {
    const patch = update("@@", "-three", "+3", "*** End of File", "@@", "-one", "+1");
    expect(applied(FILE, patch)).toBe("1\ntwo\n3\n");
  });

  test("parsePatch() reads a new file without signs, without its last newline, and an empty one", () => {
    const bare = parsed(begin("*** Add File: a", "one", "", "two", ""));
    expect(bare.files[0]).toEqual({ kind: "add", path: "a", content: "one\n\ntwo\n" });
    expect(bare.tolerances).toHaveLength(1);
    const open = parsed(begin("*** Add File: a", "@@", "+one", "\\ No newline at end of file"));
    expect(open.files[0]).toMatchObject({ content: "one" });
    expect(parsed(begin("*** Add File: a")).files[0]).toMatchObject({ content: "" });
    expect(parsed(begin("*** Add File: a", "+one", "", "+two")).files[0]).toMatchObject({
      content: "one\n\ntwo\n",
    });
  });

  test("parsePatch() reads markers as content when they are signed", () => {
    const patch = begin("*** Add File: a", "+*** Begin Patch", "+*** Delete File: x", "+*** End Patch");
    expect(parsed(patch).files[0]).toMatchObject({
      content: "*** Begin Patch\n*** Delete File: x\n*** End Patch\n",
    });
    expect(applied("*** End Patch\nx\n", update("@@", " *** End Patch", "-x", "+y"))).toBe("*** End Patch\ny\n");
  });

  test("parsePatch() reads a rule of asterisks without a sign as context", () => {
    expect(applied("***\nx\n", update("@@", "***", "-x", "+y"))).toBe("***\ny\n");
  });

  test("parsePatch() reads paths in quotes", () => {
    expect(parsed(begin("*** Delete File: `a b.txt` ")).files[0]?.path).toBe("a b.txt");
  });
});

describe("joins", () => {
  test("parsePatch() joins sections of the same path, all against the original", () => {
    const section = ["*** Update File: a.ts", "@@"];
    const patch = begin(...section, "-three", "+one", ...section, "-one", "+three");
    expect(applied(FILE, patch)).toBe("three\ntwo\none\n");
    expect(parsed(patch).tolerances).toEqual(["Sections of the same file were joined (patch line 6)."]);
  });

  test("parsePatch() joins a deletion and an addition of one path, in any order", () => {
    const add = ["*** Add File: a", "+x"];
    const wanted: FilePatch = { kind: "replace", path: "a", content: "x\n" };
    expect(parsed(begin("*** Delete File: a", ...add)).files).toEqual([wanted]);
    expect(parsed(begin(...add, "*** Delete File: ./a")).files).toEqual([wanted]);
  });
});
