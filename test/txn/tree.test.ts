/**
 * A tree that is being made is written through handles: a directory in it that became a link is refused.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTree } from "../../src/txn/tree-copy/tree.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "ringfence-tree-"));
  for (const path of ["top/a/b", "outside/b"]) mkdirSync(join(base, path), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("names at every depth are reached, in any order", () => {
  using tree = openTree(join(base, "top"));
  for (const below of ["x", "a/x", "a/b/x", "a/y", "y"]) writeFileSync(tree.entry(below), below);
  const made = new Set(readdirSync(join(base, "top"), { recursive: true, encoding: "utf8" }));
  expect(made).toEqual(new Set(["a", "a/b", "a/b/x", "a/x", "a/y", "x", "y"]));
});

test.skipIf(process.platform !== "linux")("a directory that became a link is not written through", () => {
  using tree = openTree(join(base, "top"));
  writeFileSync(tree.entry("a/x"), "1");
  renameSync(join(base, "top/a"), join(base, "moved"));
  symlinkSync("../outside", join(base, "top/a"));
  // What is open stays what it was.
  writeFileSync(tree.entry("a/y"), "2");
  expect(() => tree.entry("a/b/x")).toThrow();
  expect(() => tree.entry("x") && tree.entry("a/x")).toThrow();
  expect(readdirSync(join(base, "outside"), { recursive: true })).toEqual(["b"]);
});
