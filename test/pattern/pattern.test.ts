/**
 * The one matcher of patterns: it means what picomatch means, in the syntax that the documentation names, and takes no more
 * steps than pattern times name, whatever either of them is. Where picomatch is wrong (quotes that it drops, groups that it
 * takes as text, line ends that a star does not match) it is not asked.
 */
import { describe, expect, test } from "bun:test";
import picomatch from "picomatch";
import { fc } from "../property.ts";
import { compilePattern, MAX_STEPS } from "../../src/pattern/index.ts";

const WAYS = [
  { dot: true, ignoreCase: true },
  { dot: true, ignoreCase: false },
  { dot: false, ignoreCase: false },
] as const;

const word = fc.constantFrom("a", "b", "ab", ".", "-", "A", "x.ts", ".env", " ", "_");
const sign = fc.constantFrom(..."* ** ? / /**/ **/ **/ /** /* [ab] [^a] [a-c] [id] \\* \\{ {1..3}".split(" "));

function sequence(depth: number): fc.Arbitrary<string> {
  const plain = [
    { weight: 5, arbitrary: word },
    { weight: 5, arbitrary: sign },
  ];
  if (depth === 0) return joined(fc.oneof(...plain), "");
  const inner = sequence(depth - 1);
  const group = fc.tuple(fc.constantFrom("@", "?", "*", "+", "!", ""), fc.array(inner, { minLength: 1, maxLength: 2 }));
  return joined(
    fc.oneof(
      ...plain,
      {
        weight: 1,
        arbitrary: fc.array(inner, { minLength: 2, maxLength: 3 }).map((all) => `{${all.join(",")}}`),
      },
      { weight: 1, arbitrary: group.map(([one, all]) => `${one}(${all.join("|")})`) },
    ),
    "",
  );
}

function joined(one: fc.Arbitrary<string>, by: string): fc.Arbitrary<string> {
  return fc.array(one, { minLength: 1, maxLength: 5 }).map((all) => all.join(by));
}

