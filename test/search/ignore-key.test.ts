/**
 * The key `ignore` of the configuration: patterns of an ignore file that searches and lists obey besides those files, in every
 * worker, and that a file in a root may add to. They hide nothing: what they leave out is counted, and can be read.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readResult } from "../../src/calls/call-result.ts";
import { loadConfig } from "../../src/config/index.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

const files = {
  "a.ts": "needle\n",
  "a.log": "needle\n",
  "generated/b.ts": "needle\n",
  "sub/generated/c.ts": "needle\n",
  "sub/keep.log": "needle\n",
  ".ignore": "!*.log\n!generated\n",
};

const open = (ignore: readonly string[]): TestHost => openTestHost({ files, config: { ignore } });

const pathsOf = async (host: TestHost, args: object = {}): Promise<string[]> =>
  (await host.call("grep", { pattern: "needle", output: "files", ...args })).text.split("\n").sort();

test("searches leave out what the key ignore names, whatever an ignore file takes back", async () => {
  await using host = open(["*.log", "/generated/"]);
  expect(await pathsOf(host)).toEqual(["a.ts", "sub/generated/c.ts"]);
  expect((await host.call("glob", { pattern: "**/*.{ts,log}" })).text.split("\n").sort()).toEqual([
    "a.ts",
    "sub/generated/c.ts",
  ]);
  const listed = await host.call("list_directory", { recursive: true });
  expect(listed.text).not.toMatch(/\.log|^generated/m);
  expect(listed.all).toContain("configuration: 3");
  expect((await host.call("tree", {})).text).not.toContain(".log");
});

test("what the key ignore names is found with no_ignore, by an include and by its own path", async () => {
  await using host = open(["*.log", "generated"]);
  expect(await pathsOf(host, { no_ignore: true })).toHaveLength(5);
  expect(await pathsOf(host, { include: ["a.log"] })).toEqual(["a.log"]);
  expect(await pathsOf(host, { path: "generated" })).toEqual(["generated/b.ts"]);
  expect((await host.call("read_file", { path: "a.log" })).text).toBe("needle\n");
});

test("a search in parts obeys the key ignore in every worker", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 3000 }, (_, at) => [`d${at % 30}/f${at}.${at % 3 === 0 ? "log" : "ts"}`, "needle\n"]),
  );
  await using host = openTestHost({ files: many, config: { ignore: ["*.log"], results: "structured" } });
  for (const call of [
    await host.call("grep", { pattern: "needle", output: "files", limit: 5000 }),
    await host.call("glob", { pattern: "**/*", limit: 5000 }),
  ])
    expect(readResult(call.result).observation?.matched).toBe(2000);
});

test("the key ignore is appended by every layer, and by the file of a root", async () => {
  await using host = openTestHost({ files });
  writeFileSync(join(host.root, ".ringfence.json"), '{"ignore": ["generated"]}');
  const path = join(host.outside, "ringfence.json");
  writeFileSync(path, '{"ignore": ["*.log"]}');
  const { config, origins } = await loadConfig({ roots: [host.root], config: path, ignore: ["*.tmp"] });
  expect(config.ignore).toEqual(["*.log", "*.tmp", "generated"]);
  expect(origins.get("ignore")).toHaveLength(3);
});

test.each(["!keep", "", "# all", "a\nb"])("the pattern %j of the key ignore is refused", async (glob) => {
  await expect(loadConfig({ roots: ["."], ignore: [glob] })).rejects.toThrow("would ignore nothing");
});

test("gitignore: everywhere lets .gitignore hold outside of repositories, in every tool that walks", async () => {
  const plain = { "a.ts": "needle\n", "b.log": "needle\n", "sub/c.tmp": "needle\n", "sub/d.ts": "needle\n" };
  const ruled = { ...plain, ".gitignore": "*.log\n", "sub/.gitignore": "c.tmp\n" };
  await using usual = openTestHost({ files: ruled });
  expect(await pathsOf(usual)).toEqual(["a.ts", "b.log", "sub/c.tmp", "sub/d.ts"]);
  await using host = openTestHost({ files: ruled, config: { gitignore: "everywhere" } });
  expect(await pathsOf(host)).toEqual(["a.ts", "sub/d.ts"]);
  expect(await pathsOf(host, { no_ignore: true })).toHaveLength(4);
  expect((await host.call("glob", { pattern: "**/*" })).text.split("\n").sort()).toEqual(["a.ts", "sub/d.ts"]);
  expect((await host.call("tree", {})).text).not.toMatch(/b\.log|c\.tmp/);
});

test("max_file_bytes keeps larger files from being read, searched, compared and edited, and counts them", async () => {
  const sizes = { "small.txt": "needle\n", "large.txt": `needle\n${"x".repeat(2000)}\n` };
  await using host = openTestHost({ files: sizes, config: { maxFileBytes: "1k", baseline: "if_known" } });
  const found = await host.call("grep", { pattern: "needle", output: "files" });
  expect(found.text).toBe("small.txt");
  expect(found.all).toContain("1 too large");
  const edit = { path: "large.txt", edits: [{ old_text: "needle", new_text: "pin" }] };
  for (const [tool, args] of [
    ["read_file", { path: "large.txt" }],
    ["diff_files", { a: "small.txt", b: "large.txt" }],
    ["edit_file", edit],
  ] as const)
    expect((await host.call(tool, args)).failure?.code, tool).toBe("too_large");
  const read = (await host.call("read_file", { path: "large.txt" })).failure;
  expect(read?.message).toContain("this host reads files of 1024 bytes at most (max_file_bytes)");
  expect((await host.call("replace", { pattern: "needle", replacement: "pin" })).all).not.toContain("large.txt:");
  expect((await host.call("hash_file", { path: "large.txt" })).failure).toBeUndefined();
});
