/**
 * The assembled scanner is what its source says, and finds what a simple search finds: any needles, folded or not, in any
 * text, inside its own memory and outside.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fc } from "../property.ts";
import { assemble, WASM_SOURCES } from "../../scripts/wasm.ts";
import { needleOf, Scanner } from "../../src/text/index.ts";

test.each(WASM_SOURCES)("%s.wasm is assembled from the text beside it", async (source) => {
  const kept = readFileSync(new URL(`../../${source}.wasm`, import.meta.url));
  expect(Buffer.from(await assemble(source)).equals(kept)).toBe(true);
});

const SIGNS = ["a", "b", "A", "B", "_", "\n", "é", "x", "@", "`"];
const word = fc.array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 5 }).map((signs) => signs.join(""));

test("the first needle is found, wherever the text lies", () => {
  const scanner = new Scanner();
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...SIGNS), { maxLength: 300 }).map((signs) => signs.join("")),
      fc.array(word, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      fc.nat(40),
      (text, words, folds, from) => {
        const elsewhere = Buffer.from(text, "utf8");
        const inside = scanner.text.subarray(0, elsewhere.copy(scanner.text));
        scanner.load(words.map((one) => needleOf(one, folds)));
        const fold = (given: string): string =>
          folds ? given.replaceAll(/[A-Z]/g, (sign) => sign.toLowerCase()) : given;
        const haystack = Buffer.from(fold(text), "utf8");
        const places = words.map((one) => haystack.indexOf(Buffer.from(fold(one), "utf8"), from));
        const expected = Math.min(...places.filter((place) => place >= 0), Infinity);
        for (const bytes of [inside, elsewhere])
          expect(scanner.find(bytes, from)).toBe(expected === Infinity ? -1 : expected);
        expect(scanner.count(inside, 10)).toBe(text.split("\n").length - 1);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a needle across two copied pieces is found", () => {
  const scanner = new Scanner();
  scanner.load([needleOf("needle", true), needleOf("other", true)]);
  for (const place of [61_430, 61_433, 61_436, 61_440, 122_870]) {
    const text = Buffer.alloc(200_000, "x");
    text.write("NeeDle", place);
    expect(scanner.find(text, 0)).toBe(place);
    expect(scanner.find(text, place + 1)).toBe(-1);
  }
  expect(scanner.count(Buffer.alloc(200_000, "\n"), 10)).toBe(200_000);
});

test("one needle is found among long runs that hold none, and never behind the end of the text", () => {
  const scanner = new Scanner();
  const run = fc.tuple(fc.nat(200), fc.constantFrom("needle", "NEEDLE", "needl", "eedle", "n", "é"));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), fc.nat(200), fc.nat(400), (runs, last, from) => {
      const text = runs.map(([gap, sign]) => ".".repeat(gap) + sign).join("") + ".".repeat(last);
      const inside = scanner.text.subarray(0, scanner.text.write(text));
      scanner.text.write("needle needle", inside.length);
      scanner.load([needleOf("needle", true)]);
      const lower = Buffer.from(text.replaceAll("NEEDLE", "needle"));
      const expected = from >= lower.length ? -1 : lower.indexOf("needle", from);
      expect(scanner.find(inside, from)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});
