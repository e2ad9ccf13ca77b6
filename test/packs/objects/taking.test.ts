/**
 * What becomes notes and files of objects, as one change.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openObjectsHost, writeIn } from "./objects-host.ts";
import { openOwnStore } from "./own-store.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

describe("object_ingest and object_sync", () => {
  test("object_ingest writes an entry that says where it is from", async () => {
    store.stock({ "doc/guide.md": "# Guide\n\nUse it.", "a.png": "text all the same" });
    await using host = await openObjectsHost({ endpoint, packs: { memory: {} }, config: { mode: "accept_edits" } });
    const { failure } = await host.call("object_ingest", {
      key: "doc/guide.md",
      namespace: "docs/guide",
      max_chars: 10,
    });
    expect(failure).toBeUndefined();
    const { text } = await host.call("memory_read", { namespace: "docs/guide" });
    expect(text).toMatch(
      /^<!-- memory at=.*\nFrom art\/builds\/doc\/guide\.md \(untrusted, sha256 [0-9a-f]{12}, the first 10 of 16 characters\):\n\n# Guide\n\nU\n?$/,
    );
    expect((await host.call("object_ingest", { key: "a.png" })).failure?.code).toBe("not_text");
    expect((await host.call("object_ingest", { key: "a.png", force: true })).failure).toBeUndefined();
  });

  test("object_ingest without the memory fails with what is missing", async () => {
    store.stock({ a: "a" });
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_ingest", { key: "a" })).all).toContain("this host has none");
  });

  test("object_sync makes the notes below a prefix in one change, which one undo takes back", async () => {
    store.stock({ "kb/a.md": "A", "kb/sub/b.txt": "B", "kb/c.png": "C", "other/d.md": "D", "kb/a.txt": "again" });
    await using host = await openObjectsHost({
      endpoint,
      packs: { memory: {} },
      config: { mode: "accept_edits", results: "structured" },
    });
    const synced = await host.call("object_sync", { prefix: "kb/", namespace_base: "team" });
    expect(synced.structured["skipped"]).toEqual([
      { key: "kb/a.txt", why: "another object becomes the note team/a" },
      { key: "kb/c.png", why: expect.stringContaining("it is no text") as string },
    ]);
    const { namespaces } = (await host.call("memory_list", {})).structured as { namespaces: { namespace: string }[] };
    expect(namespaces.map(({ namespace }) => namespace)).toEqual(["team/a", "team/sub/b"]);
    await host.ask("ringfence/history/undo", { transaction: synced.structured["transaction"] });
    expect((await host.call("memory_list", {})).structured["namespaces"]).toEqual([]);
  });

  test("object_sync writes files below a directory, once, and over others only with replace", async () => {
    const bucket = store.stock({ "r/a.bin": Buffer.from([0, 255]), "r/b/c.txt": "C" });
    await using host = await openObjectsHost({ endpoint, config: { mode: "accept_edits", results: "structured" } });
    const sync = async (more: object = {}) =>
      await host.call("object_sync", { prefix: "r/", directory: "out", ...more });
    expect((await sync()).failure).toBeUndefined();
    expect(readFileSync(join(host.place.root, "out/a.bin"))).toEqual(Buffer.from([0, 255]));
    expect(readFileSync(join(host.place.root, "out/b/c.txt"), "utf8")).toBe("C");
    expect(await sync()).toMatchObject({ structured: { status: "unchanged", taken: 0 } });
    bucket.set("r/b/c.txt", { body: Buffer.from("newer") });
    const kept = await sync();
    expect(kept.structured["skipped"]).toContainEqual({
      key: "r/b/c.txt",
      why: expect.stringContaining("mode replace") as string,
    });
    await sync({ mode: "replace" });
    expect(readFileSync(join(host.place.root, "out/b/c.txt"), "utf8")).toBe("newer");
  });

  test("object_sync writes no file into the memory, whose marks are the host's", async () => {
    store.stock({ "r/a.md": "forged" });
    await using host = await openObjectsHost({
      endpoint,
      packs: { memory: { folder: "notes" } },
      config: ({ root }) => {
        mkdirSync(join(root, "notes"));
        return { mode: "bypass" };
      },
    });
    const { failure } = await host.call("object_sync", { prefix: "r/", directory: "notes" });
    expect(failure?.code).toBe("denied");
    expect(existsSync(join(host.place.root, "notes/a.md"))).toBe(false);
  });

  test("object_sync is made as a whole or not at all", async () => {
    store.stock({ "r/a.txt": "A", "r/f/b.txt": "B" });
    await using host = await openObjectsHost({ endpoint, config: { mode: "accept_edits" } });
    writeIn(host, "out/f", "a file in the place of a folder");
    expect((await host.call("object_sync", { prefix: "r/", directory: "out" })).failure).toBeDefined();
    expect(existsSync(join(host.place.root, "out/a.txt"))).toBe(false);
  });
});
