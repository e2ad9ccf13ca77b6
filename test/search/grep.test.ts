/**
 * What grep finds and how it says it: lines, columns, texts, context, forms of output, pages.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { glob, grep, type GrepMatch, type GrepOptions } from "../../src/search/index.ts";
import { allPages, codeOf, makeTree, type TreeSpec } from "./make-tree.ts";

async function matchesIn(content: string | Uint8Array, options: GrepOptions): Promise<GrepMatch[]> {
  using tree = makeTree({ f: content });
  return (await grep(tree.ctx, options)).matches ?? [];
}

/** `line:column:text` of each match. */
async function found(
  content: string | Uint8Array,
  pattern: string,
  options: Partial<GrepOptions> = {},
): Promise<string[]> {
  return (await matchesIn(content, { ...options, pattern })).map(
    ({ line, column, text }) => `${line}:${column}:${text}`,
  );
}

describe("lines", () => {
  const cases: [what: string, content: string, pattern: string, options: Partial<GrepOptions>, wanted: string[]][] = [
    ["literal", "one\ntwo\nthree two\n", "two", {}, ["2:1:two", "3:7:three two"]],
    ["no line end at the end", "a\nb", "b", {}, ["2:1:b"]],
    ["empty file", "", "^", {}, []],
    ["empty pattern", "a\n\nb", "", {}, ["1:1:a", "2:1:", "3:1:b"]],
    ["empty lines", "a\n\nb\n\n", "^$", {}, ["2:1:", "4:1:"]],
    ["columns count bytes", "äöü needle €needle", "€n", {}, ["1:15:äöü needle €needle"]],
    ["columns of the engine count bytes", "äöü x€y", "€.", {}, ["1:9:äöü x€y"]],
    ["CR LF", "foo\r\nbar\r\n", "o$", {}, ["1:3:foo"]],
    ["CR LF, literal", "foo\r\nbar\r\n", "bar", {}, ["2:1:bar"]],
    ["a named CR is seen", "foo\r\nbar\n", "\\r$", {}, ["1:4:foo"]],
    ["classes stay in their line", "a\nb\n", "a[^x]b|a\\sb", {}, []],
    ["negated class at the end", "ab\ncd\n", "b[^x]", {}, []],
    ["anchors of the text are those of the line", "ab\nab\n", "\\Aab\\z", {}, ["1:1:ab", "2:1:ab"]],
    ["alternation takes the leftmost", "xfoo bar", "bar|foo", {}, ["1:2:xfoo bar"]],
    ["word", "foo food foo_ (foo)", "foo", { word: true, only_matching: true }, ["1:1:foo", "1:16:foo"]],
    ["word around signs", "-2 x-2", "-2", { word: true, only_matching: true }, ["1:1:-2"]],
    ["line", "foo\nfoobar\nfoo\r\n", "fo+", { line: true }, ["1:1:foo", "3:1:foo"]],
    ["line with choices", "a\nab\n", "a|ab", { line: true }, ["1:1:a", "2:1:ab"]],
    ["insensitive", "Foo fOO\nÄ\n", "foo|ä", { case: "insensitive" }, ["1:1:Foo fOO", "2:1:Ä"]],
    ["smart, lower", "Foo\nfoo\n", "foo", { case: "smart" }, ["1:1:Foo", "2:1:foo"]],
    ["smart, upper", "Foo\nfoo\n", "Foo", { case: "smart" }, ["1:1:Foo"]],
    ["smart, a class is no letter", "FOO x\n", "\\Soo\\W", { case: "smart" }, ["1:1:FOO x"]],
    ["literal signs", "a.b*c\nabbc\n", "a.b*c", { literal: true }, ["1:1:a.b*c"]],
    ["literal signs, insensitive", "A.B*C\nabbc\n", "a.b*c", { literal: true, case: "insensitive" }, ["1:1:A.B*C"]],
    ["invert", "a\nb\nc", "b", { invert: true }, ["1:1:a", "3:1:c"]],
    ["invert, nothing matches", "a\n\n", "x", { invert: true }, ["1:1:a", "2:1:"]],
    ["only the matches", "a1 b22\nc333", "\\d+", { only_matching: true }, ["1:2:1", "1:5:22", "2:2:333"]],
    ["empty matches too", "baa\n", "a*", { only_matching: true }, ["1:1:", "1:2:aa"]],
    ["but none behind the last line", "ab", "$", { only_matching: true }, []],
    ["most matching lines", "a\na\na\n", "a", { max_count: 2 }, ["1:1:a", "2:1:a"]],
    ["extended syntax in a group", "ab\n", "(?x: a b)", {}, ["1:1:ab"]],
    ["smart, a sign is a character", "A\n", "\\p{Lu}|\\.", { case: "smart" }, ["1:1:A"]],
    ["smart, signs alone ignore case", "a\n", "\\p{Lu}|\\.", { case: "smart" }, ["1:1:a"]],
    ["smart, a class alone does not", "a\n", "\\p{Lu}", { case: "smart" }, []],
    ["extended syntax with a comment", "ab\n", "(?x) a b # c", {}, ["1:1:ab"]],
    ["unicode class", "naïve\n", "na\\wve", {}, ["1:1:naïve"]],
    ["$& is text", "cost $& 5\n", "$&", { literal: true }, ["1:6:cost $& 5"]],
  ];
  test.each(cases)("grep() matches lines: %s", async (_what, content, pattern, options, wanted) => {
    expect(await found(content, pattern, options)).toEqual(wanted);
  });
});

