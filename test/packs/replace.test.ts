/**
 * `replace` by the front door: when it only shows a change, what bounds it, and what rules, baselines and undo make of it. What
 * it makes of texts is in the scenarios and in `replace-property.test.ts`.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "one two one\n", "src/b.txt": "one\n", "src/c.txt": "three\n" };
const ONE = { pattern: "(o)ne", replacement: "${1}NE" };

test("a replacement that would be made at once is only shown until the call says dry_run: false", async () => {
  await using host = openTestHost({ files: FILES, config: { mode: "bypass", results: "structured" } });
  const shown = await host.call("replace", ONE);
  expect(shown.all).toContain("Nothing is written. To make the change, call again with dry_run: false.");
  expect(shown.all).toContain("+oNE two oNE");
  expect(shown.result.structuredContent).toMatchObject({ status: "tried", matches: 3, empty_matches: 0, left: [] });
  expect(host.read("a.txt")).toBe(FILES["a.txt"]);
  const made = await host.call("replace", { ...ONE, dry_run: false, expect: 3 });
  expect(made.result.structuredContent).toMatchObject({ status: "applied", matches: 3 });
  expect([host.read("a.txt"), host.read("src/b.txt")]).toEqual(["oNE two oNE\n", "oNE\n"]);
});

test("a replacement with dry_run: true leaves no proposal", async () => {
  await using host = openTestHost({ files: FILES });
  const answer = await host.call("replace", { ...ONE, dry_run: true });
  expect(answer.all).toContain("Would be made: ");
  expect(answer.proposal).toBeUndefined();
  expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
});

test("a replacement takes files in a directory named ~, and every tool names them so that they can be given back", async () => {
  const files = { "~/x": "one\n", "d/~": "one\n", "~/bytes:y": "one\n" };
  await using host = openTestHost({ files, config: { mode: "bypass" } });
  for (const [name, args] of [
    ["glob", { pattern: "**" }],
    ["grep", { pattern: "one", output: "files" }],
    ["list_directory", { path: "./~" }],
  ] as const)
    expect((await host.call(name, args)).all).toMatch(/^\.\/~\/x\b/m);
  expect((await host.call("list_directory", {})).all).toMatch(/^\.\/~\//m);
  const made = await host.call("replace", { ...ONE, dry_run: false, expect: 3 });
  expect(made.all).not.toContain("unreadable");
  expect(Object.keys(files).map((path) => host.read(path))).toEqual(["oNE\n", "oNE\n", "oNE\n"]);
  expect((await host.call("read_file", { path: "./~/x" })).failure).toBeUndefined();
});

test("a replacement is one proposal and is undone as one", async () => {
  await using host = openTestHost({ files: FILES });
  await host.apply(await host.call("replace", ONE));
  expect(host.read("src/b.txt")).toBe("oNE\n");
  const undone = await host.request("ringfence/history/undo");
  expect(undone.error).toBeUndefined();
  expect([host.read("a.txt"), host.read("src/b.txt")]).toEqual([FILES["a.txt"], FILES["src/b.txt"]]);
});

test("a replacement whose file was changed since it was proposed is stale", async () => {
  await using host = openTestHost({ files: FILES });
  const { request } = await host.call("replace", ONE);
  writeFileSync(join(host.root, "src/b.txt"), "one more\n");
  const { error } = await host.request("ringfence/proposals/apply", { request });
  expect(error.data.code).toBe("stale");
  expect(host.read("a.txt")).toBe(FILES["a.txt"]);
});

test("a rule that denies edit_file holds for every file that a replacement would change", async () => {
  const rules = [{ deny: "edit_file(src/**)" }];
  await using host = openTestHost({ files: FILES, config: { mode: "bypass", rules } });
  const { failure } = await host.call("replace", { ...ONE, dry_run: false });
  expect(failure?.code).toBe("denied");
  expect(host.read("a.txt")).toBe(FILES["a.txt"]);
  const alone = await host.call("replace", { ...ONE, path: "a.txt", dry_run: false });
  expect(alone.text).toStartWith("Applied: ");
});

test("a replacement does not look into what a rule denies to it, and counts it", async () => {
  const rules = [{ deny: "replace(src/**)" }];
  await using host = openTestHost({ files: { ...FILES, ".env": "one\n" }, config: { mode: "bypass", rules } });
  const { all } = await host.call("replace", { ...ONE, hidden: true, dry_run: false });
  expect(all).toContain("2 matches in 1 file.");
  expect(all).toMatch(/Not looked into: \d denied/);
  expect([host.read("src/b.txt"), host.read(".env")]).toEqual(["one\n", "one\n"]);
});

test("a replacement changes a hidden file only with a person's word", async () => {
  await using host = openTestHost({ files: { ".rc": "one\n" }, config: { mode: "accept_edits" } });
  const { proposal } = await host.call("replace", { ...ONE, hidden: true, dry_run: false });
  expect(proposal?.risk).toBe("R4");
  expect(host.read(".rc")).toBe("one\n");
});

test("a replacement wants its files to have been read where that is required", async () => {
  await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "required" } });
  const asked = { ...ONE, path: "src", dry_run: false };
  const { failure } = await host.call("replace", asked);
  expect(failure).toMatchObject({ code: "stale", details: { reason: "not_read" } });
  expect(failure?.hint).toContain("Read it with read_file first.");
  await host.call("read_file", { path: "src/b.txt" });
  expect((await host.call("replace", asked)).text).toStartWith("Applied: ");
});

test("more matches than one replacement may have are refused", async () => {
  const files = { "a.txt": "one\n".repeat(limits.MAX_REPLACEMENTS), "b.txt": "one\n" };
  await using host = openTestHost({ files, config: { mode: "bypass" } });
  const { failure } = await host.call("replace", { ...ONE, dry_run: false });
  expect(failure?.code).toBe("too_large");
  expect(failure?.message).toContain(`there are more than ${limits.MAX_REPLACEMENTS} matches`);
  const rest = await host.call("replace", { ...ONE, path: "a.txt", dry_run: false, expect: limits.MAX_REPLACEMENTS });
  expect(rest.text).toStartWith("Applied: ");
});

test("more files than one replacement may have are refused", async () => {
  const names = Array.from({ length: limits.MAX_REPLACE_FILES + 1 }, (_, index) => [`f${index}.txt`, "one\n"] as const);
  await using host = openTestHost({ files: Object.fromEntries(names), config: { mode: "bypass" } });
  const { failure } = await host.call("replace", { ...ONE, dry_run: false });
  expect(failure?.message).toContain(`more than ${limits.MAX_REPLACE_FILES} files match`);
  expect(failure?.hint).toContain("Narrow it by path or include.");
});

test("a file that is too large for a replacement is left and named", async () => {
  const large = "x".repeat(limits.MAX_REPLACE_FILE_BYTES);
  await using host = openTestHost({
    files: { "a.txt": "one\n", "large.txt": `${large}\none\n` },
    config: { mode: "bypass" },
  });
  const { all } = await host.call("replace", { ...ONE, dry_run: false });
  expect(all).toContain("Left as they are, though they match: large.txt (too large).");
  expect(host.read("a.txt")).toBe("oNE\n");
});

test("many files that are left are counted by what is odd about them", async () => {
  const generated = Array.from({ length: 6 }, (_, index) => [`g${index}.ts`, "// @generated\none\n"] as const);
  await using host = openTestHost({ files: { ...Object.fromEntries(generated), "a.txt": "one\n" } });
  expect((await host.call("replace", ONE)).all).toContain("though they match: 6 files generated.");
  expect((await host.call("replace", { ...ONE, no_ignore: true })).all).toContain("7 matches in 7 files.");
});

test("a replacement in a root for reading only is not there", async () => {
  await using host = openTestHost({ files: FILES, config: { readOnly: true } });
  expect((await host.request("tools/list")).result.tools.map(({ name }: { name: string }) => name)).not.toContain(
    "replace",
  );
});

test("a pattern that the engine refuses is told as grep tells it", async () => {
  await using host = openTestHost({ files: FILES });
  const { failure } = await host.call("replace", { pattern: "(one", replacement: "x" });
  expect(failure?.code).toBe("invalid_input");
  expect(failure?.message).toContain("unclosed group");
});

test("a path for a replacement that is not there is not found", async () => {
  await using host = openTestHost({ files: FILES });
  expect((await host.call("replace", { ...ONE, path: "missing.txt" })).failure?.code).toBe("not_found");
});
