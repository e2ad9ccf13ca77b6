/**
 * What the caller has seen: a change is held to it, an overwrite needs it, and what is different since is shown. An mtime
 * that moved is no change; a part that was read is enough for an edit and not for an overwrite.
 */
import { describe, expect, test } from "bun:test";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "../host/in-memory-host.ts";

const edit = { path: "a.txt", old_text: "one", new_text: "1" };

describe("a change of what is not as it was read any more", () => {
  const lines = Array.from({ length: 12_000 }, (_, at) => `line ${at} ${"x".repeat(20)}\n`);

  test.each([
    ["in one page", 500, [{}]],
    ["whole, by a number of lines", 12_000, [{ limit: 20_000 }]],
    ["page by page", 3000, [{}, { offset: 1001 }, { offset: 2001 }]],
    [
      "page by page, some of them twice",
      3000,
      [{}, { offset: 2 }, { offset: 1001 }, {}, { offset: 1001 }, { offset: 2001 }],
    ],
  ] as const)(
    "a failure shows what is different, and that alone, of a file that was read %s",
    async (_how, count, reads) => {
      const own = lines.slice(0, count);
      await using host = openTestHost({ files: { "a.txt": own.join("") }, config: { mode: "bypass" } });
      for (const read of reads)
        await host.call("read_file", {
          path: "a.txt",
          ...(reads.length > 1 ? { limit: 1000 } : {}),
          ...read,
        });
      writeFileSync(join(host.root, "a.txt"), own.with(count - 1, "the last one\n").join(""));
      const edit7 = { path: "a.txt", old_text: "line 7 x", new_text: "7 x" };
      const { failure } = await host.call("edit_file", edit7);
      expect(failure?.code).toBe("stale");
      const diff = String(failure?.details?.["diff"]).split("\n");
      const changes = diff.filter((line) => /^[-+](?![-+])/.test(line));
      expect(changes).toEqual([`-${own.at(-1)?.trimEnd()}`, "+the last one"]);
    },
  );

  test("shows nothing of it where a part of it was never read", async () => {
    await using host = openTestHost({ files: { "a.txt": lines.join("") }, config: { mode: "bypass" } });
    for (const offset of [1, 2001]) await host.call("read_file", { path: "a.txt", offset, limit: 1000 });
    writeFileSync(join(host.root, "a.txt"), lines.with(1500, "another\n").join(""));
    const { failure } = await host.call("edit_file", {
      path: "a.txt",
      old_text: "line 7 x",
      new_text: "7 x",
    });
    expect([failure?.code, failure?.details?.["diff"]]).toEqual(["stale", undefined]);
  });
});

