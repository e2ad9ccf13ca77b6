/**
 * A path that ends in a slash means a directory: whatever a tool would do with the file of that name, it does not, and says
 * which name was probably meant.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { readTree } from "./file-tree.ts";
import { openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\n", "sub/c.txt": "three\n" };
const ENDS = ["a.txt/", "a.txt//", "a.txt/.", "link/"] as const;

function open(): TestHost {
  const host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "if_known" } });
  symlinkSync("a.txt", join(host.root, "link"));
  symlinkSync("sub", join(host.root, "to-sub"));
  return host;
}

/** Every tool that takes the path of something that is there. */
const CALLS: readonly (readonly [tool: string, args: (path: string) => Json])[] = [
  ["read_file", (path) => ({ path })],
  ["stat", (path) => ({ path })],
  ["list_directory", (path) => ({ path })],
  ["tree", (path) => ({ path })],
  ["disk_usage", (path) => ({ path })],
  ["glob", (path) => ({ path, pattern: "*" })],
  ["grep", (path) => ({ path, pattern: "one" })],
  ["diff_files", (path) => ({ a: path, text: "x" })],
  ["delete", (path) => ({ path })],
  ["delete", (path) => ({ path, recursive: true })],
  ["edit_file", (path) => ({ path, old_text: "one", new_text: "1" })],
  ["append_file", (path) => ({ path, content: "x\n" })],
  ["write_file", (path) => ({ path, content: "x\n" })],
  ["create_directory", (path) => ({ path })],
  ["move", (path) => ({ source: path, destination: "new.txt" })],
  ["copy", (path) => ({ source: path, destination: "new.txt" })],
  ["move", (path) => ({ source: "b.txt", destination: path, overwrite: true })],
  ["copy", (path) => ({ source: "b.txt", destination: path, overwrite: true })],
  ["replace", (path) => ({ path, pattern: "one", replacement: "1", dry_run: false })],
  ["change_files", (path) => ({ operations: [{ op: "delete", path }] })],
  [
    "change_files",
    (path) => ({
      operations: [
        { op: "write_file", path: "b.txt", content: "x\n" },
        { op: "edit_file", path, old_text: "one", new_text: "1" },
      ],
    }),
  ],
  ["apply_patch", (path) => ({ patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+1\n` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`, overwrite: true })],
];

describe.each(CALLS)("%s", (tool, args) => {
  test.each(ENDS)("a call of %s with a slash behind a file is refused and changes nothing", async (path) => {
    await using host = open();
    const before = readTree(host.root);
    const { failure } = await host.call(tool, args(path));
    expect(["not_found", "invalid_input", "already_exists"]).toContain(failure?.code ?? "");
    expect(failure?.message).toMatch(/path ends in a slash|cannot end like a directory|something else has that name/);
    expect(readTree(host.root)).toEqual(before);
  });
});

test.each(["hash_file", "read_files"])("%s says it of the one file", async (tool) => {
  await using host = open();
  const given = { hash_file: { paths: ["b.txt", "a.txt/"] }, read_files: { files: ["b.txt", "a.txt/"] } }[tool];
  const { all } = await host.call(tool, given);
  expect(all).toContain("the path ends in a slash");
});

describe("a file that is moved or copied to a name with a slash", () => {
  test.each(["move", "copy"])("%s has to be told its name there", async (tool) => {
    await using host = open();
    const before = readTree(host.root);
    const { failure } = await host.call(tool, { source: "a.txt", destination: "new/" });
    expect(failure).toMatchObject({ code: "invalid_input" });
    expect(failure?.message).toContain("cannot end like a directory");
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: new/\n@@\n-one\n+1\n*** End Patch";
    expect((await host.call("apply_patch", { patch })).failure?.code).toBe("invalid_input");
    expect(readTree(host.root)).toEqual(before);
  });
});

test("a directory may be named with a slash, and so may a link to one", async () => {
  await using host = open();
  for (const [tool, args] of [
    ["create_directory", { path: "new/" }],
    ["copy", { source: "sub/", destination: "copied/", recursive: true }],
    ["move", { source: "copied/", destination: "moved/" }],
    ["delete", { path: "moved/", recursive: true }],
    ["write_file", { path: "to-sub/d.txt", content: "x\n" }],
    ["delete", { path: "to-sub/" }],
  ] as const)
    expect([tool, (await host.call(tool, args)).failure]).toEqual([tool, undefined]);
  expect(host.read("sub/d.txt")).toBe("x\n");
});

test.each(["out/", "out/.", "out//"])("%s is refused for leading out, by whatever acts on links too", async (path) => {
  await using host = open();
  mkdirSync(host.outside, { recursive: true });
  symlinkSync(host.outside, join(host.root, "out"));
  for (const [tool, args] of [
    ["list_directory", { path }],
    ["stat", { path }],
    ["copy", { source: path, destination: "new", recursive: true }],
    ["move", { source: path, destination: "new" }],
    ["move", { source: "sub", destination: path }],
    ["delete", { path }],
  ] as const)
    expect([tool, (await host.call(tool, args)).failure?.code]).toEqual([tool, "outside_scope"]);
});
