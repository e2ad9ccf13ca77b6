/**
 * How much text an answer has in a dialect: as much as in our own names where the call names no limit. The reference server
 * has no limit, so its stand-in gives as much as one answer can hold.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost } from "../host/in-memory-host.ts";

const KB = 1024;
const USUAL: number = 32 * KB;
const NOTES: number = 3 * KB;
const text = `${"x".repeat(99)}\n`.repeat(3000);
const names = Array.from({ length: 900 }, (_, at) => `${"n".repeat(60)}-${at}.txt`);
const FILES = {
  "long.txt": text,
  "two.txt": text,
  "bytes.bin": "\u0000".repeat(100 * KB),
  ...Object.fromEntries(names.map((name) => [`many/${name}`, "x\n"])),
};

describe("without a limit an answer has 32 KB", () => {
  test.each([
    ["claude", "Read", { file_path: "long.txt" }],
    ["claude", "LS", { path: "many" }],
    ["claude", "Glob", { pattern: "many/*" }],
    ["claude", "Grep", { pattern: "x", path: "many" }],
    ["codex", "read_file", { file_path: "long.txt" }],
    ["codex", "list_dir", { dir_path: "many" }],
    ["codex", "grep_files", { pattern: "x", path: "many" }],
    ["gemini", "read_file", { file_path: "long.txt" }],
    ["gemini", "read_many_files", { include: ["long.txt", "two.txt"] }],
    ["gemini", "list_directory", { dir_path: "many" }],
    ["gemini", "glob", { pattern: "many/*" }],
    ["flynn", "file.read", { path: "long.txt" }],
    ["flynn-plain", "file_list", { path: "many" }],
    ["construct", "read", { path: "long.txt" }],
    ["construct", "listdir", { path: "many" }],
  ])("an answer without a limit has 32 KB in %s: %s %j", async (dialect, name, args) => {
    await using host = openTestHost({ files: FILES, config: { dialect } });
    const { all, result } = await host.call(name, args);
    expect(Buffer.byteLength(all)).toBeGreaterThan(USUAL / 2);
    expect(Buffer.byteLength(all)).toBeLessThanOrEqual(USUAL + NOTES);
    expect(result.content[0].text).toContain("To go on: ");
  });
});

describe("a read without a limit has at most 32 KB together with its note", () => {
  const path = "p".repeat(100);
  const READS = [
    ["ringfence", "read_file", { path }],
    ["claude", "Read", { file_path: path }],
    ["construct", "read", { path }],
    ["flynn", "file.read", { path }],
    ["codex", "read_file", { file_path: path }],
  ] as const;
  const CONTENTS = { lines: "x\n".repeat(40_000), long: "é".repeat(40_000), whole: "x".repeat(32_760) };

  test.each(READS)("a read without a limit has at most 32 KB in %s with its note: %s", async (dialect, name, args) => {
    for (const content of Object.values(CONTENTS)) {
      await using host = openTestHost({ files: { [path]: content }, config: { dialect } });
      const { all } = await host.call(name, args);
      expect(Buffer.byteLength(all)).toBeLessThanOrEqual(USUAL);
    }
  });
});

describe("with a limit it has as much as was asked for", () => {
  test.each([
    ["claude", "Read", { file_path: "long.txt", limit: 3000 }],
    ["codex", "read_file", { file_path: "long.txt", limit: 3000 }],
    ["gemini", "read_file", { file_path: "long.txt", start_line: 1, end_line: 3000 }],
    ["flynn", "file.read", { path: "long.txt", limit: 3000 }],
    ["claude", "Grep", { pattern: "x", path: "many", head_limit: 900 }],
  ])("an answer with a limit has as much as was asked for in %s: %s %j", async (dialect, name, args) => {
    await using host = openTestHost({ files: FILES, config: { dialect } });
    const { all } = await host.call(name, args);
    expect(Buffer.byteLength(all)).toBeGreaterThan(USUAL + NOTES);
    expect(all).not.toContain("To go on: ");
  });
});

describe("the dialect of the reference server", () => {
  test.each([
    ["read_text_file", { path: "long.txt" }, text],
    ["read_multiple_files", { paths: ["long.txt", "two.txt"] }, `long.txt:\n${text}\n\n---\ntwo.txt:\n${text}\n`],
    [
      "list_directory",
      { path: "many" },
      names
        .map((name) => `[FILE] ${name}`)
        .sort()
        .join("\n"),
    ],
    ["search_files", { path: "many", pattern: "*.txt" }, undefined],
    ["directory_tree", { path: "many" }, undefined],
  ])("%s %j is whole", async (name, args, whole) => {
    await using host = openTestHost({ files: FILES, config: { dialect: "filesystem" } });
    const { result, all } = await host.call(name, args);
    expect(result.content).toHaveLength(1);
    expect(all.length).toBeGreaterThan(USUAL + NOTES);
    if (whole !== undefined) expect(all.split("\n").sort()).toEqual(whole.split("\n").sort());
  });

  test("the dialect of the reference server gives a file that is not text as bytes, up to 768 KiB", async () => {
    await using host = openTestHost({ files: FILES, config: { dialect: "filesystem" } });
    const { result } = await host.call("read_media_file", { path: "bytes.bin" });
    expect(Buffer.from(result.content[0].resource.blob, "base64")).toHaveLength(100 * KB);
  });
});
