/**
 * Lines counted by the automaton: as many as the regex engine finds, whatever the pattern and the text; and what it leaves
 * to the engine.
 */
import { expect, test } from "bun:test";
import {
  asksForLineFeed,
  type Hir,
  readHir,
  withinLines,
  withoutLeadingRepeats,
  writePattern,
} from "../../src/search/engine/hir.ts";
import { countNeedleLines, createLineTest, type LineTest } from "../../src/search/engine/line-test.ts";
import { requiredNeedles } from "../../src/search/engine/needles.ts";
import { loadRustEngine } from "../../src/search/engine/rust-engine.ts";
import { needleOf, sharedScanner } from "../../src/text/index.ts";
import { fc } from "../property.ts";

const engine = await loadRustEngine();

interface Compiled {
  readonly hir: Hir;
  /** Lines with a match, by the engine alone. */
  readonly expected: (bytes: Buffer) => number;
}

/** `undefined`: the engine refuses it, or it asks for a line feed. */
function compile(pattern: string, isCrLf: boolean): (Compiled & Disposable) | undefined {
  let hir: Hir;
  try {
    using compiled = engine.compile(`(?${isCrLf ? "mR" : "m"}:${pattern})`);
    hir = readHir(compiled.hir());
  } catch {
    return undefined;
  }
  if (asksForLineFeed(hir)) return undefined;
  const within = withinLines(hir, isCrLf) ?? hir;
  const perLine = engine.compile(`(?:${writePattern(within)})[^\\n]*`);
  return {
    hir: within,
    expected(bytes) {
      const found = perLine.findAll(bytes);
      const isBehind = found.length > 0 && found.at(-2) === bytes.length && (bytes.length === 0 || bytes.at(-1) === 10);
      return found.length / 2 - (isBehind ? 1 : 0);
    },
    [Symbol.dispose]: () => perLine[Symbol.dispose](),
  };
}

/** The text where the automaton can go through it. */
function inScanner(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  const into = sharedScanner().text.subarray(3, 3 + bytes.length);
  bytes.copy(into);
  return into;
}

/** With needles and without. */
function testsOf({ hir, expected }: Compiled): LineTest[] {
  const shortest = withoutLeadingRepeats(hir);
  return [requiredNeedles(shortest), undefined].flatMap(
    (required) => createLineTest(shortest, required, expected) ?? [],
  );
}

const LETTERS = ["a", "b", "c", "k", "K", "s", "S", "_", "0", "7", " ", "(", "-"];
const ASCII_CLASSES = ["\\w", "\\W", "\\d", "\\D", "\\s", "\\S", ".", "[a-c]", "[^a-c]", "[[:upper:]]", "(?-u:\\w)"];
const OTHER_CLASSES = [
  "\\p{Lu}",
  "\\p{Nd}",
  "\\p{Han}",
  "(?i:k)",
  "(?i:ask)",
  "(?i:SK)",
  "[^\\x00-\\x7f]",
  "[k\u212a]",
  "(?i:a\u4e2d)",
  "[ak]\u00e9",
  "(?i:k\u00e9)a",
];
const CLASSES = [...ASCII_CLASSES, ...OTHER_CLASSES, "\u017f", "\u00e9", "\\x00", "\\t"];
const LOOKS = ["^", "$", "\\b", "\\B", "\\b{start}", "\\b{end}", "\\b{start-half}", "\\b{end-half}", "(?-u:\\b)"];
const REPEATS = ["*", "+", "?", "{2}", "{1,3}", "{2,}", "{0}", "*?", "+?"];

const pattern = fc.letrec<{ one: string; several: string; any: string }>((tie) => ({
  one: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...LETTERS).map((letter) => letter.replace(/[(-]/, "\\$&")) },
    { weight: 3, arbitrary: fc.constantFrom(...CLASSES) },
    { weight: 2, arbitrary: fc.constantFrom(...LOOKS) },
    { weight: 1, arbitrary: tie("any").map((inner) => `(?:${inner})`) },
  ),
  several: fc
    .array(fc.tuple(tie("one"), fc.constantFrom("", "", "", ...REPEATS)), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([one, repeat]) => (repeat === "" ? one : `(?:${one})${repeat}`)).join("")),
  any: fc.array(tie("several"), { minLength: 1, maxLength: 3 }).map((ways) => ways.join("|")),
})).any;

const ENDS = ["\n", "\n", "\n", "\r\n", "\n\n", "\r", "\r\r\n"];
const asciiLine = fc
  .tuple(fc.array(fc.constantFrom(...LETTERS, "\t", "\0", "ask"), { maxLength: 9 }), fc.constantFrom(...ENDS))
  .map(([signs, end]) => signs.join("") + end);
const otherLine = fc
  .array(
    fc.constantFrom("a", "k", "0", " ", "\u017f", "\u212a", "\u00e9", "\u4e2d", "\u{1f600}", "a\u4e2d", "k\u00e9a"),
    { maxLength: 5 },
  )
  .map((signs) => `${signs.join("")}\n`);
/** Few lines that are not ASCII, because a text of many is left to the engine. */
const text = fc
  .tuple(
    fc.array(asciiLine, { maxLength: 40 }),
    fc.array(otherLine, { maxLength: 1 }),
    fc.array(asciiLine, { maxLength: 20 }),
    fc.constantFrom("", "", "a", "ask", "0\r", " "),
  )
  .map(([before, others, behind, last]) => [...before, ...others, ...behind, last].join(""));

const TEXTS_EACH = 20;
const runs = Number(process.env["RINGFENCE_TEST_PAIRS"] ?? 24_000) / TEXTS_EACH;

