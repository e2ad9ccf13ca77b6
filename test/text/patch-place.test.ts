/** Placing hunks: one place or none, context untouched, every tolerance told, every refusal with lines and a next move. */
import { describe, expect, test } from "bun:test";
import { apply, exact, failed, textOf, tolerated, unified } from "./patch-kit.ts";

/** The lines that a hunk of these tests has changed, 1-based. */
function numbersOf(text: string): number[] {
  return text.split("\n").flatMap((line, index) => (line === "  x = 2" ? [index + 1] : []));
}

describe("places each hunk on the original", () => {
  const file = "a1\nb2\nc3\nd4\ne5\n";

  test("each hunk is placed on the original, and says where", () => {
    expect(apply(file, "@@", " b2", "-c3", "+C", "+D", "@@", "-e5")).toEqual({
      kind: "applied",
      text: "a1\nb2\nC\nD\nd4\n",
      tolerances: [],
      placements: [
        { hunk: 0, startLine: 2, lines: 2 },
        { hunk: 1, startLine: 5, lines: 1 },
      ],
    });
  });

  test("hunks in any order are placed on the original", () => {
    expect(exact(file, "@@", "-e5", "+5", "@@", "-a1", "+1", "@@", "-c3", "+3")).toBe("1\nb2\n3\nd4\n5\n");
  });

  test("a hunk is placed on context that another hunk changes", () => {
    expect(exact(file, "@@", " a1", "-b2", "+B", " c3", "@@", " b2", "-c3", "+C", " d4")).toBe("a1\nB\nC\nd4\ne5\n");
  });

  test("a hunk is never placed on the text that another one wrote", () => {
    expect(exact(file, "@@", "-a1", "+b2", "@@", "-b2", "+c3", "@@", "-c3", "+a1")).toBe("b2\nc3\na1\nd4\ne5\n");
  });

  test("a hunk takes dollar signs as they are", () => {
    expect(exact(file, "@@", "-c3", "+$& $1 $` $'")).toBe("a1\nb2\n$& $1 $` $'\nd4\ne5\n");
  });

  test("two hunks that change the same lines are refused", () => {
    const problem = failed(apply(file, "@@", " b2", "-c3", "+x", "@@", "-c3", "-d4", "+y"));
    expect(problem).toMatchObject({ hunk: 1, code: "overlap", lines: [3] });
    expect(problem.message).toBe("hunk 1 and hunk 2 change the same lines");
    expect(failed(apply(file, "@@", "-b2", "-c3", "-d4", "@@", " b2", "+x", " c3")).code).toBe("overlap");
    expect(failed(apply(file, "@@", " b2", "+new", " c3", "@@", " b2", "+new", " c3")).code).toBe("overlap");
  });
});

describe("keeps bytes", () => {
  test("a hunk keeps the bytes of context and untouched lines, and takes endings from the neighbours", () => {
    const mixed = "one\r\ntwo\nthree\r\nfour\rfive\r\r\nsix";
    expect(exact(mixed, "@@", " one", "-two", "+TWO", "+more", " three")).toBe(
      "one\r\nTWO\nmore\nthree\r\nfour\rfive\r\r\nsix",
    );
    expect(exact(mixed, "@@", " one", "+new", " two")).toBe("one\r\nnew\r\ntwo\nthree\r\nfour\rfive\r\r\nsix");
  });

  test("a hunk keeps the bytes of CRLF and classic Mac files", () => {
    expect(exact("a1\r\nb2\r\nc3\r\n", "@@", " a1", "-b2", "+B", "+B2")).toBe("a1\r\nB\r\nB2\r\nc3\r\n");
    expect(exact("a1\rb2\rc3\r", "@@", " a1", "-b2", "+B", "+B2")).toBe("a1\rB\rB2\rc3\r");
    expect(exact("a1\r\nb2", "@@", "-b2", "+B", "+C")).toBe("a1\r\nB\r\nC");
  });

  test("a hunk keeps the bytes of a byte order mark", () => {
    expect(exact("\ufeffone\ntwo\n", "@@", "-one", "+ONE")).toBe("\ufeffONE\ntwo\n");
    expect(exact("\ufeff", "@@", "+one")).toBe("\ufeffone\n");
  });

  test("a hunk takes a byte order mark away, keeps it as context, and makes it once", () => {
    expect(exact("\ufeffone\ntwo\n", "@@", "-\ufeffone", "+one")).toBe("one\ntwo\n");
    expect(exact("\ufeffone\ntwo\n", "@@", " \ufeffone", "-two", "+TWO")).toBe("\ufeffone\nTWO\n");
    expect(exact("one\ntwo\n", "@@", "-one", "+\ufeffone")).toBe("\ufeffone\ntwo\n");
    expect(apply("\ufeffone\ntwo\n", "@@", "-one", "+\ufeffone")).toMatchObject({ kind: "unchanged" });
  });

  test("a hunk keeps a missing final newline", () => {
    expect(exact("a1\nb2", "@@", "-b2", "+B")).toBe("a1\nB");
    expect(exact("a1\nb2", "@@", " b2", "+C")).toBe("a1\nb2\nC");
    expect(exact("a1\nb2", "@@", " a1", "-b2")).toBe("a1");
    expect(exact("a1\nb2", "@@", "-a1")).toBe("b2");
    expect(exact("a1", "@@", "-a1")).toBe("");
  });

  test("a hunk keeps the bytes of context that was matched tolerantly", () => {
    const result = tolerated("x\u00a0= “a”;  \nold\n", "@@", ' x = "a";', "-old", "+new");
    expect(result.text).toBe("x\u00a0= “a”;  \nnew\n");
  });
});