/** What picomatch reads as something that is documented nowhere; after a range in braces a dot means any sign to it. */
const UNASKED = /\*\*\*\(|\)\?|\(\?|\.\./;
const RANGE_IN_BRACES = /\{[^{}]*\{1\.\.3\}/;

const name = joined(fc.constantFrom("a", "b", "ab", "A", "-", "i", "d", ".", "x.ts", ".env", "*", "{"), "");
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"))
  .filter((one) => isOrdinary(one));

function isOrdinary(one: string): boolean {
  return one.split("/").every((part) => part !== "" && !part.endsWith("."));
}

/** A path that the pattern nearly means: its words, and something for its signs. */
function nearly(pattern: string, fill: readonly string[]): string {
  const parts = pattern.replaceAll(/[\\()]/g, "").split(/([*?!+@]+|[{][^{}]*[}]|\[[^\]]*\]|\|)/);
  return parts
    .map((part, at) => {
      if (at % 2 === 0) return part;
      if (part.startsWith("{")) return part.slice(1, -1).split(",")[at % 2] ?? "";
      return fill[at % fill.length] ?? "";
    })
    .join("")
    .replaceAll(/[{},]/g, "");
}

describe("means what picomatch means", () => {
  test.each([0, 1])("a pattern with groups %d deep means what picomatch means", (depth) => {
    let matched = 0;
    fc.assert(
      fc.property(sequence(depth), fc.array(path, { minLength: 4, maxLength: 6 }), (pattern, paths) => {
        fc.pre(!UNASKED.test(pattern.replaceAll("{1..3}", "")) && !RANGE_IN_BRACES.test(pattern));
        const names = [...paths, nearly(pattern, ["a", "", "b/c", "x.ts"]), nearly(pattern, paths)];
        for (const { dot, ignoreCase } of WAYS) {
          // Without the bound that takes some groups as text: ours needs none.
          const options = { dot, nocase: ignoreCase, maxExtglobRecursion: false };
          const oracle = picomatch(pattern, options as picomatch.PicomatchOptions);
          const own = compilePattern(pattern, { dot, ignoreCase, whenTooLong: false });
          for (const one of names.filter(isOrdinary)) {
            const wanted = oracle(one);
            if (wanted) matched++;
            expect([pattern, one, dot, own.matches(one)]).toEqual([pattern, one, dot, wanted]);
          }
        }
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  test("a pattern is asked for each directory above a path at once as for all of them one by one", () => {
    fc.assert(
      fc.property(sequence(1), path, (pattern, one) => {
        for (const { dot, ignoreCase } of WAYS) {
          const own = compilePattern(pattern, { dot, ignoreCase, whenTooLong: false });
          const names = one.split("/");
          const above = names.map((_, at) => names.slice(0, at + 1).join("/"));
          expect([pattern, one, own.matchesAtOrAbove(one)]).toEqual([
            pattern,
            one,
            above.some((top) => own.matches(top)),
          ]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['"a.txt', "a.txt", false],
    ['"a.txt', '"a.txt', true],
    [">$$", ">$", false],
    [">$$", ">$$", true],
    ["a|b", "a", false],
    ["**", "line\nend", true],
    ["!(a)", "b", true],
    ["!a", "b", true],
    ["!a", "a", false],
    ["[id]/page", "[id]/page", true],
    ["(\\\\", "(\\", true],
    ["[\\\\", "[\\", true],
    ["{1..12}.log", "11.log", true],
    ["{1..100000}", "{1..100000}", true],
  ])("the pattern %s and the path %j: the match is %p", (pattern, one, wanted) => {
    const own = compilePattern(pattern, { dot: true, ignoreCase: true, whenTooLong: false });
    expect(own.matches(one)).toBe(wanted);
  });
});

/** Each of them takes a package that makes expressions of it for ever, or did. */
const HOSTILE: readonly ((size: number) => string)[] = [
  (size) => `${"*a".repeat(size)}b`,
  (size) => `${"**/*a/".repeat(size)}b`,
  (size) => `${"+(a|aa)".repeat(size)}b`,
  (size) => `${"*(".repeat(size)}a${")".repeat(size)}b`,
  (size) => `${"!(a)".repeat(size)}b`,
  (size) => `${"!(*a*)*".repeat(size)}b`,
  (size) => `${"!(".repeat(size)}a${")".repeat(size)}`,
  (size) => "{a,aa}".repeat(size),
  (size) => `${"(".repeat(size)}\\\\`,
  (size) => `${"[".repeat(size)}\\]`,
  (size) => `${"{".repeat(size)}\\\\`,
  (size) => "{1..999}".repeat(size),
];

describe("is bounded", () => {
  test.each(HOSTILE.map((make) => [make(2), make] as const))(
    "the steps are bounded by pattern times name: %s",
    (_, make) => {
      for (const size of [8, 16, 32, 64, 128]) {
        const pattern = make(size);
        const own = compilePattern(pattern, { dot: true, ignoreCase: true, whenTooLong: false });
        for (const one of ["a".repeat(size), `${"a/".repeat(size)}c`, `${"a".repeat(size)}./..`]) {
          own.matches(one);
          const most = stepsFor(pattern, one);
          expect([size, own.steps <= Math.min(most, MAX_STEPS + 2 * pattern.length)]).toEqual([size, true]);
        }
      }
    },
  );

  test("the steps for random signs are bounded, as pattern and as name, and all of them are answered", () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from("()[]{}\"'\\*?!|,+@/.^-:ab")),
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, text, fc.boolean(), (pattern, one, dot) => {
        const own = compilePattern(pattern, { dot, ignoreCase: dot, whenTooLong: false });
        own.matches(one);
        expect(own.steps).toBeLessThanOrEqual(stepsFor(pattern, one));
        own.matchesAtOrAbove(one);
        expect(own.steps).toBeLessThanOrEqual(MAX_STEPS + stepsFor(pattern, ""));
        // Exact text is always matched.
        if (one !== "") expect(compilePattern(one, WAYS_STRICT).matches(one)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("what would take longer is answered as the stricter side wants it", () => {
    const pattern = `${"!(*a*)*".repeat(2000)}b`;
    for (const whenTooLong of [true, false]) {
      const own = compilePattern(pattern, { dot: true, ignoreCase: true, whenTooLong });
      expect(own.matches("a".repeat(4000))).toBe(whenTooLong);
    }
  });
});

const WAYS_STRICT = { dot: true, ignoreCase: true, whenTooLong: false };

/** The factor is a constant of the program's, measured as 2. A range of numbers is longer than it looks. */
function stepsFor(pattern: string, one: string): number {
  const numbers = pattern.includes("..") ? 4000 : 0;
  return 6 * (pattern.length + 8 + numbers) * (one.length + 1);
}
