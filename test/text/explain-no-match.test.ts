/** A refusal must let the next call be right: the cause and the line, or the nearest place with the difference. */
import { describe, expect, test } from "bun:test";
import * as texts from "../../src/text/index.ts";
import type { EditProblem } from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

const { applyEdits } = texts;
const counted = await loadCounted<typeof texts>("src/text/index.ts");

const FILE = [
  "import { a } from './a';", // 1
  "", // 2
  "export function first(): void {", // 3
  "\tif (ready) {", // 4
  '\t\tsay("hello \u2014 it\u2019s me");', // 5
  "\t}", // 6
  "}", // 7
  "", // 8
  "export function second(limit: number): void {", // 9
  "  const total = limit * 2;  ", // 10
  "  return;", // 11
  "}", // 12
  "",
].join("\n");

function explain(oldText: string, text: string = FILE): EditProblem {
  const result = applyEdits(text, [{ oldText, newText: "// replaced\n" }]);
  if (result.kind !== "problem") throw new Error(JSON.stringify(result));
  expect(result.problem.code).toBe("no_match");
  return result.problem;
}

describe("names the cause", () => {
  test.each([
    ["    11\t  return;\n    12\t}\n"],
    ["11:   return;\n12: }"],
    ["11:  return;\n12:}"],
    ["   11→  return;\n   12→}"],
    ["11|  return;\n12|}"],
    ["11 |   return;\n12 | }"],
  ])("explainNoMatch() names a pasted line-number gutter as the cause: %j", (oldText) => {
    const result = explain(oldText);
    expect(result.details).toEqual({ cause: "line_numbers", line: 11 });
    expect(result.hint).toBe("Leave out the line numbers: without them it matches line 11.");
  });

  test("explainNoMatch() names escapes as the cause", () => {
    const result = explain("export function second(limit: number): void {\\n  const total");
    expect(result.details).toEqual({ cause: "escapes", line: 9 });
    expect(explain('\\t\\tsay(\\"hello').details).toEqual({ cause: "escapes", line: 5 });
  });

  test("blanks at the ends of lines", () => {
    const result = explain("  const total = limit * 2;\n  return;");
    expect(result.details).toEqual({ cause: "trailing_blanks", line: 10 });
    expect(result.hint).toContain("Line 10 is «  const total = limit * 2;··»");
  });

  test("explainNoMatch() names tabs against blanks as the cause", () => {
    const result = explain("    if (ready) {\n");
    expect(result.details).toEqual({ cause: "tabs_or_blanks", line: 4 });
    expect(result.hint).toContain("Only tabs and blanks differ from line 4. Line 4 is «→if (ready) {»");
    expect(result.hint).toContain("The file has a tab (→).");
  });

  test("explainNoMatch() names typographic signs as the cause, each by its name", () => {
    const result = explain('say("hello - it\'s me");');
    expect(result.details).toEqual({ cause: "typography", line: 5 });
    expect(result.hint).toContain("The file has a right single quote (’), an em dash (—).");
  });

  test("explainNoMatch() names a no-break space as the cause", () => {
    const result = explain("price: 10 EUR\n", "x\nprice: 10\u00a0EUR\ny\n");
    expect(result.details).toEqual({ cause: "typography", line: 2 });
    expect(result.hint).toContain("«price: 10⍽EUR»");
  });

  test("explainNoMatch() names upper and lower case as the cause", () => {
    expect(explain("export function SECOND(").details).toEqual({ cause: "case", line: 9 });
  });

  test("explainNoMatch() names the cause in a CRLF file, with its line", () => {
    const crlf = FILE.replaceAll("\n", "\r\n");
    expect(explain("    if (ready) {\n", crlf).details).toEqual({ cause: "tabs_or_blanks", line: 4 });
    expect(explain("11:   return;\n12: }", crlf).details).toEqual({ cause: "line_numbers", line: 11 });
  });

  test("explainNoMatch() names a cause only when it gives exactly one place", () => {
    const twice = "\tgo(1);\nx\n\tgo(1);\n";
    expect(explain("  go(1);\n", twice).details).toBeUndefined();
    expect(explain("1: go(1);", "go(1);\ngo(1);\n").details).toBeUndefined();
    expect(explain("GO", "go go").details).toBeUndefined();
    expect(explain("it\u2019s ok", "it's ok it's ok\nit's ok\n").details).toBeUndefined();
    expect(explain("a\u2019b-word", "a'b-word a'b-word\n").details).toBeUndefined();
  });
});