describe("required", () => {
  const config = { baseline: "required", mode: "bypass" };

  test.each([
    ["write_file", { path: "a.txt", content: "new\n" }],
    ["edit_file", edit],
    ["apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n" }],
    ["change_files", { operations: [{ op: "edit_file", ...edit }] }],
  ] as const)("%s of a file that was not read says how to go on, and works after it was", async (tool, args) => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    const { failure } = await host.call(tool, args);
    expect(failure).toMatchObject({ code: "stale", details: { reason: "not_read" } });
    expect(failure?.hint).toContain("read_file");
    await host.call("grep", { pattern: "one" });
    expect((await host.call(tool, args)).failure?.code).toBe("stale");
    await host.call("read_file", { path: "a.txt" });
    expect((await host.call(tool, args)).failure).toBeUndefined();
  });

  test("a process that has shown nothing yet may be one for a single call, and names the flag for that", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n", "b.txt": "two\n" }, config });
    const flag = "--baseline=if_known";
    expect((await host.call("edit_file", edit)).failure?.hint).toContain(flag);
    expect((await host.call("write_file", { path: "a.txt", content: "x\n" })).failure?.hint).toContain(flag);
    await host.call("read_file", { path: "b.txt" });
    const { failure } = await host.call("edit_file", edit);
    expect(failure).toMatchObject({ code: "stale", details: { reason: "not_read" } });
    expect(failure?.hint).not.toContain(flag);
  });

  test("a move over a file, and an edit behind a move, are no way around it", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n", "b.txt": "two\n" }, config });
    const over = await host.call("move", { source: "a.txt", destination: "b.txt", overwrite: true });
    expect(over.failure?.code).toBe("stale");
    const operations = [
      { op: "move", source: "a.txt", destination: "c.txt" },
      { op: "edit_file", path: "c.txt", old_text: "one", new_text: "1" },
    ];
    expect((await host.call("change_files", { operations })).failure?.code).toBe("stale");
    expect((await host.call("move", { source: "a.txt", destination: "c.txt" })).failure).toBeUndefined();
  });

  test.each([
    ["in its place", [{ op: "delete", path: "d/a.txt" }]],
    ["with its directory", [{ op: "delete", path: "d", recursive: true }]],
    [
      "before one is moved there",
      [
        { op: "delete", path: "d/a.txt" },
        { op: "move", source: "b.txt", destination: "d/a.txt" },
      ],
    ],
  ] as const)("a file that is deleted %s by the same change has to be read before another one", async (_how, first) => {
    await using host = openTestHost({ files: { "d/a.txt": "one\n", "b.txt": "two\n" }, config });
    await host.call("read_file", { path: "b.txt" });
    const last = first.length > 1 ? [] : [{ op: "write_file", path: "d/a.txt", content: "new\n" }];
    const operations = [...first, ...last];
    expect((await host.call("change_files", { operations })).failure).toMatchObject({
      code: "stale",
      details: { reason: "not_read" },
    });
    expect(host.read("d/a.txt")).toBe("one\n");
    await host.call("read_file", { path: "d/a.txt" });
    expect((await host.call("change_files", { operations })).failure).toBeUndefined();
  });

  test("files that change places have to be read, also where the patch is one of several operations", async () => {
    const patch = [
      "diff --git a/b.txt b/a.txt\nsimilarity index 100%\nrename from b.txt\nrename to a.txt\n",
      "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n",
    ].join("");
    await using host = openTestHost({ files: { "a.txt": "one\n", "b.txt": "two\n" }, config });
    const operations = [{ op: "apply_patch", patch }];
    expect((await host.call("apply_patch", { patch })).failure?.code).toBe("stale");
    expect((await host.call("change_files", { operations })).failure?.code).toBe("stale");
    await host.call("read_files", { files: ["a.txt", "b.txt"] });
    expect((await host.call("apply_patch", { patch })).failure).toBeUndefined();
    expect([host.read("a.txt"), host.read("b.txt")]).toEqual(["two\n", "one\n"]);
    await host.call("read_files", { files: ["a.txt", "b.txt"] });
    expect((await host.call("change_files", { operations })).failure).toBeUndefined();
    expect([host.read("a.txt"), host.read("b.txt")]).toEqual(["one\n", "two\n"]);
  });

  test("if_hash is enough, and a new file, an append and another directory need none", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    const { text } = await host.call("hash_file", { path: "a.txt" });
    expect((await host.call("edit_file", { ...edit, if_hash: text.slice(0, 64) })).failure).toBeUndefined();
    expect((await host.call("write_file", { path: "new.txt", content: "x" })).failure).toBeUndefined();
    expect((await host.call("write_file", { path: "new.txt", content: "y" })).failure).toBeUndefined();
    expect((await host.call("append_file", { path: "a.txt", content: "x" })).failure).toBeUndefined();
  });

  test("a part that was read is enough for an edit, not for an overwrite; both parts are", async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join("");
    await using host = openTestHost({ files: { "a.txt": lines }, config: { ...config, mode: "default" } });
    await host.call("read_file", { path: "a.txt", limit: 10 });
    const change = { path: "a.txt", old_text: "line 3\n", new_text: "x\n" };
    expect((await host.call("edit_file", change)).proposal).toBeDefined();
    expect((await host.call("write_file", { path: "a.txt", content: "x" })).failure?.hint).toContain("all of it");
    await host.call("read_file", { path: "a.txt", offset: 11 });
    expect((await host.call("write_file", { path: "a.txt", content: "x" })).proposal).toBeDefined();
  });
});

