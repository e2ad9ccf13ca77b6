/**
 * A session through every tool, as data: what is called, what its answer must hold, and what must then be on the disk.
 * The order matters, because later steps work on what earlier ones changed.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallResult } from "./serve-process.ts";

export interface SessionStep {
  readonly tool: string;
  readonly given: object;
  /** In the text, or anywhere in the structured result. */
  readonly text: string;
  readonly structured: object;
  /** For changes, after they were applied. */
  readonly disk?: (root: string) => boolean;
}

export function plantWorkspace(root: string): void {
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "b.txt"), "one\nTWO\nthree\n");
  writeFileSync(join(root, "src", "main.ts"), "// TODO: nothing yet\nexport {};\n");
}

export const READ_STEPS: readonly SessionStep[] = [
  {
    tool: "list_directory",
    given: { path: "src", recursive: true },
    text: "main.ts",
    structured: { entries: [{ path: "src/main.ts", type: "file", size: 32 }], truncated: false },
  },
  {
    tool: "read_file",
    given: { path: "a.txt", offset: 2, limit: 1 },
    text: "two\n",
    structured: { text: "two\n", encoding: "utf-8", first_line: 2, lines: 1, total_lines: 3 },
  },
  {
    tool: "read_files",
    given: { files: [{ path: "a.txt" }, { path: "missing.txt" }] },
    text: "not_found",
    structured: { files: [{ path: "a.txt", text: "one\ntwo\nthree\n" }, { path: "missing.txt" }] },
  },
  { tool: "stat", given: { path: "a.txt" }, text: "size: 14", structured: { type: "file", size: 14 } },
  {
    tool: "glob",
    given: { pattern: "**/*.ts" },
    text: "src/main.ts",
    structured: { paths: ["src/main.ts"], truncated: false },
  },
  {
    tool: "grep",
    given: { pattern: "TODO" },
    text: "src/main.ts:1:// TODO: nothing yet",
    structured: { matches: [{ path: "src/main.ts", line: 1, column: 4, text: "// TODO: nothing yet" }] },
  },
  { tool: "disk_usage", given: {}, text: "3 files", structured: { files: 3, directories: 1 } },
  {
    tool: "hash_file",
    given: { path: "a.txt", algorithm: "md5" },
    text: "  a.txt",
    structured: { hashes: [{ path: "a.txt", algorithm: "md5" }] },
  },
  { tool: "tree", given: {}, text: "main.ts", structured: { truncated: false } },
  { tool: "diff_files", given: { a: "a.txt", b: "b.txt" }, text: "+TWO", structured: { identical: false } },
  { tool: "system_info", given: {}, text: "mode: default", structured: { mode: "default" } },
  { tool: "await_review", given: { seconds: 0 }, text: "Nothing waits", structured: { proposals: [] } },
  { tool: "open_path", given: { path: "a.txt" }, text: "desktop", structured: { shown: true } },
  { tool: "reveal_in_os", given: { path: "a.txt" }, text: "desktop", structured: { shown: true } },
];

export const CHANGE_STEPS: readonly SessionStep[] = [
  change("write_file", { path: "new/c.txt", content: "c\n" }, "+c", (root) => read(root, "new/c.txt") === "c\n"),
  change(
    "edit_file",
    { path: "a.txt", old_text: "two", new_text: "2" },
    "+2",
    (root) => read(root, "a.txt") === "one\n2\nthree\n",
  ),
  change("append_file", { path: "a.txt", content: "four\n" }, "+four", (root) =>
    read(root, "a.txt").endsWith("three\nfour\n"),
  ),
  change("create_directory", { path: "x/y" }, "x/y", (root) => statSync(join(root, "x/y")).isDirectory()),
  change(
    "move",
    { source: "b.txt", destination: "x/b.txt" },
    "b.txt",
    (root) => !existsSync(join(root, "b.txt")) && read(root, "x/b.txt").includes("TWO"),
  ),
  change(
    "copy",
    { source: "src", destination: "src2", recursive: true },
    "src2",
    (root) => read(root, "src2/main.ts") === read(root, "src/main.ts"),
  ),
  change("delete", { path: "src", recursive: true }, "src", (root) => !existsSync(join(root, "src"))),
  change(
    "apply_patch",
    { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-2\n+two\n*** End Patch\n" },
    "+two",
    (root) => read(root, "a.txt") === "one\ntwo\nthree\nfour\n",
  ),
  change(
    "change_files",
    {
      operations: [
        { op: "move", source: "src2", destination: "src3" },
        { op: "edit_file", path: "src3/main.ts", old_text: "nothing yet", new_text: "something" },
      ],
    },
    "+// TODO: something",
    (root) => read(root, "src3/main.ts").startsWith("// TODO: something"),
  ),
  change(
    "replace",
    { pattern: "some(\\w+)", replacement: "any$1", path: "src3", expect: 1 },
    "+// TODO: anything",
    (root) => read(root, "src3/main.ts").startsWith("// TODO: anything"),
  ),
];

function change(
  tool: string,
  given: object,
  text: string,
  disk: (root: string) => boolean,
): SessionStep & { disk: (root: string) => boolean } {
  return { tool, given, text, structured: { status: "proposed" }, disk };
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function textOf(result: CallResult): string {
  return (result.content ?? []).map(({ text }) => text ?? "").join("\n");
}
