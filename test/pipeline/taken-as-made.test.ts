/**
 * A change whose old text is gone and whose new text stands is said to be done only where this host has made it, and the file
 * is still as it left it. Whoever else wrote it may have written more: then the file is stale, and the difference is shown.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { labelOf, openTestHost, type TestHost, type Members } from "../host/in-memory-host.ts";

const BEFORE = "alpha\nthe old line\nomega\n";
const AFTER = "alpha\nthe new line\nomega\n";
const hunk = "@@ -1,3 +1,3 @@\n alpha\n-the old line\n+the new line\n omega\n";
const begin = `*** Begin Patch\n*** Update File: a.txt\n${hunk.replace(/@@.*\n/, "@@\n")}*** End Patch`;
const blocks = "a.txt\n<<<<<<< SEARCH\nthe old line\n=======\nthe new line\n>>>>>>> REPLACE\n";
const texts = { old_text: "the old line", new_text: "the new line" };
const strings = { old_string: "the old line", new_string: "the new line" };

const CALLS: readonly (readonly [tool: string, args: Members, dialect?: string])[] = [
  ["edit_file", { path: "a.txt", ...texts }],
  ["change_files", { operations: [{ op: "edit_file", path: "a.txt", ...texts }] }],
  ["apply_patch", { patch: `--- a/a.txt\n+++ b/a.txt\n${hunk}` }],
  ["apply_patch", { patch: begin }],
  ["apply_patch", { patch: blocks }],
  ["Edit", { file_path: "a.txt", ...strings }, "claude"],
  ["MultiEdit", { file_path: "a.txt", edits: [strings] }, "claude"],
  ["apply_patch", { input: begin }, "codex"],
  ["replace", { file_path: "a.txt", ...strings }, "gemini"],
  ["edit_file", { path: "a.txt", edits: [{ oldText: "the old line", newText: "the new line" }] }, "filesystem"],
];

const READS: Readonly<Record<string, readonly [tool: string, args: Members]>> = {
  claude: ["Read", { file_path: "a.txt", line_numbers: false }],
  codex: ["read_file", { file_path: "a.txt", line_numbers: false }],
  gemini: ["read_file", { file_path: "a.txt", line_numbers: false }],
};

async function read(host: TestHost, dialect = "ringfence"): Promise<void> {
  const [tool, args] = READS[dialect] ?? [
    "read_file",
    { path: "a.txt", ...(dialect === "filesystem" ? {} : { line_numbers: false }) },
  ];
  expect((await host.call(tool, args)).failure).toBeUndefined();
}

function write(host: TestHost, text: string): void {
  writeFileSync(join(host.root, "a.txt"), text);
}

describe.each(CALLS)("%s %j %s", (tool, args, dialect) => {
  function open(config = {}): TestHost {
    const given = { baseline: "required", mode: "bypass", ...(dialect ? { dialect } : {}), ...config };
    return openTestHost({ files: { "a.txt": BEFORE }, config: given });
  }

  test.each([
    ["the same", AFTER],
    ["more than that", `${AFTER}and another line\n`],
  ])("a change is stale with the difference when somebody else wrote %s since it was read", async (_, text) => {
    await using host = open();
    await read(host, dialect);
    write(host, text);
    const { failure } = await host.call(tool, args);
    expect(failure).toMatchObject({ code: "stale", details: { reason: "changed" } });
    expect(failure?.hint).toContain("-the old line\n+the new line\n");
    expect(host.read("a.txt")).toBe(text);
  });

  test("a change is done where this host made it, and not any more when somebody else wrote after it", async () => {
    await using host = open();
    await read(host, dialect);
    expect((await host.call(tool, args)).failure).toBeUndefined();
    expect(host.read("a.txt")).toBe(AFTER);
    const again = await host.call(tool, args);
    expect([again.failure, again.result._meta["dev.ringfence/proposal"]]).toEqual([undefined, undefined]);
    write(host, `${AFTER}and another line\n`);
    expect((await host.call(tool, args)).failure).toMatchObject({ code: "stale" });
  });

  test("a change is done where this host proposed it, and it was applied from elsewhere", async () => {
    await using host = open({ mode: "default" });
    await using terminal = openTestHost({ top: host.top });
    await read(host, dialect);
    const made = await host.call(tool, args);
    await terminal.apply(made, { id: labelOf(made) });
    expect(host.read("a.txt")).toBe(AFTER);
    const again = await host.call(tool, args);
    expect([again.failure, again.proposal]).toEqual([undefined, undefined]);
  });

  test("a change has no match where it was read as it is now, and this host did not make it", async () => {
    await using host = open();
    write(host, AFTER);
    await read(host, dialect);
    const { failure } = await host.call(tool, args);
    expect(failure?.code).toBe("no_match");
    expect(failure?.hint).toContain("another program");
  });

  test("a file has to be read first where nothing is known of it", async () => {
    await using host = open();
    write(host, AFTER);
    expect((await host.call(tool, args)).failure).toMatchObject({
      code: "stale",
      details: { reason: "not_read" },
    });
  });
});

test("a host that nobody read the file through still knows what it wrote itself", async () => {
  const config = { mode: "bypass", baseline: "if_known" };
  await using host = openTestHost({ files: { "a.txt": BEFORE }, config });
  const edit = { path: "a.txt", ...texts };
  expect((await host.call("edit_file", edit)).all).toStartWith("Applied: ");
  expect((await host.call("edit_file", edit)).all).toStartWith("Nothing to change.");
  writeFileSync(join(host.root, "a.txt"), `${AFTER}and another line\n`);
  expect((await host.call("edit_file", edit)).failure?.code).toBe("stale");
});
