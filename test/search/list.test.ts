/**
 * Listing, trees and sizes: shapes, sorting, budgets, pages.
 */
import { expect, test } from "bun:test";
import { linkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { diskUsage, listDirectory, tree as treeOf } from "../../src/search/index.ts";
import { codeOf, makeTree } from "./make-tree.ts";

test("a plain list has everything, with type, size and time, and links as themselves", async () => {
  using tree = makeTree({ "a.txt": "12345", ".env": "", "node_modules/x": "", link: { link: "a.txt" } });
  utimesSync(join(tree.path, "a.txt"), 1_700_000_000, 1_700_000_000);
  const { entries, truncated, next } = await listDirectory(tree.ctx, {});
  expect(entries.map(({ path, type }) => [path, type])).toEqual([
    [".env", "file"],
    ["a.txt", "file"],
    ["link", "symlink"],
    ["node_modules", "directory"],
  ]);
  expect(entries[1]).toEqual({ path: "a.txt", type: "file", size: 5, mtime: "2023-11-14T22:13:20.000Z" });
  expect([truncated, next]).toEqual([false, undefined]);
});

test("recursive, to a depth, without what searches leave out", async () => {
  using tree = makeTree({ "a/b/c/d": "", ".x/y": "", "node_modules/z": "" });
  expect((await listDirectory(tree.ctx, { recursive: true, depth: 2 })).entries.map(({ path }) => path)).toEqual([
    "a",
    "a/b",
  ]);
  expect((await listDirectory(tree.ctx, { recursive: true })).totals).toMatchObject({
    entries: 4,
    ignored: 1,
    hidden: 1,
  });
});

test("a list is sorted by size and by time", async () => {
  using tree = makeTree({ small: "1", large: "12345", middle: "123" });
  for (const [path, time] of [
    ["small", 3],
    ["large", 1],
    ["middle", 2],
  ] as const)
    utimesSync(join(tree.path, path), time, time);
  const names = async (sort: "size" | "mtime"): Promise<string[]> =>
    (await listDirectory(tree.ctx, { sort })).entries.map(({ path }) => path);
  expect(await names("size")).toEqual(["large", "middle", "small"]);
  expect(await names("mtime")).toEqual(["small", "middle", "large"]);
});

test("a cut list says how many there are and how to go on", async () => {
  using tree = makeTree(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`d/f${at}`, ""])));
  const answer = await listDirectory(tree.ctx, { path: "d", limit: 10 });
  expect(answer).toMatchObject({ truncated: true, totals: { entries: 25 }, next: { path: "d", limit: 10 } });
  expect(answer.totals.at_least).toBeUndefined();
  expect((await listDirectory(tree.ctx, { path: "d", recursive: true, limit: 10 })).totals.at_least).toBe(true);
  expect((await listDirectory(tree.ctx, { path: "d", limit: 25 })).truncated).toBe(false);
});

test("what cannot be listed", async () => {
  using tree = makeTree({ file: "", out: { link: "/etc" } });
  expect(await codeOf(() => listDirectory(tree.ctx, { path: "file" }))).toBe("invalid_input");
  expect(await codeOf(() => listDirectory(tree.ctx, { path: "none" }))).toBe("not_found");
  expect(await codeOf(() => listDirectory(tree.ctx, { path: "out" }))).toBe("outside_scope");
});

test("a tree is written as text", async () => {
  using tree = makeTree({
    "src/a.ts": "",
    "src/deep/b.ts": "",
    "README.md": "",
    "node_modules/x/y": "",
    ".git/HEAD": "",
    "to-src": { link: "src" },
  });
  const answer = await treeOf(tree.ctx, {});
  expect(answer.text).toBe("./\n  README.md\n  src/\n    a.ts\n    deep/\n      b.ts\n  to-src@");
  expect(answer).toMatchObject({
    entries: 6,
    truncated: false,
    totals: { files: 3, directories: 2, links: 1, ignored: 2 },
  });
  expect((await treeOf(tree.ctx, { depth: 1 })).text).toBe("./\n  README.md\n  src/\n  to-src@");
});

test("one huge directory does not take the whole tree", async () => {
  const huge = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`huge/f${at}`, ""]));
  using tree = makeTree({ ...huge, "small/a": "", "small/b": "", "z/c": "" });
  const answer = await treeOf(tree.ctx, { limit: 60 });
  expect(answer.text).toContain("    b\n");
  expect(answer.text).toContain("    c");
  expect(answer.text).toMatch(/\.\.\. \d+ more/);
  expect(answer.entries).toBeLessThanOrEqual(60);
  expect(answer).toMatchObject({ truncated: true, next: { path: "huge" }, totals: { at_least: true } });
});

test("sizes are summed over files, links and directories, and a hard link counts once", async () => {
  using tree = makeTree({
    "a/one": "x".repeat(5000),
    "a/b/two": "y".repeat(3000),
    "c/three": "z".repeat(100),
    ".h/four": "1",
  });
  linkSync(join(tree.path, "a/one"), join(tree.path, "c/again"));
  const answer = await diskUsage(tree.ctx, {});
  expect(answer).toMatchObject({ bytes: 8101, files: 4, directories: 4, unreadable: 0, truncated: false });
  expect(answer.children).toEqual([
    { path: "a", type: "directory", bytes: 8000, files: 2 },
    { path: "c", type: "directory", bytes: 100, files: 1 },
    { path: ".h", type: "directory", bytes: 1, files: 1 },
  ]);
  expect((await diskUsage(tree.ctx, { depth: 2 })).children.map(({ path }) => path).slice(0, 3)).toEqual([
    "a",
    "a/one",
    "a/b",
  ]);
  expect(await diskUsage(tree.ctx, { path: "c/three" })).toMatchObject({
    bytes: 100,
    files: 1,
    children: [],
  });
  expect(await diskUsage(tree.ctx, { limit: 1 })).toMatchObject({ truncated: true, totals: { children: 3 } });
  const du = spawnSync("du", ["-s", "--block-size=1", tree.path]).stdout.toString();
  expect(answer.allocated).toBe(Number.parseInt(du, 10));
});

test("sorted and stopped by time, a list cannot be gone on with; by name it can", async () => {
  const files = ["a", "z"].flatMap((folder) => Array.from({ length: 400 }, (_, at) => `${folder}/${at}`));
  using tree = makeTree(Object.fromEntries(files.map((path) => [path, ""])));
  let looks = 0;
  const ctx = tree.withCancel({ state: () => (++looks > 2 ? "timed_out" : "none") });
  for (const sort of ["size", "mtime"] as const) {
    looks = 0;
    const stopped = await listDirectory(ctx, { recursive: true, sort });
    expect(stopped).toMatchObject({ stopped_by: "timed_out", truncated: true });
    expect(stopped.next).toBeUndefined();
  }
  looks = 0;
  expect((await listDirectory(ctx, { recursive: true })).next).toBeDefined();
});
