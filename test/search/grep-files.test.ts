/**
 * Which files grep looks into and what it makes of odd ones: types beside globs, NUL bytes, bytes that are not UTF-8.
 */
import { expect, test } from "bun:test";
import { grep, type GrepOptions } from "../../src/search/index.ts";
import { codeOf, makeTree } from "./make-tree.ts";

test("a dot file of an asked type is searched, as ripgrep does; not in a dot directory, nor one that is ignored", async () => {
  using tree = makeTree({
    ".a.ts": "x",
    "b.ts": "x",
    ".c.js": "x",
    ".d/x.ts": "x",
    ".ignored.ts": "x",
    ".ignore": ".ignored.ts",
  });
  const paths = async (options: Partial<GrepOptions>): Promise<readonly string[] | undefined> =>
    (await grep(tree.ctx, { pattern: "x", output: "files", ...options })).paths;
  expect(await paths({ type: ["ts"] })).toEqual([".a.ts", "b.ts"]);
  expect(await paths({ type: ["ts"], exclude: ["b*"] })).toEqual([".a.ts"]);
  expect(await paths({})).toEqual(["b.ts"]);
});

test("what an include names is searched whatever its type", async () => {
  using tree = makeTree({ "a.ts": "x", "b.js": "x", "c.md": "x", "sub/d.md": "x" });
  const paths = async (options: Partial<GrepOptions>): Promise<readonly string[] | undefined> =>
    (await grep(tree.ctx, { pattern: "x", output: "files", ...options })).paths;
  expect(await paths({ type: ["ts"] })).toEqual(["a.ts"]);
  expect(await paths({ type: ["ts"], include: ["*.md"] })).toEqual(["c.md", "sub/d.md"]);
  expect(await paths({ type: ["ts", "js"], exclude: ["a.*"] })).toEqual(["b.js"]);
  expect(await codeOf(() => paths({ type: ["nosuch"], include: ["*.md"] }))).toBe("invalid_input");
});

test("binary: search takes a file with NUL bytes for text", async () => {
  using tree = makeTree({ a: "x\0\nx\n", b: `${"y\n".repeat(100_000)}\0x\n`, c: "\xff\0x" });
  const all = async (options: Partial<GrepOptions>): Promise<unknown> => {
    const { matches, totals } = await grep(tree.ctx, { pattern: "x", ...options });
    return [matches?.map(({ path, line }) => `${path}:${line}`), totals.binary];
  };
  expect(await all({})).toEqual([[], 3]);
  const wanted = [["a:1", "a:2", "b:100001", "c:1"], 0];
  expect(await all({ binary: "search" })).toEqual(wanted);
  expect(await all({ binary: "search", pattern: "x\\b" })).toEqual(wanted);
  expect(await all({ binary: "search", pattern: "(?s)x.?", multiline: true })).toEqual(wanted);
  expect(await all({ binary: "search", path: "a" })).toEqual([["a:1", "a:2"], 0]);
});

test("files with bytes that are not UTF-8 are counted where an engine saw them", async () => {
  const invalid = Buffer.from("ab \xff\n", "latin1");
  using tree = makeTree({ a: invalid, b: "ab é\n", "c/d": invalid, e: Buffer.from("zz \xff\n", "latin1") });
  const counted = async (options: Partial<GrepOptions> & { pattern: string }): Promise<number> =>
    (await grep(tree.ctx, options)).totals.invalid_utf8;
  expect(await counted({ pattern: "ab" })).toBe(0);
  expect(await counted({ pattern: "\\w\\w ." })).toBe(3);
  // Lines without a text that must stand in them are never shown to the engine.
  expect(await counted({ pattern: "ab ." })).toBe(2);
  expect(await counted({ pattern: "(?<=b) ." })).toBe(3);
});