describe("shows the nearest place", () => {
  test("explainNoMatch() shows the nearest place with its line, its own text, and the first difference", () => {
    const result = explain("export function second(limit: string): void {\n  const total");
    expect(result.nearest?.line).toBe(9);
    expect(result.nearest?.text).toBe("export function second(limit: number): void {\n  const total = limit * 2;  ");
    expect(result.hint).toStartWith("The nearest text is at line 9. Line 9 is «export function second(limit: number)");
  });

  test("explainNoMatch() finds a line whose every word is misspelled", () => {
    expect(explain("exprot functoin secnd(limti: numbr)").nearest?.line).toBe(9);
  });

  test("explainNoMatch() measures the likeness of places", () => {
    const { nearest } = explain("  return 1;\n}");
    expect(nearest?.line).toBe(11);
    expect(nearest?.similarity).toBeGreaterThan(0.5);
    expect(nearest?.similarity).toBeLessThan(1);
  });

  test("explainNoMatch() trusts rare words more than frequent ones", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `line number ${index} of ${index * 7}`);
    expect(explain("line numbr 5000 of 35000", rows.join("\n")).nearest).toEqual({
      line: 5001,
      text: "line number 5000 of 35000",
      similarity: 0.88,
    });
  });

  test("explainNoMatch() gives up where nothing is alike", () => {
    const result = explain("return; completely unrelated words about zebras");
    expect(result.nearest).toBeUndefined();
    expect(result.hint).toBe("Nothing like it is there: read the file again and copy the text.");
  });

  test("explainNoMatch() names the edit when there are several", () => {
    const edits = [
      { oldText: "first", newText: "x" },
      { oldText: "zzz", newText: "y" },
    ];
    expect(applyEdits(FILE, edits)).toMatchObject({
      problem: { edit: 1, message: "the old text of edits[1] does not occur in the file" },
    });
  });
});

