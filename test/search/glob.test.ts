/**
 * Globs: which paths a pattern means, what is refused, order and pages.
 */
import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { fc } from "../property.ts";
import type * as search from "../../src/search/index.ts";
import { findFiles, glob } from "../../src/search/index.ts";
import { expectGrowthOf } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { codeOf, makeTree } from "./make-tree.ts";

const FILES = [
  "a.ts",
  "b.js",
  "ab.ts",
  "[x].ts",
  "file10.txt",
  "src/a.ts",
  "src/deep/b.tsx",
  "src/deep/.env",
  ".github/w.yml",
  "x y.md",
  "é.ts",
];
const spec = Object.fromEntries(FILES.map((path) => [path, ""]));

describe("patterns", () => {
  const cases: [pattern: string, paths: string[]][] = [
    ["*.ts", ["[x].ts", "a.ts", "ab.ts", "é.ts"]],
    ["./*.ts", ["[x].ts", "a.ts", "ab.ts", "é.ts"]],
    ["**/*.ts", ["[x].ts", "a.ts", "ab.ts", "src/a.ts", "é.ts"]],
    ["**/*.{ts,tsx}", ["[x].ts", "a.ts", "ab.ts", "src/a.ts", "src/deep/b.tsx", "é.ts"]],
    ["{src,none}/**", ["src/a.ts", "src/deep/b.tsx"]],
    ["src/", ["src/a.ts", "src/deep/b.tsx"]],
    ["?.ts", ["a.ts", "é.ts"]],
    ["[!a].ts", ["é.ts"]],
    ["\\[x\\].ts", ["[x].ts"]],
    ["file{8..12}.txt", ["file10.txt"]],
    ["!(a|b).ts", ["[x].ts", "ab.ts", "é.ts"]],
    ["+(a|b).ts", ["a.ts", "ab.ts"]],
    ["@(a|b).*", ["a.ts", "b.js"]],
    ["?(a)b.ts", ["ab.ts"]],
    [".github/**", [".github/w.yml"]],
    ["**/.env", ["src/deep/.env"]],
    ["**/*env*", []],
    ["* *", ["x y.md"]],
    ["a.ts/**", []],
  ];
  test.each(cases)("glob() finds the paths of %p", async (pattern, paths) => {
    using tree = makeTree(spec);
    expect((await glob(tree.ctx, { pattern, sort: "name" })).paths).toEqual(paths);
  });

  test("several patterns of an operator find the files of each", () => {
    using tree = makeTree(spec);
    const { files, cut } = findFiles(tree.ctx, tree.ctx.scope.locate(".", "read"), ["*.md", "*.js"], 10);
    expect([files.map((file) => tree.ctx.scope.show(file)), cut]).toEqual([["b.js", "x y.md"], false]);
  });

  test("an absolute pattern inside the root is taken below it", async () => {
    using tree = makeTree(spec);
    expect((await glob(tree.ctx, { pattern: join(tree.path, "src/**/*.ts") })).paths).toEqual(["src/a.ts"]);
    expect((await glob(tree.ctx, { pattern: join(tree.path, "a.ts") })).paths).toEqual(["a.ts"]);
  });

  test("a directory that the pattern names is not skipped", async () => {
    using tree = makeTree({ "node_modules/p/a.js": "", "x/node_modules/p/a.js": "" });
    expect((await glob(tree.ctx, { pattern: "node_modules/*/a.js" })).paths).toEqual(["node_modules/p/a.js"]);
    expect((await glob(tree.ctx, { pattern: "**/a.js" })).paths).toEqual([]);
  });

  test("glob() gives a hint when nothing matches at the top level but something below", async () => {
    using tree = makeTree(spec);
    const answer = await glob(tree.ctx, { pattern: "*.tsx" });
    expect(answer.paths).toEqual([]);
    expect(answer.hint).toContain('"**/*.tsx"');
    expect((await glob(tree.ctx, { pattern: "*.rs" })).hint).toBeUndefined();
  });
});

describe("refused", () => {
  const cases: [pattern: string, code: string][] = [
    ["", "invalid_input"],
    ["a\0b", "invalid_input"],
    ["../*", "outside_scope"],
    ["a/../../etc/*", "outside_scope"],
    ["{a,..}/*", "outside_scope"],
    ["/etc/*", "outside_scope"],
    ["C:\\Windows\\*", "outside_scope"],
    ["{1..9999}", "invalid_input"],
    ["{a,b}".repeat(20), "invalid_input"],
    ["a/".repeat(40), "invalid_input"],
    ["x".repeat(9000), "invalid_input"],
  ];
  test.each(cases)("glob() refuses the pattern %p", async (pattern, code) => {
    using tree = makeTree({ a: "" });
    expect(await codeOf(() => glob(tree.ctx, { pattern }))).toBe(code);
  });

  test("glob() refuses a path that is missing or a file", async () => {
    using tree = makeTree({ a: "" });
    expect(await codeOf(() => glob(tree.ctx, { pattern: "*", path: "none" }))).toBe("not_found");
    expect(await codeOf(() => glob(tree.ctx, { pattern: "*", path: "a" }))).toBe("invalid_input");
  });

  test("glob() refuses the cursor of another question", async () => {
    using tree = makeTree({ a: "", b: "" });
    const { next } = await glob(tree.ctx, { pattern: "*", limit: 1 });
    const cursor = String(next?.["cursor"]);
    expect(await codeOf(() => glob(tree.ctx, { pattern: "**", cursor }))).toBe("invalid_input");
    expect(await codeOf(() => glob(tree.ctx, { pattern: "*", cursor: "rubbish" }))).toBe("invalid_input");
    expect((await glob(tree.ctx, { pattern: "*", limit: 5, cursor })).paths).toHaveLength(1);
  });
});

