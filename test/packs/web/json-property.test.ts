/**
 * JSON that is laid out says exactly what it said before: for any JSON, with white space, names that stand twice, and numbers that
 * a parser would round.
 */
import { expect, test } from "bun:test";
import { MAX_PAGE_CHARS } from "../../../src/packs/web/page-read.ts";
import { layOutJson } from "../../../src/packs/web/serve-json.ts";
import { fc } from "../../property.ts";

const blank = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
const text = fc.oneof(
  fc.string({ unit: "grapheme" }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"a"', '"1"', '"__proto__"', '"\\u0041\\/"', '"{[ ,:"', '"\\\\"', '"\\"  "'),
);
const leaf = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom("1234567890123456789", "1.0", "1e400", "-0", "1E5", "true", "false", "null"),
);

const within = (open: string, parts: readonly string[], close: string): string => open + parts.join(",") + close;
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc
    .tuple(
      blank,
      fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        leaf,
        fc
          .tuple(fc.array(tie("json"), { maxLength: 4 }), blank)
          .map(([all, gap]) => within("[", all.length === 0 ? [gap] : all, "]")),
        fc
          .tuple(fc.array(fc.tuple(blank, text, blank, tie("json")), { maxLength: 4 }), blank)
          .map(([all, gap]) =>
            within("{", all.length === 0 ? [gap] : all.map(([a, name, b, value]) => `${a}${name}${b}:${value}`), "}"),
          ),
      ),
      blank,
    )
    .map((parts) => parts.join("")),
}));

const tight = (all: string): string => all.replaceAll(/("(?:[^"\\]|\\.)*")|[ \n\t\r]+/g, "$1");

test("JSON that is laid out has the same value and the same signs, white space apart", () => {
  fc.assert(
    fc.property(json, (given) => {
      const laid = layOutJson(given) ?? "";
      expect(JSON.parse(laid)).toEqual(JSON.parse(given));
      expect(tight(laid)).toBe(tight(given));
    }),
    { numRuns: 1000 },
  );
});

test("JSON that a parser would write the same way is laid out as it does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const usual = JSON.stringify(value, null, 2);
      expect(layOutJson(JSON.stringify(value))).toBe(usual);
    }),
  );
});

test("JSON that is broken, empty or nested too deep is not laid out, and an endless one not to its end", () => {
  for (const one of ["", "[1", "{a:1}", "1 2", "[".repeat(501) + "]".repeat(501)])
    expect(layOutJson(one)).toBeUndefined();
  const wide = `[${`${"[".repeat(400)}${"]".repeat(400)},`.repeat(10_000)}1]`;
  const { length } = layOutJson(wide) ?? "";
  expect(length).toBeGreaterThan(MAX_PAGE_CHARS);
  expect(length).toBeLessThan(MAX_PAGE_CHARS + 10_000);
});