describe("tells the first line that really differs", () => {
  const load = [
    "def load(path):", // 3
    "    with open(path) as f:", // 4
    "        data = json.load(f)", // 5
    "    # validate", // 6
    "    check(data)", // 7
    "    if not data:", // 8
    '        raise ValueError("empty")', // 9
    "    return normalise(data)", // 10
  ];
  const file = `import json\n\n${load.join("\n")}\n`;
  const without = (...lines: number[]): string => load.filter((_, index) => !lines.includes(index + 3)).join("\n");

  test("explainNoMatch() names a line that the old text lacks", () => {
    expect(explain(without(6), file).hint).toBe(
      "The nearest text is at line 3. Line 6 of the file, «    # validate», is missing in the old text.",
    );
    expect(explain(without(6, 7), file).hint).toBe(
      "The nearest text is at line 3. Lines 6 to 7 of the file, from «    # validate» on, are missing in the old text.",
    );
  });

  test("explainNoMatch() takes an empty line or a bracket next to what is alike, and not one further up", () => {
    expect(explain(`\n${without(6)}`, `x\n\ny\n${file.slice(file.indexOf("\n"))}`).nearest?.line).toBe(5);
  });

  test("explainNoMatch() names a line that only the old text has", () => {
    const more = without().replace("check(data)\n", "check(data)\n    log(data)\n");
    expect(explain(more, file).hint).toBe(
      "The nearest text is at line 3. Line 6 of the old text, «    log(data)», is not in the file there.",
    );
    expect(explain(`class Loader:\n${without()}`, file).hint).toBe(
      "The nearest text is at line 3. Line 1 of the old text, «class Loader:», is not in the file there.",
    );
  });

  test("explainNoMatch() names a line that differs below one that is missing, and the end of the file", () => {
    expect(explain(without().replace("check(data)", "check(date)"), file).hint).toBe(
      "The nearest text is at line 3. Line 7 is «    check(data)»; the old text has «    check(date)».",
    );
    expect(explain(`${without()}\nmore()`, file).hint).toBe(
      "The nearest text is at line 3. The file ends before line 9 of the old text.",
    );
  });

  test("explainNoMatch() compares an old text of many lines to its end", () => {
    const rows = Array.from({ length: 200 }, (_, index) => `    value_${index} = compute(${index})`);
    const old = rows.slice(20, 120);
    expect(explain(old.with(80, "    value_100 = compute(1O0)").join("\n"), rows.join("\n")).hint).toBe(
      "The nearest text is at line 21. Line 101 is «    value_100 = compute(100)»; the old text has «    value_100 = compute(1O0)».",
    );
    expect(explain([...rows.slice(120), "more = 1"].join("\n"), rows.join("\n")).hint).toBe(
      "The nearest text is at line 121. The file ends before line 81 of the old text.",
    );
  });

  test("explainNoMatch() does not name long lines that are equal, and shows where long lines differ", () => {
    const long = `    s = "${"ab ".repeat(200)}"`;
    expect(explain(`def f():\n${long}\n    t = 2`, `def f():\n${long}\n    t = 1\n    return t\n`).hint).toBe(
      "The nearest text is at line 1. Line 3 is «    t = 1»; the old text has «    t = 2».",
    );
    const keys = `x = {${Array.from({ length: 60 }, (_, index) => `"k${index}": ${index}`).join(", ")}}`;
    expect(explain(keys.replace('"k55": 55', '"k55": 56'), `import a\n${keys}\ny = 2\n`).hint).toMatch(
      /Line 2 is «… .*"k55": 55, .*»; the old text has «… .*"k55": 56, .*»\.$/,
    );
  });

  test("explainNoMatch() names letters that are composed in another way, and a byte order mark", () => {
    expect(explain("caf\u00e9 = 1", "x\ncafe\u0301 = 1\n").hint).toEndWith(
      "The same letters are composed differently (NFC and NFD).",
    );
    expect(explain("\ufeffimport a\n", "import a\nimport b\n").hint).toContain(
      "The old text has a byte order mark (U+FEFF).",
    );
  });
});

describe("is bounded on 10 MB", () => {
  const row = "const value = compute(someArgument, otherArgument); // line\n";
  const frequent = "const value = compute(someArgument, another); // lines\n".repeat(50);
  /** The text has so many rows; steps a row are what today's code takes, about twice. */
  const cases: [name: string, mostPerRow: number, textOf: (rows: number) => string, oldText: string][] = [
    ["frequent words", 600, (rows) => row.repeat(rows), frequent],
    ["no words", 970, (rows) => row.repeat(rows), "}\n)\n]\n"],
    ["one long line", 1180, (rows) => "abc def ".repeat(rows * 8), "abc dxf ghi"],
    ["rare words", 1700, (rows) => `${row.repeat(rows)}let unique = 1;\n`, "let uniqe = 1;\nfoo();\nbar();\n"],
    ["CRLF", 860, (rows) => row.replace("\n", "\r\n").repeat(rows), "const  value = compute(other)\n"],
    ["two-byte text", 730, (rows) => `é€${row.repeat(rows)}`, "const  value = compute(other)\n"],
    ["a large old text", 1300, (rows) => row.repeat(rows), `${row.repeat(20_000)}x`],
  ];
  test.each(cases)("explainNoMatch() is bounded on 10 MB: %s", (_name, mostPerRow, textOf, oldText) => {
    expectGrowth({ size: 16_000, mostGrowth: 2.1, mostPerUnit: mostPerRow }, (rows) => {
      const body = textOf(rows);
      return () => counted.applyEdits(body, [{ oldText, newText: "x" }]);
    });
    explain(oldText, textOf(170_000));
  });
});
