/**
 * Flynn's tools of an object store: their names, their parameters, and what they do.
 */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { importConfig } from "../../../src/config/index.ts";
import { apply, openObjectsHost, proposalOf, writeIn } from "../../packs/objects/objects-host.ts";
import { openOwnStore } from "../../packs/objects/own-store.ts";
import type { WebHost } from "../../packs/web/web-host.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

async function openFlynn(config: object = {}): Promise<WebHost> {
  return await openObjectsHost({ endpoint, config: { dialect: "flynn", mode: "accept_edits", ...config } });
}

async function namesIn(host: WebHost): Promise<readonly string[]> {
  const { tools = [] } = await host.ask("tools/list");
  return tools.map(({ name }) => name).filter((name) => /^(?:minio|object)/.test(name));
}

test("minio.share, minio.ingest and minio.sync are called by the names and parameters that Flynn has", async () => {
  store.stock({ "kb/a.md": "Alpha", "kb/b/c.txt": "Beta", "kb/d.txt": "Delta" });
  await using host = await openFlynn();
  expect(await namesIn(host)).toEqual([
    "minio.share",
    "minio.ingest",
    "minio.sync",
    "object_list",
    "object_read",
    "object_put",
  ]);
  const ingest = { object_key: "kb/a.md", bucket: "builds", namespace: "team/alpha", mode: "replace", max_chars: 3 };
  expect((await host.call("minio.ingest", ingest)).failure).toBeUndefined();
  expect((await host.call("memory.read", { namespace: "team/alpha" })).text).toMatch(/\n\nAlp\n?$/);
  const sync = { prefix: "kb/", namespace_base: "kb", mode: "append", max_objects: 2, max_chars_per_object: 4 };
  expect((await host.call("minio.sync", sync)).all).toContain("there are more than 2 objects");
  expect((await host.call("memory.read", { namespace: "kb/b/c" })).text).toMatch(/\n\nBeta\n?$/);
  writeIn(host, "out/report.txt", "a report");
  const shared = await host.call("minio.share", { path: "out/report.txt" });
  const { url } = (JSON.parse(await apply(host, shared)) as { result: { url: string } }).result;
  expect(await (await fetch(url)).text()).toBe("a report");
});

test("minio.ingest takes what is no text with force alone", async () => {
  store.stock({ "a.bin": Buffer.from([65, 0, 255, 66]) });
  await using host = await openFlynn();
  expect((await host.call("minio.ingest", { object_key: "a.bin" })).failure?.code).toBe("not_text");
  expect((await host.call("minio.ingest", { object_key: "a.bin", force: true })).failure).toBeUndefined();
});

test("minio.share is a proposal in every mode", async () => {
  store.stock({});
  await using host = await openFlynn({ mode: "bypass" });
  writeIn(host, "a.txt", "a");
  expect(proposalOf(await host.call("minio.share", { path: "a.txt" })).id).toStartWith("p_");
  expect(store.asked.some((one) => one.startsWith("PUT "))).toBe(false);
});

test.each([
  ["minimal", []],
  ["messaging", ["minio.ingest", "minio.sync", "object_list", "object_read"]],
  ["coding", ["minio.share", "minio.ingest", "minio.sync", "object_list", "object_read", "object_put"]],
])("the profile %s of Flynn has %j of the object store", async (profile, expected) => {
  await using host = await openFlynn({ profile });
  expect(await namesIn(host)).toEqual(expected);
});

test("group:minio of Flynn is all of the object store", async () => {
  await using host = await openFlynn({ tools: { deny: ["group:minio"] } });
  expect(await namesIn(host)).toEqual([]);
});

test("a configuration of Flynn comes over with its tools of the object store by our names", async () => {
  const text = 'tools: {deny: ["minio.share", "minio.*", "group:minio"]}';
  const { config } = await importConfig("flynn", text, ".yaml");
  expect(config).toMatchObject({ tools: { deny: ["object_share", "group:objects", "group:minio"] } });
});