describe("a file that changed since it was read", () => {
  test("a file that changed since it was read is stale, and what is different is shown", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\ntwo\n" }, config: { mode: "bypass" } });
    await host.call("read_file", { path: "a.txt" });
    writeFileSync(join(host.root, "a.txt"), "one\nthree\n");
    const { failure } = await host.call("edit_file", edit);
    expect(failure).toMatchObject({
      code: "stale",
      message: expect.stringContaining("changed since you read it"),
    });
    expect(failure?.details?.["diff"]).toContain("-two\n+three");
    expect(failure?.hint).toContain("-two\n+three");
    await host.call("read_file", { path: "a.txt" });
    expect((await host.call("edit_file", edit)).failure).toBeUndefined();
  });

  test.each([
    ["edit_file", { path: "./a.txt", old_text: "two", new_text: "2" }],
    ["apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" }],
    ["change_files", { operations: [{ op: "edit_file", path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] }] }],
  ] as const)(
    "a file that changed since it was read is stale for %s also where the text that it names is gone, and not when that is known",
    async (tool, args) => {
      await using host = openTestHost({ files: { "a.txt": "one\ntwo\n" }, config: { mode: "bypass" } });
      const refusal = async () => (await host.call(tool, args)).failure;
      writeFileSync(join(host.root, "a.txt"), "zero\n");
      expect((await refusal())?.code).toBe("no_match");
      writeFileSync(join(host.root, "a.txt"), "one\ntwo\n");
      await host.call("read_file", { path: "a.txt" });
      writeFileSync(join(host.root, "a.txt"), "one\nthree\n");
      const stale = await refusal();
      expect(stale?.code).toBe("stale");
      expect(stale?.hint).toContain("-two\n+three");
      await host.call("read_file", { path: "a.txt" });
      expect((await refusal())?.code).toBe("no_match");
      await host.call("write_file", { path: "a.txt", content: "own\n" });
      expect((await refusal())?.code).toBe("no_match");
    },
  );

  test("in nothing but its mtime is the same", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { mode: "bypass" } });
    await host.call("read_file", { path: "a.txt" });
    utimesSync(join(host.root, "a.txt"), 1, 1);
    expect((await host.call("edit_file", edit)).failure).toBeUndefined();
    expect((await host.call("edit_file", { ...edit, old_text: "1", new_text: "2" })).failure).toBeUndefined();
  });
});

test.each([
  ["move", { source: "a.txt", destination: "b.txt" }],
  ["copy", { source: "a.txt", destination: "b.txt" }],
  ["delete", { path: "a.txt" }],
] as const)("%s is held to if_hash", async (tool, args) => {
  await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { mode: "bypass" } });
  expect((await host.call(tool, { ...args, if_hash: "0".repeat(64) })).failure?.code).toBe("stale");
  const { text } = await host.call("hash_file", { path: "a.txt" });
  expect((await host.call(tool, { ...args, if_hash: text.slice(0, 64) })).failure).toBeUndefined();
});

test("an overwrite of what was not read is more than an edit", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { mode: "accept_edits" } });
  expect((await host.call("write_file", { path: "a.txt", content: "x" })).proposal?.risk).toBe("R4");
  await host.call("read_file", { path: "a.txt" });
  expect((await host.call("write_file", { path: "a.txt", content: "x" })).text).toStartWith("Applied");
});

test("what was proposed is known when a person has applied it", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\ntwo\n" }, config: { baseline: "required" } });
  await host.call("read_file", { path: "a.txt" });
  await host.apply(await host.call("edit_file", edit));
  const next = await host.call("edit_file", { path: "a.txt", old_text: "two", new_text: "2" });
  expect(next.proposal).toBeDefined();
  await host.apply(await host.call("write_file", { path: "new.txt", content: "x" }));
  expect((await host.call("write_file", { path: "new.txt", content: "y" })).proposal).toBeDefined();
});

test("a re-read can be answered in a word", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" } });
  const again = { path: "a.txt", unless_hash: "known" };
  expect((await host.call("read_file", again)).text).toBe("one\n");
  expect((await host.call("read_file", again)).text).toContain("is unchanged");
  writeFileSync(join(host.root, "a.txt"), "two\n");
  expect((await host.call("read_file", again)).text).toBe("two\n");
});
