/** Nothing that commands a terminal or hides in a line may come through unseen. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { escapeControls, escapeJson, escapeLine, makeVisible } from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

test("makeVisible shows what cannot be seen", () => {
  expect(makeVisible("\ta b  \n c\r\nd\u00a0e\u202f \t")).toBe("→a b··\n c␍\nd⍽e⍽·→");
  expect(makeVisible("plain text\n")).toBe("plain text\n");
});

test("escapeControls leaves LF, tab and ordinary text alone", () => {
  expect(escapeControls("a\tb\né😀")).toBe("a\tb\né😀");
  expect(escapeControls("\x1b[31m\r\0\x7f\x9b\u202e\u2066")).toBe("\\x1b[31m\\x0d\\x00\\x7f\\x9b\\u202e\\u2066");
});

test("escapeControls shows what a model reads and a person does not see", () => {
  expect(escapeControls("a\u200bb\ufeffc\u{e0041}d\u00ade\ufe0ff\u3164g\ud800")).toBe(
    "a\\u200bb\\ufeffc\\u{e0041}d\\xade\\ufe0ff\\u3164g\\ud800",
  );
  expect(escapeLine("a\nb\u2028c")).toBe("a\\x0ab\\u2028c");
});

test("escapeJson leaves what the JSON says as it is", () => {
  const value = { "a\u200b": "b\u{e0041}\u202ec\u009b\n" };
  const text = escapeJson(JSON.stringify(value, null, 2));
  expect(text).toBe('{\n  "a\\u200b": "b\\udb40\\udc41\\u202ec\\u009b\\n"\n}');
  expect(JSON.parse(text)).toEqual(value);
});

test("nothing commanding is left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeControls(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

test("a long run of blanks takes no noticeable time", async () => {
  const counted = await loadCounted<typeof text>("src/text/index.ts");
  for (const end of ["x ", "x", ""]) {
    expectGrowth({ size: 50_000, mostGrowth: 2.1, mostPerUnit: 28 }, (blanks) => {
      const body = " ".repeat(blanks) + end;
      return () => counted.makeVisible(body);
    });
  }
  expect(makeVisible(`${" ".repeat(1_000_000)}x `)).toEndWith(" x·");
});
