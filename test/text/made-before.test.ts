/** Edits that are sent again, and those that only look so. */
import { describe, expect, test } from "bun:test";
import { applyEdits, type TextEdit } from "../../src/text/index.ts";
import { edit, edited, problem } from "./edit-kit.ts";

describe("an edit that was not made is not taken for one that was made before", () => {
  const source = 'def a():\n    log("x")\n    return compute(1)\n';
  const cases: [name: string, text: string, edit: TextEdit, nearest: number | undefined][] = [
    ["what the edit leaves of it is", source, edit('    log("y")\n    return compute(1)', "    return compute(1)"), 2],
    ["what the edit leaves of it is, below", "foo(bar)\nbaz()\n", edit("foo(baz)\nbaz()", "baz()"), 1],
    ["the new text is, below", "foo(bar)\nbaz()\n", edit("foo(baz)\n", "baz()\n"), 1],
    ["the new text is, elsewhere", `${source}\n    return result\n`, edit("compute(y)", "return result"), 3],
    [
      "the new text is, next to a line like the old one",
      "import os\nimport sys\n",
      edit("import json", "import os"),
      1,
    ],
    [
      "the new text is, for an edit of all places",
      "print(total_price)\n",
      edit("totalPrice", "total_price", true),
      undefined,
    ],
  ];
  test.each(cases)("applyEdits() refuses an old text that is not there, although %s", (_name, text, one, nearest) => {
    const result = problem(text, one);
    expect(result).toMatchObject({ code: "no_match", edit: 0 });
    if (nearest !== undefined) expect(result.nearest?.line).toBe(nearest);
  });

  test("applyEdits() says of such an edit where the new text stands", () => {
    expect(problem("import os\nimport sys\n", edit("import json", "import os")).hint).toEndWith(
      " The new text stands at line 1: leave the edit out if it was made before.",
    );
    expect(problem(source, edit('    log("y")\n    return compute(1)', "    return compute(1)")).hint).not.toContain(
      "new text",
    );
  });

  const functions =
    "function add(x, y) {\n  return x + y;\n}\n\nfunction sub(x, y) {\n  return x - y;\n}\nfunction mul(x, y) {\n}\n";
  const again: [name: string, text: string, edit: TextEdit][] = [
    [
      "one import",
      'import { a } from "a";\nimport { b } from "b";\n',
      edit('import { a } from "a";', 'import { a, c } from "a";'),
    ],
    ["one setting", "A=1\nPORT=3000\nADMIN_PORT=3001\n", edit("PORT=3000\n", "PORT=4000\n")],
    ["one version", '"react": "^18.2.0",\n"react-dom": "^18.2.0",\n', edit('"react": "^18.2.0"', '"react": "^19.0.0"')],
    ["a name", functions, edit("function mul(x, y)", "function multiply(x, y)")],
    [
      "lines between others",
      functions,
      edit("add(x, y) {\n  return x + y;\n}", "add(x, y) {\n  const z = x + y;\n  return z;\n}"),
    ],
  ];
  test.each(again)(
    "applyEdits() takes an edit for made before that changed one of several like it: %s",
    (_, text, one) => {
      expect(applyEdits(edited(text, one), [one])).toEqual({ kind: "unchanged", reason: "already_applied" });
    },
  );

  test("applyEdits() takes an edit for made before beside lines that are like others", () => {
    const text = "import os\nimport sys\n\nconst limit = 20;\nconst depth = 3;\n";
    expect(applyEdits(text, [edit("const limit = 10;", "const limit = 20;")]).kind).toBe("unchanged");
    const call = "run({\n  name,\n  limit: 20,\n});\nrun({\n  title,\n  depth: 3,\n});\n";
    expect(applyEdits(call, [edit("  name,\n  limit: 10,\n});", "  name,\n  limit: 20,\n});")]).kind).toBe("unchanged");
  });
});
