/**
 * A cursor says when the tree is not as it was when the page before ended, and says nothing when it is.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { glob, grep, listDirectory, type GrepAnswer, type ListAnswer } from "../../src/search/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { fileClockTicks } from "../waits/file-clock.ts";
import { TestClock } from "../waits/test-clock.ts";
import { makeTree, type Tree } from "./make-tree.ts";

const SPEC = { "a/one": "x\nx\n", "b/c/two": "x\nx\n", "d/three": "x\n" };

/** The second page, of three matches in the first one: inside of `b/c/two`. */
async function secondPage(change: (top: string) => void): Promise<GrepAnswer> {
  using tree = makeTree(SPEC);
  const options = { pattern: "x", limit: 3 };
  const first = await grep(tree.ctx, options);
  expect(first.tree_changed).toBeUndefined();
  change(tree.path);
  return await grep(tree.ctx, { ...options, cursor: String(first.next?.["cursor"]) });
}

describe("on the way to the place it is seen", () => {
  const changes: [what: string, change: (top: string) => void][] = [
    ["a new name at the start", (top) => writeFileSync(join(top, "new"), "")],
    ["a name that is gone", (top) => rmSync(join(top, "a"), { recursive: true })],
    ["a new name beside the file", (top) => writeFileSync(join(top, "b/c/new"), "")],
    ["a directory in between", (top) => mkdirSync(join(top, "b/new"))],
    ["the file itself", (top) => writeFileSync(join(top, "b/c/two"), "x\nx\nx\n")],
    ["the directory replaced", (top) => renameSync(join(top, "b/c"), join(top, "gone"))],
  ];
  test.each(changes)("a change on the way to the place is seen: %s", async (_what, change) => {
    expect((await secondPage(change)).tree_changed).toBe(true);
  });
});

test("without a change nothing is said, and reading is none", async () => {
  const page = await secondPage(() => {});
  expect(page.tree_changed).toBeUndefined();
  expect(page.matches?.map(({ path }) => path)).toEqual(["b/c/two", "d/three"]);
});

test("a cursor without a mark was not made by this host", async () => {
  using tree = makeTree(SPEC);
  const first = await grep(tree.ctx, { pattern: "x", limit: 1 });
  const [version, question, place] = JSON.parse(
    Buffer.from(String(first.next?.["cursor"]), "base64url").toString("utf8"),
  ) as [number, string, { rel: string }];
  const cursor = Buffer.from(JSON.stringify([version, question, { rel: place.rel }])).toString("base64url");
  expect(grep(tree.ctx, { pattern: "x", limit: 1, cursor })).rejects.toThrow("not made by this host");
});

type Pages = (tree: Tree, cursor?: string) => Promise<Page> | Page;
interface Page {
  readonly next?: Record<string, unknown>;
  readonly tree_changed?: true;
}
const newest: Pages = async ({ ctx }, cursor) => await glob(ctx, { pattern: "**/*", limit: 2, cursor });

describe("lists and globs", () => {
  const ways: [what: string, page: Pages][] = [
    ["glob by name", ({ ctx }, cursor) => glob(ctx, { pattern: "**/*", sort: "name", limit: 2, cursor })],
    ["glob, newest first", newest],
    ["list", ({ ctx }, cursor) => listDirectory(ctx, { limit: 1, cursor })],
    ["recursive list", ({ ctx }, cursor) => listDirectory(ctx, { recursive: true, limit: 4, cursor })],
    ["list by size", ({ ctx }, cursor) => listDirectory(ctx, { sort: "size", limit: 1, cursor })],
  ];
  /** Whether the second page says that the tree changed. */
  const isSeen = async (page: Pages, change: (top: string) => void): Promise<boolean | undefined> => {
    using tree = makeTree(SPEC);
    const first = await page(tree);
    expect(first.tree_changed).toBeUndefined();
    change(tree.path);
    return (await page(tree, String(first.next?.["cursor"]))).tree_changed;
  };

  test.each(ways)("lists and globs see a tree that changed: %s", async (_what, page) => {
    expect(await isSeen(page, () => {})).toBeUndefined();
    expect(await isSeen(page, (top) => writeFileSync(join(top, "new"), "new"))).toBe(true);
    expect(await isSeen(page, (top) => rmSync(join(top, "a"), { recursive: true }))).toBe(true);
  });

  test("what looks at everything sees a change anywhere", async () => {
    expect(await isSeen(newest, (top) => utimesSync(join(top, "d/three"), 1, 1))).toBe(true);
    expect(await isSeen(newest, (top) => writeFileSync(join(top, "d/four"), ""))).toBe(true);
  });
});

const shown = ({ entries }: ListAnswer): string[] => entries.map(({ path }) => path);
const cursorOf = ({ next }: ListAnswer): string => String(next?.["cursor"]);

test("the later pages of a large directory come from memory only while it is what it was", async () => {
  const names = Array.from({ length: 2500 }, (_, at) => `f${String(at).padStart(4, "0")}`);
  using tree = makeTree(Object.fromEntries(names.map((name) => [name, ""])), [], memoryFolder());
  await fileClockTicks(tree.path, memoryFolder());
  // A directory that was just changed is not kept.
  using _clock = new TestClock({ nowMs: Date.now() + 24 * 60 * 60_000 });
  const page = async (cursor?: string) => await listDirectory(tree.ctx, { limit: 1000, cursor });
  const first = await page();
  const second = await page(cursorOf(first));
  expect(shown(second)).toEqual(names.slice(1000, 2000));
  expect(second.totals.entries).toBe(1500);
  expect(shown(await page(cursorOf(second)))).toEqual(names.slice(2000));
  expect((await page(cursorOf(second))).tree_changed).toBeUndefined();
  rmSync(join(tree.path, "f2100"));
  writeFileSync(join(tree.path, "f2200x"), "");
  const last = await page(cursorOf(second));
  expect(last.tree_changed).toBe(true);
  expect(shown(last)).toEqual([...names.slice(2000), "f2200x"].sort().filter((name) => name !== "f2100"));
});
