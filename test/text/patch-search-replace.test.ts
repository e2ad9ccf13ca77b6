/** SEARCH/REPLACE blocks: their markers, the path above, and old text that is only part of a line. */
import { describe, expect, test } from "bun:test";
import { type PatchProblem } from "../../src/text/index.ts";
import { applyTo, block, parsed, refused } from "./patch-kit.ts";

const FILE = "one\ntwo\nthree\n";
const DONE = "one\nTWO\nthree\n";

describe("finds the path", () => {
  const cases: [name: string, above: string[], below: string[], path: string][] = [
    ["above the block", ["src/a.ts"], [], "src/a.ts"],
    ["above a fence", ["src/a.ts", "```ts"], ["```"], "src/a.ts"],
    ["inside a fence", ["```ts", "src/a.ts"], ["```"], "src/a.ts"],
    ["in a heading", ["### `src/a.ts`:", "", "```"], ["```"], "src/a.ts"],
    ["with a label", ["**File: src/a.ts**"], [], "src/a.ts"],
    ["with blanks", ["my dir/a b.ts"], [], "my dir/a b.ts"],
    ["without extension", ["Makefile"], [], "Makefile"],
  ];
  test.each(cases)("the path of a block is found: %s", (_name, above, below, path) => {
    expect(parsed(...above, ...block(["two"], ["TWO"]), ...below).files).toMatchObject([{ kind: "update", path }]);
  });

  test("a block takes the path of the block before", () => {
    const text = ["a.ts", ...block(["one"], ["1"]), "Next I change this:", ...block(["two"], ["2"])];
    expect(applyTo(FILE, ...text)).toMatchObject({ kind: "applied", text: "1\n2\nthree\n" });
  });

  test("a block without a path is refused", () => {
    expect(refused(...block(["a"], ["b"]))).toMatchObject({ code: "bad_path", line: 1 });
    expect(refused("Here is my change:", ...block(["a"], ["b"]))).toMatchObject({
      code: "bad_path",
      line: 2,
    });
  });
});

test.each([5, 6, 7, 8, 9])("parsePatch() reads markers of %d signs", (signs) => {
  expect(applyTo(FILE, "a.ts", ...block(["one", "two"], ["one", "TWO"], signs))).toMatchObject({
    text: DONE,
  });
});

test("lines that both halves share are context, and keep their bytes", () => {
  const before = "  one\r\n\ttwo\nthree\r\n";
  const result = applyTo(before, "a.ts", ...block([" one", "  two", " three"], [" one", "  new", "  two", " three"]));
  expect(result).toMatchObject({ kind: "applied", text: "  one\r\n\tnew\r\n\ttwo\nthree\r\n" });
});

describe("inside a line", () => {
  test("a block matches inside a line when it stands there once, and says so", () => {
    expect(applyTo("const a = 1;\nconst b = 2;\n", "a.ts", ...block(["b = 2"], ["c = $&3"]))).toEqual({
      kind: "applied",
      text: "const a = 1;\nconst c = $&3;\n",
      tolerances: ["Hunk 1 (line 2 of the patch) was placed inside line 2."],
      placements: [{ hunk: 0, startLine: 2, lines: 1 }],
    });
    expect(applyTo("x(a,\r\n b)\r\n", "a.ts", ...block(["a,", " b"], ["c,", " d,", " e"]))).toMatchObject({
      text: "x(c,\r\n d,\r\n e)\r\n",
    });
  });

  test("a whole line goes before a part of another", () => {
    expect(applyTo("two more\ntwo\n", "a.ts", ...block(["two"], ["2"]))).toMatchObject({
      text: "two more\n2\n",
    });
  });

  test("a block does not match inside a line when it stands there twice", () => {
    expect(applyTo("x = 1; y = 1;\n", "a.ts", ...block(["= 1"], ["= 2"]))).toMatchObject({
      kind: "failed",
      hunks: [{ code: "ambiguous", lines: [1] }],
    });
  });
});

describe("a second time changes nothing", () => {
  const already = { kind: "unchanged", reason: "already_applied" } as const;
  const cases: [name: string, before: string, search: string[], replace: string[]][] = [
    ["lines", FILE, ["two"], ["the second"]],
    ["lines below others", FILE, ["two"], ["two", "new line"]],
    ["lines above and below others", FILE, ["two"], ["above", "two", "below"]],
    ["a part of a line", "let count = 1;\n", ["count = 1"], ["count = 23"]],
    ["a part of a line that becomes two", "if (a) { go(); }\n", ["{ go();"], ["{", "  stop();"]],
    ["a part of a line that grows", "let count = 1;\n", ["count"], ["counter"]],
  ];
  test.each(cases)("a block that is applied a second time changes nothing: %s", (_name, before, search, replace) => {
    const once = applyTo(before, "a.ts", ...block(search, replace));
    if (once.kind !== "applied") throw new Error(JSON.stringify(once));
    expect(applyTo(once.text, "a.ts", ...block(search, replace))).toEqual(already);
  });
});

describe("reads", () => {
  test("parsePatch() reads an empty SEARCH as a new file", () => {
    expect(parsed("a.ts", ...block([], ["x", "y"])).dialect).toBe("search_replace");
    expect(parsed("a.ts", ...block([], ["x", "y"])).files).toEqual([{ kind: "add", path: "a.ts", content: "x\ny\n" }]);
  });

  test("parsePatch() reads an empty REPLACE as a deletion", () => {
    expect(applyTo(FILE, "a.ts", ...block(["two"], []))).toMatchObject({ text: "one\nthree\n" });
  });

  test("parsePatch() reads the spelling with other signs", () => {
    expect(applyTo(FILE, "a.ts", "------- SEARCH", "two", "=======", "TWO", "+++++++ REPLACE")).toMatchObject({
      text: DONE,
    });
  });

  test("parsePatch() reads blocks out of order, and CRLF", () => {
    const text = ["a.ts", ...block(["three"], ["3"]), ...block(["one"], ["1"])].map((line) => `${line}\r`);
    expect(applyTo(FILE, ...text)).toMatchObject({ text: "1\ntwo\n3\n" });
  });

  test("parsePatch() reads a line of equals signs of another length as content", () => {
    expect(applyTo("Title\n=====\n", "a.md", ...block(["Title", "====="], ["Name", "====="]))).toMatchObject({
      text: "Name\n=====\n",
    });
  });
});

describe("refuses", () => {
  const cases: [name: string, lines: string[], code: PatchProblem["code"], line: number][] = [
    ["a block without its end", ["a.ts", "<<<<<<< SEARCH", "a", "=======", "b"], "unbalanced_markers", 2],
    ["a block without its middle", ["a.ts", "<<<<<<< SEARCH", "a", ">>>>>>> REPLACE"], "unbalanced_markers", 2],
    ["a block in a block", ["a.ts", "<<<<<<< SEARCH", "a", "=======", ...block(["b"], ["c"])], "unbalanced_markers", 2],
    ["two middles", ["a.ts", ...block(["a", "======="], ["b"])], "bad_line", 2],
    ["a placeholder", ["a.ts", ...block(["a"], ["b", "// ... existing code ..."])], "placeholder", 6],
  ];
  test.each(cases)("parsePatch() refuses %s", (_name, lines, code, line) => {
    expect(refused(...lines)).toMatchObject({ code, line });
  });
});