test("newest first, equal times by path, and next repeats the call", async () => {
  using tree = makeTree({ old: "", "b/new": "", a: "", c: "" });
  for (const [path, time] of [
    ["old", 100],
    ["b/new", 300],
    ["a", 200],
    ["c", 200],
  ] as const)
    utimesSync(join(tree.path, path), time, time);
  expect((await glob(tree.ctx, { pattern: "**" })).paths).toEqual(["b/new", "a", "c", "old"]);
  const answer = await glob(tree.ctx, { pattern: "**", no_ignore: true, limit: 2 });
  expect(answer).toMatchObject({
    truncated: true,
    totals: { paths: 4 },
    next: { pattern: "**", no_ignore: true, limit: 2 },
  });
});

describe("hostile patterns end in time", () => {
  /** Steps for each character of the longer name are what today's code takes, about twice. */
  const cases: [pattern: string, mostGrowth: number, mostPerUnit: number][] = [
    ["*a".repeat(60) + "b", 2.1, 1000],
    // Each turn of a `+` goes over the whole name.
    ["+(a|aa)".repeat(20) + "b", 4.1, 3200],
    ["!(!(!(a*)*)*)b", 2.1, 85],
    ["**/".repeat(13) + "*a*a*a*b", 2.1, 165],
  ];
  test.each(cases)(
    "glob() takes a bounded number of steps for the hostile pattern %p",
    async (pattern, mostGrowth, mostPerUnit) => {
      using short = makeTree(namesOf(125));
      using long = makeTree(namesOf(250));
      const counted = await loadCounted<typeof search>("src/search/index.ts");
      await expectGrowthOf({ size: 125, mostGrowth, mostPerUnit }, (length) => async () => {
        await counted.glob((length === 125 ? short : long).ctx, { pattern });
      });
      expect((await glob(long.ctx, { pattern })).paths).toEqual([`${"a".repeat(249)}b`]);
    },
  );
});

function namesOf(length: number): Record<string, string> {
  return { ["a".repeat(length)]: "", [`${"a".repeat(length - 1)}b`]: "" };
}

test("glob() agrees with picomatch on random patterns without what the two mean differently", async () => {
  const part = fc.constantFrom("a", "b", "*", "?", "a*", "*b", "[ab]", "**", "{a,b}", "@(a|b)", "+(a|b)");
  const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const path = fc
    .array(fc.constantFrom("a", "b", "ab", "ba", "c"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"));
  await fc.assert(
    fc.asyncProperty(pattern, path, async (glob1, file) => {
      using tree = makeTree({ [file]: "" });
      const found = (await glob(tree.ctx, { pattern: glob1 })).paths.length === 1;
      // picomatch lets a trailing `**` stand for nothing.
      fc.pre(!glob1.endsWith("**") || glob1 === "**");
      expect(found).toBe(picomatch(glob1)(file));
    }),
    { numRuns: 300 },
  );
});

describe("an answer that one message would not hold", () => {
  const names = Array.from({ length: 6000 }, (_, at) => `${String(at).padStart(4, "0")}-${"x".repeat(200)}.md`);
  const large = Object.fromEntries(names.map((name) => [name, ""]));

  test.each(["name", "mtime"] as const)(
    "an answer of glob() that one message would not hold is cut, and goes on, by %s",
    async (sort) => {
      using tree = makeTree(large);
      for (const name of names) utimesSync(join(tree.path, name), 1000, 1000);
      const paths: string[] = [];
      const sizes: number[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await glob(tree.ctx, { pattern: "*", sort, limit: 20_000, ...(cursor ? { cursor } : {}) });
        expect(page.truncated).toBe(page.next !== undefined);
        sizes.push(Buffer.byteLength(page.paths.join("\n")));
        paths.push(...page.paths);
        cursor = page.next?.["cursor"] as string | undefined;
      }
      expect(paths.map((path) => path.slice(path.lastIndexOf("/") + 1))).toEqual(names);
      expect(sizes).toHaveLength(2);
      expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    },
  );

  test("an answer of glob() has a thousand paths, of 32 KB in all, unless more are asked for", async () => {
    using short = makeTree(Object.fromEntries(names.slice(0, 1200).map((name) => [name.slice(0, 4), ""])));
    expect((await glob(short.ctx, { pattern: "*" })).paths).toHaveLength(1000);
    using long = makeTree(large);
    const { paths } = await glob(long.ctx, { pattern: "*" });
    const size = Buffer.byteLength(paths.join("\n"));
    expect(size).toBeLessThanOrEqual(32 * 1024);
    // The room is used, too.
    expect(size).toBeGreaterThan(24 * 1024);
  });
});

test("newest first, stopped by time, cannot be gone on with: what was not looked at may be newer", async () => {
  const files = ["a", "z"].flatMap((folder) => Array.from({ length: 400 }, (_, at) => `${folder}/${at}`));
  using tree = makeTree(Object.fromEntries(files.map((path) => [path, ""])));
  let looks = 0;
  const ctx = tree.withCancel({ state: () => (++looks > 2 ? "timed_out" : "none") });
  const stopped = await glob(ctx, { pattern: "**" });
  expect(stopped).toMatchObject({
    stopped_by: "timed_out",
    truncated: true,
    hint: expect.stringContaining("sort"),
  });
  expect(stopped.next).toBeUndefined();
  looks = 0;
  const first = await glob(ctx, { pattern: "**", sort: "name" });
  expect(first).toMatchObject({ stopped_by: "timed_out", truncated: true });
  const cursor = String(first.next?.["cursor"]);
  const rest = await glob(tree.ctx, { pattern: "**", sort: "name", cursor });
  expect(first.paths.length + rest.paths.length).toBe(800);
  expect(rest.tree_changed).toBeUndefined();
});
