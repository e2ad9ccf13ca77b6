/**
 * Promise 5 against ripgrep itself: random queries on random trees give the same files, lines, columns, counts and
 * texts. `bun run test:fuzz-search` asks fifty times as many.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { differencesOf, isAlone } from "./differential-compare.ts";
import { REFUSED } from "./differential-ripgrep.ts";

const FUZZ = join(import.meta.dir, "../../scripts/fuzz-search.ts");

test("2,000 random pairs of a query and a tree: ripgrep's answers", () => {
  const ran = Bun.spawnSync([process.execPath, FUZZ, "--seed=20261121", "--pairs=2000"]);
  expect(ran.stdout.toString() + ran.stderr.toString()).toBe("2000 pairs, 0 seeds with differences\n");
  expect(ran.exitCode).toBe(0);
}, 120_000);

test("who errs: ripgrep only when PCRE2 and the backtracking engine both say what the host says", () => {
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

test("a match further left that ripgrep 15 misses is its own, in a tree where others agree", async () => {
  const content = "Foo aab\n 日本x1ς\n\nk\n";
  // No String.raw: Bun 1.4.5 escapes what is not ASCII in it.
  const pattern = "(?:[é-ü]??|(?-i:\\p{Lu}\\|*?(?:K{1,2}\\*ß{0,1}|\\x{65e5}?){2}|\\D{2}){1,2})\\n(?:É?)";
  const tree = {
    spec: { a: Buffer.from(content) },
    invalid: new Set<string>(),
    withCr: new Set<string>(),
    lateNul: new Set<string>(),
    hasEndlessLine: false,
  };
  const same = { output: "content", case: "smart", multiline: true, dotall: true } as const;
  const found = await differencesOf(tree, [
    { ...same, pattern },
    { ...same, pattern: "x1.\\n" },
  ]);
  expect(found.map(({ isRipgrepsOwn }) => isRipgrepsOwn)).toEqual([true]);
});