describe("multiline", () => {
  test("a match names its first and last line and has them whole", async () => {
    const content = "x\nbegin here\nmiddle\nthe end y\nz\n";
    expect(await matchesIn(content, { pattern: "here\\n.*\\nthe", multiline: true })).toEqual([
      { path: "f", line: 2, column: 7, end_line: 4, text: "begin here\nmiddle\nthe end y" },
    ]);
    expect(await found(content, "begin.*end", { multiline: true })).toEqual([]);
    expect(await found(content, "begin.*end", { multiline: true, dotall: true })).toHaveLength(1);
    expect(await found(content, "here\nmiddle", { multiline: true })).toHaveLength(1);
  });

  test("matches that share a line are one, and inverted they give the other lines", async () => {
    expect(await found("a\nb c\nd\ne", "a\\nb|c\\nd", { multiline: true })).toEqual(["1:1:a\nb c\nd"]);
    expect(await found("a\nb c\nd\ne\n", "a\\nb|c\\nd", { multiline: true, invert: true })).toEqual(["4:1:e"]);
    expect(await found("aa\nbb\n", "x*", { multiline: true })).toEqual(["1:1:aa", "2:1:bb"]);
    using tree = makeTree({ f: "a\nb c\nd\n" });
    expect((await grep(tree.ctx, { pattern: "a\\nb|c\\nd", multiline: true, output: "count" })).counts).toEqual([
      { path: "f", count: 2 },
    ]);
  });
});

/** A match with its context, `-` before and `+` after. */
function show(match: GrepMatch): string {
  return [
    ...(match.before ?? []).map((it) => `-${it.text}`),
    match.text,
    ...(match.after ?? []).map((it) => `+${it.text}`),
  ].join(" ");
}

describe("context", () => {
  const lines = Array.from({ length: 9 }, (_, at) => `l${at + 1}`).join("\n");

  test("context stops at the edges and shows no line twice", async () => {
    expect((await matchesIn(lines, { pattern: "l[19]", context: 2 })).map(show)).toEqual(["l1 +l2 +l3", "-l7 -l8 l9"]);
    expect((await matchesIn(lines, { pattern: "l[3568]", context: 2 })).map(show)).toEqual([
      "-l1 -l2 l3 +l4",
      "l5",
      "l6 +l7",
      "l8 +l9",
    ]);
    expect((await matchesIn(`${lines}\n`, { pattern: "l9", before: 1, after: 3 })).map(show)).toEqual(["-l8 l9"]);
    expect((await matchesIn("a\r\nb\r\nc\r\n", { pattern: "b", context: 1 })).map(show)).toEqual(["-a b +c"]);
  });

  test("context is numbered, and reaches over any distance in the file", async () => {
    const long = `${"x".repeat(5000)}\n`.repeat(20);
    const [match] = await matchesIn(`${long}needle\n${long}`, { pattern: "needle", context: 3 });
    expect(match?.before?.map(({ line, cut }) => [line, cut])).toEqual([
      [18, true],
      [19, true],
      [20, true],
    ]);
    expect(match?.after?.map(({ line }) => line)).toEqual([22, 23, 24]);
  });
});

test("context lines keep their heads, wherever a step of reading begins", async () => {
  for (const length of [700, 1022, 1290, 2000]) {
    const content = Array.from({ length: 12 }, (_, at) => `${at + 1}:${"x".repeat(length)}\n`).join("");
    for (const before of [1, 2, 3, 4, 6, 11]) {
      const [match] = await matchesIn(`${content}needle`, { pattern: "needle", before });
      expect(match?.before?.map(({ text }) => Number.parseInt(text, 10))).toEqual(
        Array.from({ length: before }, (_, at) => 13 - before + at),
      );
    }
  }
});

