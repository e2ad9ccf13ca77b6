/**
 * What this host itself has made of a file is no change by somebody else: whichever way it came to its content, the next
 * change of it goes through, and a file is known under its new name as well as it was under its old one.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Members, openTestHost, type TestHost } from "../host/in-memory-host.ts";

const FILES = { "x.txt": "x\n", "y.txt": "y\n", "z.txt": "z\n", "d/x.txt": "x\n", "e/x.txt": "e\n" };

type Step = readonly [tool: string, args: Members];

const over = (tool: string, source: string, destination: string): Step => [
  tool,
  { source, destination, overwrite: true },
];
const together = (...operations: readonly Members[]): Step => ["change_files", { operations }];
const RENAME =
  "diff --git a/x.txt b/x.txt\ndeleted file mode 100644\n--- a/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" +
  "diff --git a/y.txt b/x.txt\nsimilarity index 100%\nrename from y.txt\nrename to x.txt\n";

/** Every way of a host to another content of a file that it has shown, and the file. */
const WAYS: readonly [how: string, path: string, ...steps: Step[]][] = [
  ["a move over it", "x.txt", over("move", "y.txt", "x.txt")],
  ["a copy over it", "x.txt", over("copy", "y.txt", "x.txt")],
  ["a second move over it", "x.txt", over("move", "y.txt", "x.txt"), over("move", "z.txt", "x.txt")],
  ["a copy over it and a move", "x.txt", over("copy", "y.txt", "x.txt"), over("move", "z.txt", "x.txt")],
  ["a move over it among operations", "x.txt", together({ op: "move", ...over("move", "y.txt", "x.txt")[1] })],
  [
    "a delete and a move in one change",
    "x.txt",
    together({ op: "delete", path: "x.txt" }, { op: "move", source: "y.txt", destination: "x.txt" }),
  ],
  [
    "a delete and a move in two",
    "x.txt",
    ["delete", { path: "x.txt" }],
    ["move", { source: "y.txt", destination: "x.txt" }],
  ],
  [
    "a move away and a copy",
    "x.txt",
    ["move", { source: "x.txt", destination: "w.txt" }],
    ["copy", { source: "z.txt", destination: "x.txt" }],
  ],
  ["a rename in a patch", "x.txt", ["apply_patch", { patch: RENAME, overwrite: true }]],
  [
    "a directory that is moved over where it lay",
    "d/x.txt",
    ["delete", { path: "d", recursive: true }],
    ["move", { source: "e", destination: "d" }],
  ],
  [
    "a directory that is copied over where it lay",
    "d/x.txt",
    ["move", { source: "d", destination: "f" }],
    ["copy", { source: "e", destination: "d", recursive: true }],
  ],
  ["a write", "x.txt", ["write_file", { path: "x.txt", content: "other\n" }]],
  ["an append", "x.txt", ["append_file", { path: "x.txt", content: "other\n" }]],
];

async function made(host: TestHost, steps: readonly Step[]): Promise<void> {
  for (const [tool, args] of steps) expect((await host.call(tool, args)).failure).toBeUndefined();
}

describe("what this host itself has changed", () => {
  test.each(WAYS)("a file that was read can be written after %s", async (_how, path, ...steps) => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "if_known" } });
    await host.call("read_file", { path });
    await made(host, [...steps, ["write_file", { path, content: "new\n" }]]);
    expect(host.read(path)).toBe("new\n");
  });

  test.each(WAYS)("a file that was read can be written after %s that was taken back", async (_how, path, ...steps) => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "if_known" } });
    await host.call("read_file", { path });
    await made(host, steps);
    for (const _ of steps) await host.request("ringfence/history/undo", {});
    await made(host, [["write_file", { path, content: "new\n" }]]);
  });

  test.each(WAYS)(
    "a file that was read can be written after %s that a person approved",
    async (_how, path, ...steps) => {
      await using host = openTestHost({ files: FILES, config: { baseline: "if_known" } });
      await host.call("read_file", { path });
      for (const [tool, args] of steps) await host.apply(await host.call(tool, args));
      await host.apply(await host.call("write_file", { path, content: "new\n" }));
      expect(host.read(path)).toBe("new\n");
    },
  );

  test.each([
    ["moved", "w.txt", over("move", "x.txt", "w.txt")],
    ["moved over another one", "y.txt", over("move", "x.txt", "y.txt")],
    ["copied over another one", "y.txt", over("copy", "x.txt", "y.txt")],
    ["moved with its directory", "f/x.txt", ["move", { source: "d", destination: "f" }]],
    ["copied with its directory", "f/x.txt", ["copy", { source: "d", destination: "f", recursive: true }]],
  ] as [string, string, Step][])("a file that was read is known where it was %s", async (_how, path, step) => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "required" } });
    await host.call("read_files", { files: ["x.txt", "y.txt", "d/x.txt"] });
    await made(host, [step, ["edit_file", { path, old_text: "x", new_text: "1" }]]);
    expect(host.read(path)).toBe("1\n");
  });

  test("a file has to be read again once something unread was copied over it, or somebody else has changed it", async () => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "required" } });
    await host.call("read_file", { path: "x.txt" });
    await made(host, [over("copy", "y.txt", "x.txt")]);
    const write: Step = ["write_file", { path: "x.txt", content: "new\n" }];
    expect((await host.call(...write)).failure).toMatchObject({ code: "stale", details: { reason: "not_read" } });
    await host.call("read_files", { files: ["x.txt", "y.txt"] });
    await made(host, [over("copy", "y.txt", "x.txt")]);
    writeFileSync(join(host.root, "x.txt"), "theirs\n");
    expect((await host.call(...write)).failure).toMatchObject({ code: "stale", details: { reason: "changed" } });
  });

  test("what somebody else has put into a file that one change moves onto another and writes is not lost", async () => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", baseline: "if_known" } });
    await host.call("read_files", { files: ["x.txt", "y.txt"] });
    writeFileSync(join(host.root, "x.txt"), "theirs\n");
    const operations = [
      { op: "move", source: "x.txt", destination: "y.txt", overwrite: true },
      { op: "write", path: "y.txt", content: "new\n" },
    ];
    const { failure } = await host.call("change_files", { operations });
    expect(failure).toMatchObject({ code: "stale", details: { reason: "changed" } });
    expect([host.read("x.txt"), host.read("y.txt")]).toEqual(["theirs\n", "y\n"]);
  });
});