describe("needs one place", () => {
  const twice = "f() {\n  go();\n}\ng() {\n  go();\n}\n";

  test("a hunk that fits several places names them all", () => {
    const problem = failed(apply(twice, "@@", "-  go();", "+  stop();"));
    expect(problem).toEqual({
      hunk: 0,
      at: 3,
      code: "ambiguous",
      message: "the old lines of hunk 1 (line 3 of the patch) stand at 2 places, and must stand at one",
      hint: 'They stand at lines 2, 5. Add neighbouring lines, or "@@" with the function or class above them.',
      lines: [2, 5],
    });
    expect(failed(apply("x\n".repeat(5000), "@@", "-x", "+y"))).toMatchObject({
      lines: Array.from({ length: 20 }, (_, index) => index + 1),
      message: "the old lines of hunk 1 (line 3 of the patch) stand at at least 1000 places, and must stand at one",
    });
  });

  test("an anchor decides, whole or part of its line", () => {
    const wanted = "f() {\n  go();\n}\ng() {\n  stop();\n}\n";
    expect(exact(twice, "@@ g() {", "-  go();", "+  stop();")).toBe(wanted);
    expect(exact(twice, "@@ g()", "-  go();", "+  stop();")).toBe(wanted);
    expect(exact(twice, "@@ f() {", "-  go();", "+  stop();")).toBe(wanted.replace("stop", "go").replace("go", "stop"));
  });

  test("a hunk finds its place by anchors inside one another", () => {
    const classes = "class A\n  run\n    x\nclass B\n  run\n    x\n";
    expect(exact(classes, "@@ class B", "@@   run", "-    x", "+    y")).toBe(
      "class A\n  run\n    x\nclass B\n  run\n    y\n",
    );
  });

  test("a hunk finds its place by an anchor that is the first context line", () => {
    expect(exact(twice, "@@ g() {", " g() {", "-  go();")).toBe("f() {\n  go();\n}\ng() {\n}\n");
  });

  test("a hard anchor must be there, and above", () => {
    expect(failed(apply(twice, "@@ nowhere", " g() {", "-  go();"))).toMatchObject({
      code: "no_match",
      lines: [4],
    });
    expect(failed(apply(twice, "@@ g() {", " f() {", "-  go();")).message).toContain("is at line 4");
  });

  test("an anchor that stands twice does not decide", () => {
    expect(failed(apply("f\nx\nf\nx\n", "@@ f", "-x", "+y")).code).toBe("ambiguous");
  });

  test("a line number decides, between equal places only, and says when it is not exact", () => {
    expect(textOf(unified(twice, "@@ -5,1 +5,1 @@", "-  go();", "+  stop();"))).toBe(
      "f() {\n  go();\n}\ng() {\n  stop();\n}\n",
    );
    const near = unified(twice, "@@ -6,1 +6,1 @@", "-  go();", "+  stop();");
    expect(near).toMatchObject({
      tolerances: ["Hunk 1 (line 3 of the patch) stands in 2 places; the one nearest to its line number 6 was taken."],
    });
    expect(textOf(unified(twice, "@@ -900,1 +900,1 @@", " g() {", "-  go();"))).toBe("f() {\n  go();\n}\ng() {\n}\n");
    expect(failed(unified("x\ny\nx\n", "@@ -2,1 +2,1 @@", "-x", "+z")).code).toBe("ambiguous");
  });

  const functions = "def foo():\n  x = 1\n  return x\n\n";
  const first = ["@@ -1,2 +1,2 @@", " import os", "-import sys", "+import re"];
  const second = ["@@ -8,3 +8,3 @@", " def foo():", "-  x = 1", "+  x = 2", "   return x"];
  /** The second hunk was made for the second function, which stood at line 8. */
  const before = `import os\nimport sys\n\n${functions.repeat(4)}`;

  test("a line number leads as much further on as the hunks around it stand, and that is told", () => {
    expect(numbersOf(textOf(unified(before, ...first, ...second)))).toEqual([9]);
    for (const drift of [1, 4, 8]) {
      const result = unified("# above\n".repeat(drift) + before, ...first, ...second);
      expect(numbersOf(textOf(result))).toEqual([9 + drift]);
      const lines = drift === 1 ? "1 line" : `${drift} lines`;
      expect(result).toMatchObject({
        tolerances: [
          `Hunk 2 (line 7 of the patch) stands in several places; the one at line ${8 + drift} was taken, ` +
            `because the hunks around it stand ${lines} further down than their numbers say.`,
        ],
      });
    }
    const below = ["@@ -20,2 +20,2 @@", " last", "-line", "+end"];
    const late = unified(`# above\n# above\n# above\n# above\n${before}last\nline\n`, ...second, ...below);
    expect(numbersOf(textOf(late))).toEqual([13]);
  });

  test("a line number that leads past another hunk does not decide against the order of the patch", () => {
    const file = `${functions}class A\n${functions}class B\n${functions}`;
    const ordered = ["@@ -1,3 +1,3 @@", ...second.slice(1), "@@ -20,1 +20,1 @@", "-class A", "+class AA"];
    expect(numbersOf(textOf(unified(file, ...ordered)))).toEqual([2]);
    const swapped = ["@@ -1,1 +1,1 @@", "-class B", "+class BB", ...second];
    expect(numbersOf(textOf(unified(file, ...swapped)))).toEqual([12]);
  });

  test("a hunk that only inserts goes as much further on as the hunks around it stand, and that is told", () => {
    const inserted = unified(`# above\n${before}`, ...first, "@@ -3,0 +4 @@", "+new = 1");
    expect(textOf(inserted)).toStartWith("# above\nimport os\nimport re\n\nnew = 1\ndef foo():\n");
    expect(inserted).toMatchObject({
      tolerances: [
        "Hunk 2 (line 7 of the patch) inserts before line 5, because the hunks around it stand 1 line further down " +
          "than their numbers say.",
      ],
    });
  });

  test("a line number decides among thousands of places", () => {
    const many = "x\n".repeat(5000);
    const result = unified(many, "@@ -4000,3 +4000,4 @@ x", " x", " x", "+new", " x");
    expect(result).toMatchObject({ tolerances: [], placements: [{ startLine: 4000 }] });
    expect(textOf(result).split("\n").indexOf("new")).toBe(4001);
    const last = unified(`${many}y\n${many}`, "@@ -9000,2 +9000,3 @@", " x", " x", "+new", " x", " y");
    expect(last).toMatchObject({ placements: [{ startLine: 4998 }] });
    expect(unified(many, "@@ -7000,2 +7000,3 @@", " x", "+new", " x")).toMatchObject({
      placements: [{ startLine: 4999 }],
    });
  });

  test("a line number that hits counts more than a soft anchor", () => {
    expect(textOf(unified("x\nhead\nx\n", "@@ -1,1 +1,1 @@ head", "-x", "+y"))).toBe("y\nhead\nx\n");
    expect(textOf(unified("x\nhead\nx\n", "@@ head", "-x", "+y"))).toBe("x\nhead\ny\n");
  });

  test("a soft anchor is no condition", () => {
    expect(textOf(unified(twice, "@@ -1,2 +1,1 @@ nowhere", " g() {", "-  go();"))).toBe(
      "f() {\n  go();\n}\ng() {\n}\n",
    );
  });

  test("the end of the file decides, and is told when it does not hold", () => {
    expect(exact("x\ny\nx\n", "@@", "-x", "+z", "*** End of File")).toBe("x\ny\nz\n");
    expect(tolerated("x\ny\n", "@@", "-x", "+z", "*** End of File").tolerance).toContain("stands elsewhere");
  });
});