test("the automaton finds a match in as many lines as the regex engine, for random patterns and texts", () => {
  let pairs = 0;
  let left = 0;
  fc.assert(
    fc.property(
      pattern,
      fc.boolean(),
      fc.array(text, { minLength: TEXTS_EACH, maxLength: TEXTS_EACH }),
      (one, isCrLf, texts) => {
        using compiled = compile(one, isCrLf);
        if (!compiled) return;
        const tests = testsOf(compiled);
        for (const each of texts) {
          const bytes = inScanner(each);
          const expected = compiled.expected(bytes);
          for (const lineTest of tests) {
            const found = lineTest(bytes, Infinity);
            if (found === undefined) left++;
            else {
              pairs++;
              expect([one, isCrLf, each, found]).toEqual([one, isCrLf, each, expected]);
            }
            // One is enough to know that there are any.
            const first = lineTest(bytes, 1);
            expect((first ?? expected) > 0).toBe(expected > 0);
          }
        }
      },
    ),
    { numRuns: runs },
  );
  expect(pairs).toBeGreaterThan(left);
  expect(pairs).toBeGreaterThan((runs * TEXTS_EACH) / 2);
  if (process.env["SHOW_STEPS"] !== undefined) console.log(`${pairs} pairs compared, ${left} left to the engine`);
});

test.each([
  ["an automaton of a few rows", "[0-9]{3}", "12 123\n\n1\n123", 2],
  ["a line that the text does not end", "a$", "a\nb\na", 2],
  ["a text that ends with a line feed has no line behind it", "^$", "\n\n", 2],
  ["CR LF ends a line", "a$", "a\r\nb\r\n", 1],
  ["the part of a line behind a lone CR", "^b", "a\rb\n", 1],
  ["a needle in the middle", "\\w+onfig", "config onfig\n onfig\nreconfig\n", 2],
  ["a needle with signs that match before it", "..config", "config\nxconfig\nxxconfig\n", 1],
  ["several matches in a line count once", "a.", "abacad\n", 1],
  ["a relative of K, in one line of many", "(?i)ask", `${"no\n".repeat(99)}as\u212a\nASK\n`, 2],
  [
    "signs that are not ASCII behind some that are, without case",
    "(?i)b\u65e5",
    `${"no\n".repeat(99)}ab\u65e5\nB\u65e5\n`,
    2,
  ],
  ["a class in front of a needle takes a sign of two bytes", ".0x", `${"no\n".repeat(99)}\u00e90x\n`, 1],
])("the lines of a text are counted without their matches: %s", (_name, source, content, count) => {
  using compiled = compile(source, true);
  if (!compiled) throw new Error("no pattern");
  const bytes = inScanner(content);
  expect(compiled.expected(bytes)).toBe(count);
  expect(testsOf(compiled).map((lineTest) => lineTest(bytes, Infinity))).toEqual([count, count]);
});

test("two automata use the scanner in turn, and each has its own rows back", () => {
  using first = compile("[a-c]{3}\\d", true);
  using second = compile("\\d\\s?[a-c]", true);
  if (!first || !second) throw new Error("no pattern");
  const bytes = inScanner("abc1\n1 a\nabc\n2b\nbca7c\n");
  const [one] = testsOf(first);
  const [other] = testsOf(second);
  for (let turn = 0; turn < 3; turn++) expect([one?.(bytes, 9), other?.(bytes, 9)]).toEqual([2, 3]);
});

test("text that is not UTF-8, text of many other lines and text elsewhere is left to the engine", () => {
  using compiled = compile("a", true);
  if (!compiled) throw new Error("no pattern");
  for (const lineTest of testsOf(compiled).slice(1)) {
    expect(lineTest(inScanner(Buffer.from([0x61, 0x0a, 0xff, 0x0a])), 9)).toBeUndefined();
    expect(lineTest(inScanner("\u00e9\n\u00e9 a\n"), 9)).toBeUndefined();
    expect(lineTest(Buffer.from("a\n"), 9)).toBeUndefined();
  }
});

test("a pattern that needs very many rows is left to the engine from then on, and one with line feeds at once", () => {
  using compiled = compile("[ab].{14}c", true);
  if (!compiled) throw new Error("no pattern");
  // Without its needle, so that the text is gone through.
  const lineTest = testsOf(compiled).at(-1);
  expect(lineTest?.(inScanner("ab\n"), 9)).toBe(0);
  let state = 1;
  const signs = Array.from({ length: 50_000 }, () => "ab "[(state = (state * 48_271) % 0x7fff_ffff) % 3]);
  expect(lineTest?.(inScanner(signs.join("")), 9)).toBeUndefined();
  expect(lineTest?.(inScanner("ab\n"), 9)).toBeUndefined();
  using spanning = engine.compile("a\\s");
  expect(createLineTest(readHir(spanning.hir()), undefined, () => 0)).toBeUndefined();
});

test("countNeedleLines() counts the lines that hold one of several texts, until there are enough", () => {
  fc.assert(
    fc.property(
      text,
      fc.uniqueArray(fc.constantFrom("a", "as", "k", "K0", "\u017f", "__", "ask", "c "), {
        minLength: 1,
        maxLength: 3,
      }),
      (content, words) => {
        const bytes = inScanner(content);
        const scanner = sharedScanner();
        scanner.load(words.map((word) => needleOf(word, false)));
        const lines = content.split("\n").filter((line) => words.some((word) => line.includes(word))).length;
        expect(countNeedleLines(scanner, bytes, Infinity)).toBe(lines);
        expect(countNeedleLines(scanner, bytes, 2)).toBe(Math.min(lines, 2));
      },
    ),
    { numRuns: 2000 },
  );
});