describe("which files", () => {
  const spec: TreeSpec = {
    "a.ts": "x",
    "b.js": "x",
    "src/c.ts": "x",
    "src/gen/d.ts": "x",
    ".e.ts": "x",
    "log.txt": "x",
    ".ignore": "log.txt\n",
    Makefile: "x",
  };
  const files = async (options: Partial<GrepOptions>): Promise<string[] | undefined> => {
    using tree = makeTree(spec);
    return (await grep(tree.ctx, { pattern: "x", output: "files", ...options })).paths;
  };

  test("grep() takes include, exclude and type as ripgrep takes -g and -t", async () => {
    expect(await files({})).toEqual(["Makefile", "a.ts", "b.js", "src/c.ts", "src/gen/d.ts"]);
    expect(await files({ include: ["*.{ts,js}"], exclude: ["gen"] })).toEqual([".e.ts", "a.ts", "b.js", "src/c.ts"]);
    expect(await files({ include: ["src/*.ts"] })).toEqual(["src/c.ts"]);
    expect(await files({ include: ["*.ts", "!a.ts"], path: "." })).toEqual([".e.ts", "src/c.ts", "src/gen/d.ts"]);
    expect(await files({ include: ["!src/c.*", "src/*.ts"] })).toEqual(["src/c.ts"]);
    expect(await files({ include: ["*.txt"] })).toEqual(["log.txt"]);
    expect(await files({ type: ["ts"] })).toEqual([".e.ts", "a.ts", "src/c.ts", "src/gen/d.ts"]);
    expect(await files({ type: ["make", "js"] })).toEqual(["Makefile", "b.js"]);
    expect(await files({ no_ignore: true, hidden: true })).toHaveLength(8);
  });

  test("a named file is searched whatever the rules say", async () => {
    expect(await files({ path: "log.txt" })).toEqual(["log.txt"]);
  });

  test("an unknown type names the nearest", async () => {
    using tree = makeTree(spec);
    const failure = await grep(tree.ctx, { pattern: "x", type: ["typscript"] }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: "invalid_input",
      data: { candidates: expect.arrayContaining(["typescript"]) },
    });
    expect(await codeOf(() => grep(tree.ctx, { pattern: "x", include: ["../*"] }))).toBe("outside_scope");
    expect(await codeOf(() => grep(tree.ctx, { pattern: "x", path: "none" }))).toBe("not_found");
  });
});

describe("limits", () => {
  const spec: TreeSpec = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`f${at}`, "hit hit\nno\nhit\n".repeat(at)]),
  );

  test("pages put together are the whole, in every form", async () => {
    using tree = makeTree(spec);
    for (const options of [
      {},
      { only_matching: true },
      { invert: true },
      { multiline: true, pattern: "hit\\nno" },
    ] as const) {
      const asked: GrepOptions = { pattern: "h.t", ...options };
      const whole = (await grep(tree.ctx, asked)).matches;
      for (const limit of [1, 3, 10]) {
        const pages = await allPages((cursor) => grep(tree.ctx, { ...asked, limit, cursor }));
        expect(pages.flatMap(({ matches }) => matches ?? [])).toEqual(whole ?? []);
        expect(pages.slice(0, -1).every(({ truncated, matches }) => truncated && matches?.length === limit)).toBe(true);
      }
    }
    for (const output of ["files", "count"] as const) {
      const whole = await grep(tree.ctx, { pattern: "hit", output });
      const pages = await allPages((cursor) => grep(tree.ctx, { pattern: "hit", output, limit: 2, cursor }));
      expect(pages.flatMap(({ paths }) => paths ?? [])).toEqual(whole.paths ?? []);
      expect(pages.flatMap(({ counts }) => counts ?? [])).toEqual(whole.counts ?? []);
    }
  });

  test("at most 200 matches, then the next call under its wire names", async () => {
    using tree = makeTree({ a: "x\n".repeat(500) });
    const answer = await grep(tree.ctx, { pattern: "x", no_ignore: true, limit: 9999 });
    expect(answer.matches).toHaveLength(200);
    expect(answer).toMatchObject({
      truncated: true,
      totals: { at_least: true },
      next: { pattern: "x", no_ignore: true, cursor: expect.any(String) },
    });
    expect((await grep(tree.ctx, { pattern: "x", limit: 200, max_count: 200 })).truncated).toBe(false);
  });

  test("a long line is cut around its match, between characters", async () => {
    const [match] = await matchesIn(`${"é".repeat(5000)}needle${"é".repeat(5000)}\n`, { pattern: "needle" });
    expect(match).toMatchObject({ line: 1, column: 10_001, cut: true });
    expect(match?.text).toContain("needle");
    expect(match?.text).not.toContain("\ufffd");
    expect(Buffer.byteLength(match?.text ?? "")).toBeLessThanOrEqual(1024);
  });

  test("the whole answer stays near a megabyte", async () => {
    using tree = makeTree({ a: `${"y".repeat(1000)}x\n`.repeat(20_000) });
    const answer = await grep(tree.ctx, { pattern: "x", context: 100, limit: 200 });
    expect(JSON.stringify(answer).length).toBeLessThan(2_500_000);
  });
});

test("totals say what was not searched", async () => {
  using tree = makeTree({
    "a.txt": "x",
    "bin.dat": "x\0x",
    "dist/b": "x",
    ".c": "x",
    link: { link: "a.txt" },
  });
  mkdirSync(join(tree.path, "sub"));
  expect((await grep(tree.ctx, { pattern: "x" })).totals).toEqual({
    files_searched: 2,
    files_matched: 1,
    matches: 1,
    ignored: 1,
    ignored_by: [{ rule: "default: dist", count: 1 }],
    hidden: 1,
    denied: 0,
    unreadable: 0,
    links: 1,
    special: 0,
    binary: 1,
    too_large: 0,
    long_lines: 0,
    invalid_utf8: 0,
  });
  expect((await glob(tree.ctx, { pattern: "*" })).paths).toHaveLength(2);
});
