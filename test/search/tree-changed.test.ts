/**
 * A cursor says when the tree is not as it was when the page before ended, and says nothing when it is.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grep, type GrepAnswer } from "../../src/search/index.ts";
import { makeTree } from "./make-tree.ts";

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
  test.each(changes)("%s", async (_what, change) => {
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
