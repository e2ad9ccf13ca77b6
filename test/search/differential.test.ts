/**
 * Promise 5 against ripgrep itself: random queries on random trees give the same files, lines, columns, counts and
 * texts. `bun run test:fuzz-search` asks fifty times as many.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { fc } from "../property.ts";
import { loadRustEngine } from "../../src/search/engine/rust-engine.ts";
import { differencesOf, isAlone, spelledForPcre } from "./differential-compare.ts";
import { randomQuery, type Query } from "./differential-queries.ts";
import { REFUSED } from "./differential-ripgrep.ts";

const FUZZ = join(import.meta.dir, "../../scripts/fuzz-search.ts");

test("grep() gives ripgrep's answers for 2,000 random pairs of a query and a tree", () => {
  const ran = Bun.spawnSync([process.execPath, FUZZ, "--seed=20261121", "--pairs=2000"]);
  expect(ran.stdout.toString() + ran.stderr.toString()).toBe("2000 pairs, 0 seeds with differences\n");
  expect(ran.exitCode).toBe(0);
});

test("ripgrep errs only when PCRE2 and the backtracking engine both say what the host says", () => {
  const [host, other] = [
    ["a:1:2:x", "a:3:1:y"],
    ["a:1:2:x", "a:3:2:y"],
  ];
  expect(isAlone({ host, pcre2: host, backtracking: host })).toBe(true);
  for (const rows of [other, host.slice(0, 1), [...host, "b:1:1:z"], [], REFUSED]) {
    expect(isAlone({ host, pcre2: rows, backtracking: host })).toBe(false);
    expect(isAlone({ host, pcre2: host, backtracking: rows })).toBe(false);
    expect(isAlone({ host, pcre2: rows, backtracking: rows })).toBe(false);
  }
  // That nobody has it is no sign that it is wrong.
  expect(isAlone({ host: REFUSED, pcre2: REFUSED, backtracking: REFUSED })).toBe(false);
});

test("grep() finds matches further left that ripgrep 15 misses, in a tree where others agree", async () => {
  const same = { output: "content", case: "smart", multiline: true, dotall: true } as const;
  // No String.raw: Bun 1.4.5 escapes what is not ASCII in it.
  const pattern = "(?:[é-ü]??|(?-i:\\p{Lu}\\|*?(?:K{1,2}\\*ß{0,1}|\\x{65e5}?){2}|\\D{2}){1,2})\\n(?:É?)";
  expect(await whoseIn("Foo aab\n 日本x1ς\n\nk\n", { ...same, pattern })).toEqual([true]);
  expect(await whoseIn("Foo aab\n 日本x1ς\n\nk\n", { ...same, pattern: "x1.\\n" })).toEqual([]);
  // ripgrep looks for the line feed and then backwards, and takes what begins at the first one
  // (https://github.com/rust-lang/regex/pull/1364): "\n\r\nk" here, and "b" below. PCRE2 has no \u{e9}.
  const folded = {
    ...same,
    only_matching: true,
    pattern: "(?:[\\s\\d]{2,}|\\u{e9}??)\\n(?:a?\\p{L}|\\p{Lu}{1,2})",
  };
  expect(await whoseIn("x\r\n\r\nk\n", folded)).toEqual([true]);
  expect(await whoseIn("zabb\n", { output: "content", case: "sensitive", pattern: ".bb|\\u{62}" })).toEqual([true]);
});

test("what only ripgrep's own group makes a pattern is its own", async () => {
  const query = { output: "content", case: "sensitive" } as const;
  expect(await whoseIn("(=a\n", { ...query, pattern: "\\(?=a)(" })).toEqual([true]);
  // Both refuse it, grouped or not.
  expect(await whoseIn("a\n", { ...query, pattern: "a)" })).toEqual([]);
});

test("a file left out of the comparison stays out where links are followed and its folder has its name", async () => {
  const bytes = Buffer.from("x\r\n\r a\r\n");
  const query = { output: "files", case: "sensitive", follow: true, pattern: "\\A +" } as const;
  const none = new Set<string>();
  const tree = { spec: { "a/a": bytes }, invalid: none, withCr: none, lateNul: none, hasEndlessLine: false };
  expect(await differencesOf(tree, [query])).toHaveLength(1);
  expect(await differencesOf({ ...tree, withCr: new Set(["a/a"]) }, [query])).toEqual([]);
});

/** For each query that is answered differently, whether the fault is ripgrep's own. */
async function whoseIn(content: string, ...queries: readonly Query[]): Promise<boolean[]> {
  const tree = {
    spec: { a: Buffer.from(content) },
    invalid: new Set<string>(),
    withCr: new Set<string>(),
    lateNul: new Set<string>(),
    hasEndlessLine: false,
  };
  return (await differencesOf(tree, queries)).map(({ isRipgrepsOwn }) => isRipgrepsOwn);
}

test("a pattern is respelled for PCRE2 only where characters stand by number", () => {
  expect(respelled("a\\u{e9}[\\u{E9}-\\U{fc}]\\\\\\u{61}")).toBe("a\\x{e9}[\\x{E9}-\\x{fc}]\\\\\\x{61}");
  for (const other of ["\\\\u{e9}", "u{2}", "\\u{}", "\\u{e9", "\\u{ e9}", "\\u00e9", "\\x{e9}", "\\"])
    expect(respelled(other)).toBe(other);
  expect(respelled("\\u{e9}", true)).toBe("\\u{e9}");
});

function respelled(pattern: string, literal = false): string {
  return spelledForPcre({ output: "content", pattern, literal }).pattern;
}

test("what is respelled means the same: the crate makes the same tree of both", async () => {
  const engine = await loadRustEngine();
  const treeOf = (pattern: string): unknown => {
    try {
      using regex = engine.compile(pattern);
      return regex.hir();
    } catch {
      return REFUSED;
    }
  };
  const pairs = fc
    .sample(randomQuery, { seed: 20261122, numRuns: 3000 })
    .map((query) => [query.pattern, spelledForPcre(query).pattern] as const)
    .filter(([pattern, other]) => pattern !== other);
  expect(pairs.length).toBeGreaterThan(100);
  for (const [pattern, other] of pairs) expect(treeOf(other)).toEqual(treeOf(pattern));
});
