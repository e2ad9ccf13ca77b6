/** Tolerance in placing, repeated calls, and explanations: what is taken liberally is told, the rest says what to do. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { applyHunks, unifiedDiff } from "../../src/text/index.ts";
import { apply, applyTo, block, exact, failed, textOf, tolerated } from "./patch-kit.ts";

describe("tolerates, one place at a time, and says so with both texts", () => {
  test("blanks at line ends", () => {
    expect(tolerated("one  \ntwo\n", "@@", " one", "-two", "+TWO")).toEqual({
      text: "one  \nTWO\n",
      tolerance:
        "Hunk 1 (line 3 of the patch) was placed at line 1 without regard to blanks at line ends: line 1 is «one··», the patch has «one».",
    });
  });

  test("a hunk matches tabs as blanks, and lines that it inserts are indented as the place is", () => {
    const file = "class A {\n\tif (a) {\n\t\tgo();\n\t}\n}\n";
    const result = tolerated(
      file,
      "@@",
      "     if (a) {",
      "-        go();",
      "+        if (b) {",
      "+            go();",
      "+        }",
      "     }",
    );
    expect(result.text).toBe("class A {\n\tif (a) {\n\t\tif (b) {\n\t\t\tgo();\n\t\t}\n\t}\n}\n");
    expect(result.tolerance).toContain("line 2 is «→if (a) {», the patch has «    if (a) {»");
    const spaced = "  if a:\n    go()\n";
    expect(tolerated(spaced, "@@", " \tif a:", "-\t\tgo()", "+\t\tstop()", "+\t\t\tnow()", "+\telse").text).toBe(
      "  if a:\n    stop()\n      now()\n  else\n",
    );
  });

  test("a hunk matches where its indentation was left out", () => {
    expect(tolerated("    a()\n    b()\n", "@@", " a()", "-b()", "+if x:", "+  c()").text).toBe(
      "    a()\n    if x:\n      c()\n",
    );
    expect(tolerated("a()\nb()\n", "@@", "  a()", "- b()", "+ c()").text).toBe("a()\nc()\n");
  });

  test("typographic signs, and writes inserted lines as they are sent", () => {
    const result = tolerated("say(“it’s — fine”)\n", "@@", `-say("it's - fine")`, `+say("ok")`);
    expect(result.text).toBe('say("ok")\n');
    expect(result.tolerance).toContain("typographic");
  });

  test("a hunk matches without an empty line of context behind the end of the file", () => {
    const result = tolerated("f:\n  return 1\n", "@@ f:", "-  return 1", "+  return 2", " ");
    expect(result.text).toBe("f:\n  return 2\n");
    expect(result.tolerance).toBe(
      "Hunk 1 (line 3 of the patch) was placed at line 2 without the empty line at its end.",
    );
    expect(exact("f:\n  return 1\n\n", "@@ f:", "-  return 1", "+  return 2", " ")).toBe("f:\n  return 2\n\n");
  });

  test("a hunk matches escapes that were escaped once more", () => {
    const result = tolerated('say("a");\n\tgo();\n', "@@", '-say(\\"a\\");', '+say(\\"b\\");');
    expect(result.text).toBe('say("b");\n\tgo();\n');
    expect(exact('say(\\"a\\");\nsay("a");\n', "@@", '-say(\\"a\\");', "+x")).toBe('x\nsay("a");\n');
    expect(tolerated("one\ntwo\n", "@@", "-one\\ntwo", "+1\\n2").text).toBe("1\n2\n");
  });

  test("a hunk matches when line numbers were copied along", () => {
    const result = tolerated("one\ntwo\nthree\n", "@@", "    12\tone", "-    13\ttwo", "+TWO", "     14\tthree");
    expect(result.text).toBe("one\nTWO\nthree\n");
    expect(tolerated("one\ntwo\n", "@@", " 1: one", "-2: two", "+2: TWO").text).toBe("one\nTWO\n");
  });

  test("a hunk matches when its context has lost its sign", () => {
    const result = tolerated("  one\n  two\n  three\n", "@@", "  one", "-  two", "+  TWO", "  three");
    expect(result.text).toBe("  one\n  TWO\n  three\n");
    expect(result.tolerance).toContain("without a sign");
  });

  test.each([
    ["blanks", "\ta b\n  a b\n", "-a  b"],
    ["typography", "it’s\n\u2018it’s\nit’s\n", "-it's"],
    ["escapes", '"a"\n"a"\n', '-\\"a\\"'],
    ["line numbers", "go\ngo\n", "-1: go"],
  ])("a hunk does not match tolerantly in two places: %s", (_name, file, line) => {
    expect(apply(file, "@@", line, "+x").kind).toBe("failed");
  });

  test("a hunk never matches blank lines alone, or other words", () => {
    expect(failed(apply("a1\n\nb2\n", "@@", "-   ", "+x")).code).toBe("no_match");
    expect(failed(apply("a=b\n", "@@", "-a = b", "+x")).code).toBe("no_match");
  });
});

describe("nothing to do", () => {
  test("old and new are the same", () => {
    expect(apply("a1\n", "@@", "-a1", "+a1")).toEqual({ kind: "unchanged", reason: "same_text" });
    expect(apply("a1\n", "@@", " nowhere")).toEqual({ kind: "unchanged", reason: "same_text" });
    expect(applyHunks("a1\n", [])).toEqual({ kind: "unchanged", reason: "same_text" });
  });

  const cases: [name: string, before: string, lines: string[]][] = [
    ["a replacement", "head\nold line\ntail\n", ["@@", " head", "-old line", "+new line"]],
    ["an insertion between", "head\ntail\n", ["@@", " head", "+new line", " tail"]],
    ["an insertion below context", "head\ntail\n", ["@@", " head", "+new line"]],
    ["an insertion above context", "head\ntail\n", ["@@", "+new line", " tail"]],
    ["an insertion below an anchor", "head\ntail\n", ["@@ head", "+new line"]],
    ["an insertion at the end", "head\ntail\n", ["@@", "+new line", "*** End of File"]],
    ["a deletion", "head\nold line\ntail\n", ["@@", " head", "-old line", " tail"]],
    ["a change of blanks", "head\n  line\ntail\n", ["@@", "-  line", "+    line"]],
    ["blanks taken from a line end", "head\nline  \n", ["@@", "-line  ", "+line"]],
    ["two hunks", "head\nold line\ntail\n", ["@@", "-head", "+HEAD", "@@", "-tail", "+TAIL"]],
  ];
  test.each(cases)("a hunk has nothing to do a second time: %s", (_name, before, lines) => {
    const once = textOf(apply(before, ...lines));
    expect(apply(once, ...lines)).toEqual({ kind: "unchanged", reason: "already_applied" });
  });

  test("for some hunks: the others are applied, and it is told", () => {
    expect(tolerated("HEAD\ntail\n", "@@", "-head", "+HEAD", "@@", "-tail", "+TAIL")).toEqual({
      text: "HEAD\nTAIL\n",
      tolerance: "What hunk 1 (line 3 of the patch) would make stands at line 1 already; it was left out.",
    });
    const behind = ["@@", " head", "+new line", "@@", "-tail", "+TAIL"];
    expect(tolerated("head\nnew line\ntail\n", ...behind).text).toBe("head\nnew line\nTAIL\n");
  });

  test("a hunk has something to do when another hunk changes what is there", () => {
    const chain = failed(apply("HEAD\ntail\n", "@@", "-head", "+HEAD", "@@", "-HEAD", "+Head!"));
    expect(chain).toMatchObject({ hunk: 0, code: "no_match", lines: [1] });
    expect(chain.message).toContain("seems to be applied already");
    const added = apply("head\nnew line\n", "@@", " head", "+new line", "@@", "-new line", "+other");
    expect(failed(added).message).toContain("seems to be applied already");
  });

  test("a hunk does not count as done above its anchor, or before the end that it asks for", () => {
    const file = "def a\n  print\ndef b\n  y\n";
    expect(failed(apply(file, "@@ def b", "-  z", "+  print")).code).toBe("no_match");
    expect(failed(apply(file, "@@", "-  z", "+  print", "*** End of File")).code).toBe("no_match");
    expect(apply(file, "@@ def a", "-  z", "+  print")).toMatchObject({ reason: "already_applied" });
  });

  test("not when it stands twice, or is too short to tell", () => {
    expect(failed(apply("new line\nnew line\n", "@@", "-old line", "+new line")).code).toBe("no_match");
    expect(failed(apply("x\n", "@@", "-old line", "+x")).code).toBe("no_match");
    expect(failed(apply("head\n", "@@", " head", "-old line")).code).toBe("no_match");
  });

  test("a hunk does not count as done when it only leaves what stands there", () => {
    const source = 'def a():\n    log("x")\n    return compute(1)\n';
    const lines = ['-    log("y")', "-    return compute(1)", "+    return compute(1)"];
    expect(failed(apply(source, "@@", ...lines))).toMatchObject({ code: "no_match", nearest: { line: 2 } });
  });

  test("a hunk does not count as done when a line like the old one still stands", () => {
    const file = "import os\nimport sys\n\nrun(first)\n";
    expect(failed(apply(file, "@@", "-import json", "+import os")).code).toBe("no_match");
    expect(failed(apply(file, "@@", "-run(frist)", "+import os")).code).toBe("no_match");
    expect(failed(applyTo(file, "a.ts", ...block(["run(frist)"], ["import os"]))).code).toBe("no_match");
  });

  test("a hunk counts as done between its own lines, although a line like the old one still stands elsewhere", () => {
    const file = "import os\nimport sys\n\nrun(first)\nstop(first)\nrun(third)\n";
    const lines = ["@@", " ", "-run(first)", "+start(all)", " stop(first)"];
    expect(apply(textOf(apply(file, ...lines)), ...lines)).toMatchObject({ reason: "already_applied" });
  });

  test("a hunk that may count as done is refused with the line where its new text stands", () => {
    expect(failed(apply("import os\nimport sys\n", "@@", "-import json", "+import os")).hint).toEndWith(
      " The new text stands at line 1: leave the hunk out if it was made before.",
    );
  });

  test("a hunk does not count as done when the old line is there, miscopied", () => {
    expect(tolerated("foo  bar\nother line\n", "@@", "-foo bar", "+other line").text).toBe("other line\nother line\n");
  });
});

describe("explains what is not there", () => {
  test("a refusal shows the nearest text, made visible", () => {
    const file = "first\n\tconst total = limit\u00a0* 2;\nlast\n";
    const problem = failed(apply(file, "@@", "-    const total = limits * 3;", "+x"));
    expect(problem).toMatchObject({ hunk: 0, at: 3, code: "no_match", lines: [2] });
    expect(problem.nearest?.text).toBe("→const total = limit⍽* 2;");
    expect(problem.hint).toContain("The nearest text is at line 2.");
    expect(problem.message).toBe("the old lines of hunk 1 (line 3 of the patch) do not stand in the file");
  });

  test("a refusal says that text stands inside a line only where it does", () => {
    expect(failed(apply("f: return 1\n", "@@", "-return 1", "+return 2")).hint).toStartWith(
      "They stand inside line 1,",
    );
    expect(failed(apply("f: return 1\nlast\n", "@@", "-return 1", "-last", "+return 2")).hint).not.toContain("inside");
  });

  test("a refusal explains every hunk, and is bounded", () => {
    const result = apply("a1\n", "@@", "-b2", "@@", "-c3");
    expect(result).toMatchObject({ kind: "failed", hunks: [{ hunk: 0 }, { hunk: 1 }] });
    const many = apply("a1\n", ...Array.from({ length: 900 }, () => ["@@", "-b2", "+c3"]).flat());
    expect(many.kind === "failed" && many.hunks.length).toBe(50);
  });
});

test("a hunk without numbers is placed where the diff was made, or refused", () => {
  const line = fc.tuple(
    fc.constantFrom("same", "other", "", "  same", "\tsame", "same  ", "“same”", "x y"),
    fc.constantFrom("\n", "\n", "\r\n"),
  );
  const text = fc.array(line, { maxLength: 10 }).map((parts) => parts.flat().join(""));
  let applied = 0;
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 3 }), (before, after, context) => {
      if (before === after) return;
      const diff = unifiedDiff(before, after, { path: "a", maxBytes: 1_000_000, context }).text;
      const body = diff
        .split("\n")
        .slice(2, -1)
        .map((row) => (row.startsWith("@@ ") ? "@@" : row));
      const result = apply(before, ...body);
      if (result.kind === "applied") {
        expect(result.tolerances).toEqual([]);
        expect(result.text).toBe(after);
        applied++;
      } else if (result.kind === "failed") {
        expect(result.hunks.map(({ code }) => code)).toEqual(result.hunks.map(() => "ambiguous"));
      } else throw new Error(JSON.stringify(result));
    }),
    { numRuns: 2000 },
  );
  expect(applied).toBeGreaterThan(1000);
});
