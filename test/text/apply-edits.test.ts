/** Exact edits: what is asked changes and nothing else does; every refusal says where and what next. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { applyEdits } from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { edit, edited, problem } from "./edit-kit.ts";

function flat(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
}

function endings(text: string): string[] {
  return text.match(/\r\n|\r|\n/g) ?? [];
}

describe("replaces", () => {
  test("applyEdits() replaces one place", () => {
    expect(applyEdits("a b c", [edit("b", "x")])).toEqual({ kind: "edited", text: "a x c", replacements: 1 });
  });

  test("applyEdits() replaces all places, without overlap", () => {
    expect(applyEdits("aaaaa", [edit("aa", "b", true)])).toEqual({
      kind: "edited",
      text: "bba",
      replacements: 2,
    });
  });

  test("applyEdits() takes dollar signs as they are", () => {
    expect(edited("x = OLD;", edit("OLD", "$& $1 $` $' $$ $<n>"))).toBe("x = $& $1 $` $' $$ $<n>;");
    expect(edited("O O", edit("O", "$&", true))).toBe("$& $&");
  });

  test("applyEdits() places several edits on the original, in any order", () => {
    expect(edited("one two three", edit("three", "one"), edit("one", "two"), edit("two", "three"))).toBe(
      "two three one",
    );
  });

  test("applyEdits() replaces neighbours that touch", () => {
    expect(edited("abcd", edit("ab", "1"), edit("cd", "2"))).toBe("12");
  });

  test("applyEdits() deletes with an empty new text", () => {
    expect(edited("a\nb\nc\n", edit("b\n", ""))).toBe("a\nc\n");
  });

  test("applyEdits() replaces the whole text", () => {
    expect(edited("a", edit("a", ""))).toBe("");
  });
});

describe("keeps line ends", () => {
  const mixed = "one\r\ntwo\nthree\r\nfour\rfive\r\r\nsix";

  test("applyEdits() keeps the line end of every other line in a file that mixes them", () => {
    expect(edited(mixed, edit("two", "TWO\nmore"))).toBe("one\r\nTWO\nmore\nthree\r\nfour\rfive\r\r\nsix");
    expect(edited(mixed, edit("one", "ONE\nmore"))).toBe("ONE\r\nmore\r\ntwo\nthree\r\nfour\rfive\r\r\nsix");
  });

  test("applyEdits() matches LF against CRLF and the other way round", () => {
    expect(edited("a\r\nb\r\nc\r\n", edit("a\nb\n", "a\nx\n"))).toBe("a\r\nx\r\nc\r\n");
    expect(edited("a\nb\nc\n", edit("a\r\nb\r\n", "a\r\nx\r\n"))).toBe("a\nx\nc\n");
    expect(edited("a\rb\rc\r", edit("a\nb\n", "a\nx\ny\n"))).toBe("a\rx\ry\rc\r");
  });

  test("line i takes the ending of line i, and what is left over that of its neighbour", () => {
    expect(edited("a\r\nb\nc\r\nd\n", edit("a\nb\nc\n", "1\n2\n3\n4\n"))).toBe("1\r\n2\n3\r\n4\r\nd\n");
    expect(edited("a\r\nb\nc", edit("a\nb", "1\n2\n3"))).toBe("1\r\n2\n3\nc");
  });

  test("lines that an edit repeats keep their very endings", () => {
    expect(edited("a\r\nb\nc\r\nd\n", edit("a\nb\nc\n", "a\nc\n"))).toBe("a\r\nc\r\nd\n");
    expect(edited("a\nb\r\nc\n", edit("a\nb\nc\n", "a\nnew\nb\nc\n"))).toBe("a\nnew\nb\r\nc\n");
  });

  test("no final newline stays so", () => {
    expect(edited("a\nb", edit("b", "c"))).toBe("a\nc");
    expect(edited("a\r\nb", edit("b", "c\nd"))).toBe("a\r\nc\r\nd");
  });

  test("a file with no line end takes the new text as it is", () => {
    expect(edited("a", edit("a", "b\r\nc"))).toBe("b\r\nc");
  });

  test("an edit that starts or stops between CR and LF cannot be written", () => {
    expect(edited("a\r\nb", edit("a\n", "x"))).toBe("xb");
    expect(edited("a\r\nb", edit("\nb", "x"))).toBe("ax");
  });
});

describe("unchanged", () => {
  test("when old and new text are the same but for line ends", () => {
    expect(applyEdits("a\n", [edit("a", "a")])).toEqual({ kind: "unchanged", reason: "same_text" });
    expect(applyEdits("a\n", [edit("a\n", "a\r\n")])).toEqual({ kind: "unchanged", reason: "same_text" });
    expect(applyEdits("a\n", [])).toEqual({ kind: "unchanged", reason: "same_text" });
  });

  test("applyEdits() says unchanged when all edits were made already", () => {
    const after = "const a = 2;\r\nconst b = 3;\r\n";
    const edits = [edit("const a = 1;\n", "const a = 2;\n"), edit("const b = 1;", "const b = 3;")];
    expect(applyEdits(after, edits)).toEqual({ kind: "unchanged", reason: "already_applied" });
  });

  test("not when only some were, or the new text stands twice, or is empty", () => {
    expect(problem("x 2\ny 1\n", edit("x 1", "x 2"), edit("y 1", "y 2")).code).toBe("no_match");
    expect(problem("n n", edit("o", "n")).code).toBe("no_match");
    expect(problem("next next", edit("o", "next", true)).code).toBe("no_match");
    expect(problem("a", edit("b", "")).code).toBe("no_match");
  });

  test("not when the new text is too short to tell, or the old text is only miscopied", () => {
    expect(problem("a x b", edit("old text", "x")).code).toBe("no_match");
    expect(problem("foo  bar\nother line\n", edit("foo bar", "other line")).code).toBe("no_match");
    expect(applyEdits("foo\nother line\n", [edit("gone", "other line")])).toEqual({
      kind: "unchanged",
      reason: "already_applied",
    });
  });
});

describe("refuses", () => {
  test("applyEdits() refuses an ambiguous old text, with the lines of all", () => {
    const result = problem("x\r\ny\r\nx\r\nx x\r\n", edit("x", "z"));
    expect(result).toEqual({
      code: "ambiguous",
      edit: 0,
      message: "the old text occurs 4 times, and must occur once",
      hint: "It stands at lines 1, 3, 4. Add neighbouring lines until it is unique, or ask to replace all.",
      lines: [1, 3, 4, 4],
    });
  });

  test("applyEdits() refuses equal candidates of several lines, and ones that overlap", () => {
    expect(problem("f\n{\n}\nf\n{\n}\n", edit("{\n}", "x")).lines).toEqual([2, 5]);
    expect(problem("aaa", edit("aa", "b")).message).toBe("the old text occurs 2 times, and must occur once");
  });

  test("applyEdits() names at most 20 lines in a refusal", () => {
    const result = problem("x\n".repeat(5000), edit("y", "z"), edit("x", "z"));
    expect(result.code).toBe("no_match");
    const many = problem("x\n".repeat(5000), edit("x", "z"));
    expect(many.lines).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(many.message).toBe("the old text occurs at least 1000 times, and must occur once");
  });

  test("applyEdits() refuses overlapping edits, the later one named, with lines", () => {
    expect(problem("a\nb\nc\n", edit("b\nc", "x"), edit("a\nb", "y"))).toMatchObject({
      code: "overlap",
      edit: 1,
      message: "edits[0] and edits[1] replace the same text",
      lines: [1, 2],
    });
    expect(problem("abc", edit("b", "x", true), edit("b", "x")).code).toBe("overlap");
  });

  test("applyEdits() refuses an empty old text", () => {
    expect(problem("", edit("", "x"))).toMatchObject({ code: "empty_old_text", edit: 0 });
  });

  test("applyEdits() refuses a placeholder, with its line, unless it stood there", () => {
    const marker = "f() {\n  // ... existing code ...\n}";
    const result = problem("f() {\n  a();\n}\n", edit("zzz", "y"), edit("f() {\n  a();\n}", marker));
    expect(result).toMatchObject({ code: "placeholder", edit: 1, details: { newTextLine: 2 } });
    expect(result.message).toContain('line 2 of the new text of edits[1] is a placeholder ("// ... existing');
    expect(edited(`${marker}\n`, edit(marker, `${marker}\n${marker}`))).toBe(`${marker}\n${marker}\n`);
  });
});

describe("only the regions change", () => {
  const line = fc.constantFrom("alpha", "beta", "  gamma", "", "$&", "déjà", "😀");
  // No lone CR: what is deleted between it and an LF makes a CRLF of the two, though no byte of either changed.
  const ending = fc.constantFrom("\n", "\r\n");
  const file = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 12 });

  const newText = fc.array(fc.oneof(line, ending, fc.string())).map((parts) => parts.join(""));

  test("head and tail are carried over, and the new text is there but for its line ends", () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), newText, (lines, from, length, replacement) => {
        const text = lines.map(([content, end]) => content + end).join("");
        const start = from % text.length;
        const oldText = text.slice(start, start + 1 + (length % 20));
        const result = applyEdits(text, [{ oldText, newText: replacement }]);
        if (result.kind !== "edited") return;
        expect(flat(result.text)).toBe(flat(text).split(flat(oldText)).join(flat(replacement)));
        const place = flat(text).indexOf(flat(oldText));
        const untouched = endings(flat(text).slice(0, place)).length;
        expect(endings(result.text).slice(0, untouched)).toEqual(endings(text).slice(0, untouched));
        const after = endings(flat(text).slice(place + flat(oldText).length)).length;
        if (after > 0) expect(endings(result.text).slice(-after)).toEqual(endings(text).slice(-after));
      }),
      { numRuns: 1000 },
    );
  });

  test("replacing all is split and join", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 2 }), fc.array(line), line, (oldText, parts, put) => {
        fc.pre(!/[\r\n]/.test(oldText) && oldText !== put);
        const text = parts.join(oldText);
        fc.pre(text.includes(oldText));
        expect(edited(text, edit(oldText, put, true))).toBe(text.split(oldText).join(put));
      }),
    );
  });
});

test("10 MB: one edit costs milliseconds, LF or CRLF, and 100 000 replacements are no problem", async () => {
  const row = "const value = compute(someArgument, otherArgument); // line\n";
  const lf = (rows: number): string => `${row.repeat(rows / 2)}let unique = 1;\n${row.repeat(rows / 2)}`;
  const crlf = (rows: number): string => lf(rows).replaceAll("\n", "\r\n");
  const one = edit("let unique = 1;\n", "let unique = 2;\n");
  const all = edit("// line\n", "//\n//\n", true);
  const counted = await loadCounted<typeof text>("src/text/index.ts");
  // Steps for each character: one edit costs some passes, and on CRLF an expression goes over the text, too.
  for (const [textOf, wanted, mostPerUnit] of [
    [lf, one, 9],
    [crlf, one, 10],
    [crlf, all, 16],
  ] as const) {
    expectGrowth({ size: 16_000, mostGrowth: 2.1, mostPerUnit: mostPerUnit * row.length }, (rows) => {
      const body = textOf(rows);
      return () => counted.applyEdits(body, [wanted]);
    });
  }
  expect(edited(lf(170_000), one)).toHaveLength(lf(170_000).length);
  expect(edited(crlf(170_000), one)).toHaveLength(crlf(170_000).length);
  expect(edited(crlf(170_000), all)).toContain("//\r\n//\r\n");
});
