/**
 * `ringfence/history/*`: what was changed, what of it can be taken back now, and what taking it back does. A dry run says
 * the same as the undo.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { labelOf, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const config = { mode: "bypass", durability: "fast" };

async function undo(host: TestHost, params: object = {}): Promise<Json> {
  const { result, error } = await host.request("ringfence/history/undo", params);
  return result ?? error.data;
}

async function history(host: TestHost, params: object = {}): Promise<Json[]> {
  return (await host.request("ringfence/history/list", params)).result.transactions;
}

describe("a dry run", () => {
  test("shows the diff, and changes nothing", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
    const { canUndo, diff } = await undo(host, { dry_run: true });
    expect(canUndo).toBe(true);
    expect(diff).toContain("-two\n+one");
    expect(host.read("a.txt")).toBe("two\n");
  });

  test("shows one diff for a file that was changed twice, and none for a move", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n", "b.txt": "b\n" }, config });
    await host.call("change_files", {
      operations: [
        { op: "edit_file", path: "a.txt", old_text: "one", new_text: "two" },
        { op: "edit_file", path: "a.txt", old_text: "two", new_text: "three" },
        { op: "move", source: "b.txt", destination: "c.txt" },
      ],
    });
    const { diff } = await undo(host, { dry_run: true });
    expect(diff.match(/^@@/gm)).toHaveLength(1);
    expect(diff).toContain("-three\n+one");
  });

  test("a dry run says of a made directory that something has come into it, as the undo does", async () => {
    await using host = openTestHost({ config });
    await host.call("create_directory", { path: "d" });
    writeFileSync(join(host.root, "d", "theirs"), "");
    const dry = await undo(host, { dry_run: true });
    expect(dry).toMatchObject({ canUndo: false, error: expect.stringContaining('"theirs" has come into') });
    const { code, message } = await undo(host);
    expect([code, message]).toEqual(["conflict", dry.error]);
    rmSync(join(host.root, "d", "theirs"));
    expect((await undo(host, { dry_run: true })).canUndo).toBe(true);
    expect((await undo(host)).canUndo).toBe(true);
    expect(readdirSync(host.root)).toEqual([]);
  });

  test("a dry run tells of a directory and what the same change put into it", async () => {
    await using host = openTestHost({ config });
    await host.call("change_files", {
      operations: [
        { op: "create_directory", path: "d" },
        { op: "write_file", path: "d/a", content: "a" },
        { op: "create_directory", path: "d/e" },
      ],
    });
    expect((await undo(host, { dry_run: true })).canUndo).toBe(true);
    mkdirSync(join(host.root, "d", "e", "theirs"));
    expect((await undo(host, { dry_run: true })).canUndo).toBe(false);
  });
});

describe("an undo without an id", () => {
  test("takes the newest that can be undone, and says what it passed over", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
    await host.call("create_directory", { path: "d" });
    writeFileSync(join(host.root, "d", "theirs"), "");
    const [newest, oldest] = await history(host);
    const skipped = [
      {
        transaction: newest.transaction,
        summary: newest.summary,
        error: expect.stringContaining("theirs"),
      },
    ];
    expect(await undo(host, { dry_run: true })).toMatchObject({ transaction: oldest.transaction, skipped });
    expect(await undo(host)).toMatchObject({ transaction: oldest.transaction, skipped });
    expect(host.read("a.txt")).toBe("one\n");
    expect(await undo(host)).toMatchObject({ code: "conflict", message: expect.stringContaining("theirs") });
  });

  test("an undo without an id fails with the difference when nothing can be undone", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
    writeFileSync(join(host.root, "a.txt"), "two\nmine\n");
    const failure = await undo(host);
    expect(failure.code).toBe("stale");
    expect(failure.details.diff).toContain("-mine");
    expect(await undo(host, { dry_run: true })).toMatchObject({ canUndo: false, diff: failure.details.diff });
  });
});

test("an undo says what it does, and the undo of it the reverse", async () => {
  await using host = openTestHost({ files: { "a.txt": "a\n", "m.txt": "m\n", "x.txt": "x\n" }, config });
  await host.call("change_files", {
    operations: [
      { op: "write_file", path: "new.txt", content: "n" },
      { op: "delete", path: "a.txt" },
      { op: "move", source: "m.txt", destination: "n.txt" },
      { op: "edit_file", path: "x.txt", old_text: "x", new_text: "y" },
    ],
  });
  const path = (name: string): string => join(host.root, name);
  const undone = await undo(host);
  expect(undone.files).toEqual([
    { operation: "edit", path: path("x.txt") },
    { operation: "move", path: "m.txt", source: "n.txt" },
    { operation: "create", path: path("a.txt") },
    { operation: "delete", path: path("new.txt") },
  ]);
  const again = await undo(host, { transaction: undone.undo });
  expect(again.files).toEqual([
    { operation: "create", path: path("new.txt") },
    { operation: "delete", path: path("a.txt") },
    { operation: "move", path: "n.txt", source: "m.txt" },
    { operation: "edit", path: path("x.txt") },
  ]);
  expect(readdirSync(host.root).sort()).toEqual(["n.txt", "new.txt", "x.txt"]);
});

describe("with read_only", () => {
  test("a host that only reads undoes and redoes nothing that an earlier host has changed, and says what an undo would do", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
    await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
    await using reading = openTestHost({ top: host.top, config: { ...config, readOnly: true } });
    const [{ transaction }] = await history(reading);
    for (const params of [{}, { transaction }]) {
      expect(await undo(reading, params)).toMatchObject({
        code: "denied",
        message: "Cannot undo a change: this host only reads (read_only)",
      });
      expect(host.read("a.txt")).toBe("two\n");
    }
    expect(await undo(reading, { dry_run: true })).toMatchObject({ transaction, canUndo: true });
    const undone = await undo(host);
    expect(await undo(reading, { transaction: undone.undo })).toMatchObject({ code: "denied" });
    expect(host.read("a.txt")).toBe("one\n");
  });

  test("a host that only reads applies and approves no proposal of another host, and can show and reject it", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" } });
    const edit = { path: "a.txt", old_text: "one", new_text: "two" };
    const made = await host.call("edit_file", edit);
    await using reading = openTestHost({ top: host.top, config: { readOnly: true } });
    const id = labelOf(made);
    for (const [method, params] of [
      ["ringfence/proposals/apply", { id }],
      ["ringfence/proposals/apply", { ids: [id] }],
      ["ringfence/proposals/approve", { id }],
    ] as const) {
      const { error } = await reading.request(method, params);
      expect(error.data).toMatchObject({ code: "denied", message: expect.stringContaining("this host only reads") });
    }
    expect(host.read("a.txt")).toBe("one\n");
    expect((await reading.request("ringfence/proposals/get", { id })).result.operations).toHaveLength(1);
    expect((await reading.request("ringfence/proposals/reject", { id })).result.status).toBe("rejected");
  });
});

test("the list says on request what cannot be undone, and why", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" }, config });
  await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
  await host.call("create_directory", { path: "d" });
  writeFileSync(join(host.root, "d", "theirs"), "");
  const [newest, oldest] = await history(host, { check: true });
  expect(newest.cannot_undo).toContain("theirs");
  expect(oldest.cannot_undo).toBeUndefined();
  for (const view of await history(host)) expect(view.cannot_undo).toBeUndefined();
});

function ask(id: number, method: string, params: object = {}): object {
  return { jsonrpc: "2.0", id, method, params };
}

test("a list comes after the changes that were asked for before it", async () => {
  await using host = openTestHost({ files: { "a.txt": "a\n" } });
  host.burst([
    ask(1, "tools/call", { name: "append_file", arguments: { path: "a.txt", content: "b\n" } }),
    ask(2, "ringfence/proposals/apply", { request: 1 }),
    ask(3, "ringfence/history/list"),
    ask(4, "ringfence/proposals/list"),
  ]);
  const listed = await host.answerTo(3);
  expect(listed.result.transactions).toHaveLength(1);
  expect((await host.answerTo(4)).result.proposals).toEqual([]);
});