describe("a hunk that only inserts", () => {
  const file = "import a\n\nclass A\n  run\nclass B\n  run\n";

  test("obeys its anchor, and is not appended", () => {
    expect(exact(file, "@@ class A", "+  name")).toBe("import a\n\nclass A\n  name\n  run\nclass B\n  run\n");
    expect(exact(file, "@@ class B", "@@ run", "+  last")).toBe("import a\n\nclass A\n  run\nclass B\n  run\n  last\n");
  });

  test("a hunk that only inserts goes to the end when it says so, or to its line", () => {
    expect(exact("a1\nb2", "@@", "+c3", "*** End of File")).toBe("a1\nb2\nc3");
    expect(textOf(unified("a1\nb2\n", "@@ -1,0 +2,1 @@", "+x"))).toBe("a1\nx\nb2\n");
    expect(textOf(unified("a1\nb2\n", "@@ -0,0 +1,1 @@", "+x"))).toBe("x\na1\nb2\n");
    expect(failed(unified("a1\nb2\n", "@@ -7,0 +8,1 @@", "+x"))).toMatchObject({
      code: "no_match",
      lines: [2],
    });
  });

  test("a hunk that only inserts is not put to its line again, whatever the number of such hunks", () => {
    const already = { kind: "unchanged", reason: "already_applied" } as const;
    const filled = unified("", "@@ -0,0 +1,3 @@", "+one", "+two", "+three");
    expect(textOf(filled)).toBe("one\ntwo\nthree\n");
    expect(unified("one\ntwo\nthree\n", "@@ -0,0 +1,3 @@", "+one", "+two", "+three")).toEqual(already);
    expect(unified("x\n", "@@ -0,0 +1 @@", "+x")).toEqual(already);
    expect(unified("a\r\nunique line\r\nb\r\n", "@@ -1,0 +2,1 @@", "+unique line")).toEqual(already);
    const several = [
      "@@ -0,0 +1,2 @@",
      "+first line",
      "+",
      "@@ -2,0 +5 @@",
      "+second line",
      "@@ -3,0 +7 @@",
      "+third line",
    ];
    const before = "a\nb\nc\nd\n";
    const after = "first line\n\na\nb\nsecond line\nc\nthird line\nd\n";
    expect(textOf(unified(before, ...several))).toBe(after);
    expect(unified(after, ...several)).toEqual(already);
    expect(unified("}\na\n}\nsome line\n", "@@ -0,0 +1 @@", "+}", "@@ -1,0 +3,2 @@", "+}", "+some line")).toEqual(
      already,
    );
  });

  test("lines stand by chance where a hunk that only inserts would put them, when another hunk is not there yet", () => {
    const repeating = "return;\nbravo\nalpha\ncharlie\nbravo\n";
    const two = ["@@ -0,0 +1 @@", "+alpha", "@@ -4,0 +6 @@", "+bravo"];
    expect(textOf(unified(repeating, ...two))).toBe("alpha\nreturn;\nbravo\nalpha\ncharlie\nbravo\nbravo\n");
  });

  test("a hunk that only inserts is put to its line where other lines stand, or some of its own, or the same ones elsewhere", () => {
    const lines = ["@@ -1,0 +2,2 @@", "+one line", "+two lines"];
    for (const rest of ["b\n", "one line\n", "one line\ntwo\n", "b\none line\ntwo lines\n"])
      expect(textOf(unified(`a\n${rest}`, ...lines))).toBe(`a\none line\ntwo lines\n${rest}`);
    expect(textOf(unified("a line\n", "@@ -0,0 +1 @@", "+the top"))).toBe("the top\na line\n");
    // Short text stands there by chance.
    expect(textOf(unified("{\n}\n", "@@ -1,0 +2 @@", "+}"))).toBe("{\n}\n}\n");
  });

  test("a hunk that only inserts fills an empty file", () => {
    expect(exact("", "@@", "+a1", "+b2")).toBe("a1\nb2\n");
  });

  test("a hunk that only inserts is refused without a place, or with two", () => {
    expect(failed(apply(file, "@@", "+x"))).toMatchObject({ code: "ambiguous" });
    expect(failed(apply(file, "@@ run", "+x"))).toMatchObject({ code: "ambiguous", lines: [4, 6] });
    expect(failed(apply(file, "@@ nowhere", "+x"))).toMatchObject({ code: "no_match" });
  });

  test("two hunks that insert at the same place keep their order", () => {
    expect(exact(file, "@@ class A", "+  one", "@@ class A", "+  two")).toContain("class A\n  one\n  two\n  run\n");
  });
});
