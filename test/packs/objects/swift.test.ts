/**
 * The tools of object stores with OpenStack Swift, a store that was written by others and is strict about signatures.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AwsClient } from "aws4fetch";
import { component } from "../../components/component.ts";
import type { WebHost } from "../web/web-host.ts";
import { apply, openObjectsHost, writeIn, type ObjectsOptions } from "./objects-host.ts";
import { startSwift, SWIFT_ACCESS_KEY, SWIFT_SECRET_KEY, type SwiftStore } from "./swift-store.ts";

const swift = component("swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server");

/** Every one of them names one object and no other. */
const KEYS: readonly string[] = [
  "plain.txt",
  "b c+d/\u00fc '(1)*!.txt",
  "100%.txt",
  "a?b#c&d=e;f.txt",
  '~._-@:,$[]{}|^`<>".txt',
  "deep/er/\u4e2d\u6587/\u{1f600}.txt",
  `long/${"k".repeat(500)}`,
];

describe.skipIf(swift.isMissing)(`OpenStack Swift${swift.note}`, () => {
  let store: SwiftStore;
  let client: AwsClient;
  beforeAll(async () => {
    store = await startSwift();
    client = new AwsClient({
      accessKeyId: SWIFT_ACCESS_KEY,
      secretAccessKey: SWIFT_SECRET_KEY,
      service: "s3",
      region: "us-east-1",
    });
    for (const bucket of ["builds", "many"])
      expect((await client.fetch(`${store.endpoint}/${bucket}`, { method: "PUT" })).ok).toBeTrue();
  });
  afterAll(async () => await store[Symbol.asyncDispose]());

  async function openHost(options: Partial<ObjectsOptions> = {}): Promise<WebHost> {
    return await openObjectsHost({
      endpoint: store.endpoint,
      region: "us-east-1",
      buckets: ["builds", "many", "gone"],
      packs: { memory: {} },
      config: { mode: "accept_edits", results: "structured" },
      env: { ART_KEY: SWIFT_ACCESS_KEY, ART_SECRET: SWIFT_SECRET_KEY },
      ...options,
    });
  }

  test(`what object_put sends to Swift is listed, read, shared and synced as it was${swift.note}`, async () => {
    await using host = await openHost();
    for (const [index, key] of KEYS.entries()) {
      writeIn(host, `f${index}`, `content of ${index} \u00e9`);
      expect(await apply(host, await host.call("object_put", { path: `f${index}`, key: `all/${key}` }))).toContain(
        "Wrote ",
      );
    }
    const { objects } = (await host.call("object_list", { prefix: "all/" })).structured as {
      objects: { key: string }[];
    };
    expect(new Set(objects.map(({ key }) => key))).toEqual(new Set(KEYS.map((key) => `all/${key}`)));
    for (const [index, key] of KEYS.entries()) {
      expect((await host.call("object_read", { key: `all/${key}` })).text).toEndWith(`content of ${index} \u00e9`);
      const shared = await apply(host, await host.call("object_share", { key: `all/${key}`, expires_s: 60 }));
      const { url } = (JSON.parse(shared) as { result: { url: string } }).result;
      expect(await (await fetch(url)).text()).toBe(`content of ${index} \u00e9`);
    }
    const synced = await host.call("object_sync", { prefix: "all/", directory: "copy" });
    // A name on a disk has 255 bytes.
    expect(synced.structured).toMatchObject({
      taken: KEYS.length - 1,
      skipped: [{ key: KEYS.at(-1)?.replace(/^/, "all/") }],
    });
    for (const [index, key] of KEYS.slice(0, -1).entries())
      expect(readFileSync(join(host.place.root, "copy", key), "utf8")).toBe(`content of ${index} \u00e9`);
    await host.call("object_ingest", { key: "all/plain.txt", namespace: "from/swift" });
    expect((await host.call("memory_read", { namespace: "from/swift" })).text).toContain("content of 0");
  });

  test(`a list of Swift goes on page by page to its end, and a part of an object is that part${swift.note}`, async () => {
    await Promise.all(
      Array.from({ length: 25 }, async (_, at) => {
        await client.fetch(`${store.endpoint}/many/p/${String(at).padStart(2, "0")}`, { method: "PUT", body: `${at}` });
      }),
    );
    await client.fetch(`${store.endpoint}/many/long.txt`, { method: "PUT", body: "0123456789".repeat(10_000) });
    await using host = await openHost();
    const seen: string[] = [];
    let ask: object | undefined = { bucket: "many", prefix: "p/", limit: 10 };
    while (ask) {
      const { structured } = await host.call("object_list", ask);
      const { objects, next } = structured as { objects: { key: string }[]; next?: object };
      seen.push(...objects.map(({ key }) => key));
      ask = next;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `p/${String(at).padStart(2, "0")}`));
    expect((await host.call("object_list", { bucket: "many", recursive: false })).structured["folders"]).toEqual([
      "p/",
    ]);
    const part = await host.call("object_read", { bucket: "many", key: "long.txt", offset: 99_995, limit: 100 });
    expect(part.structured).toMatchObject({ untrusted_text: "56789", size: 100_000, truncated: false });
    const past = await host.call("object_read", { bucket: "many", key: "long.txt", offset: 100_001 });
    expect(past.failure?.code).toBe("invalid_input");
    const etag = "0".repeat(32);
    expect((await host.call("object_read", { bucket: "many", key: "long.txt", etag })).failure?.code).toBe("stale");
    await client.fetch(`${store.endpoint}/many/empty`, { method: "PUT" });
    expect((await host.call("object_read", { bucket: "many", key: "empty" })).structured["size"]).toBe(0);
  });

  test(`keys that lead elsewhere are listed by Swift and become no files${swift.note}`, async () => {
    const odd = ["a//b", "slash/"];
    for (const key of odd) await client.fetch(`${store.endpoint}/many/odd/${key}`, { method: "PUT", body: "x" });
    await using host = await openHost();
    const list = await host.call("object_list", { bucket: "many", prefix: "odd/" });
    expect(list.text.match(/\[cannot be read: /g)).toHaveLength(odd.length);
    const synced = await host.call("object_sync", { bucket: "many", prefix: "odd/", directory: "odd" });
    expect(synced.structured).toMatchObject({ taken: 0, status: "unchanged" });
  });

  test(`Swift refuses wrong keys, and what it does not have is not found${swift.note}`, async () => {
    await using wrong = await openHost({ env: { ART_KEY: SWIFT_ACCESS_KEY, ART_SECRET: "wrong" } });
    expect((await wrong.call("object_list", {})).all).toContain("status 403 (SignatureDoesNotMatch)");
    await using host = await openHost();
    expect((await host.call("object_read", { key: "none" })).failure?.code).toBe("not_found");
    expect((await host.call("object_list", { bucket: "gone" })).all).toContain("there is no such bucket");
  });
});
