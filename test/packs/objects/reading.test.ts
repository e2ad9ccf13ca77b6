/**
 * The pack `objects` through a host and a store of the tests that checks every signature: lists, texts, credentials and rules.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { apply, filesBelow, openObjectsHost } from "./objects-host.ts";
import { foundIn, SECRETS } from "../web/secret-page.ts";
import { ACCESS_KEY, openOwnStore, SECRET_KEY } from "./own-store.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

describe("object_list and object_read", () => {
  test("object_list pages through a bucket, and names folders where it is asked to", async () => {
    store.stock({ "a/1.txt": "one", "a/2.txt": "two!", "b c+d/\u00fc '(1)*!.txt": "x", "z.txt": "" });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    const first = await host.call("object_list", { limit: 2 });
    expect(first.text).toMatch(/^a\/1\.txt {2}3 bytes {2}2026-11-23T09:00:00\.000Z\na\/2\.txt {2}4 bytes/);
    const { next } = first.structured as { next: object };
    expect(first.all).toContain(`To go on: object_list ${JSON.stringify(next)}`);
    const second = await host.call("object_list", next);
    expect((second.structured as { objects: { key: string }[] }).objects.map(({ key }) => key)).toEqual([
      "b c+d/\u00fc '(1)*!.txt",
      "z.txt",
    ]);
    expect(second.structured["next"]).toBeUndefined();
    const folders = await host.call("object_list", { recursive: false });
    expect(folders.structured["folders"]).toEqual(["a/", "b c+d/"]);
    expect((await host.call("object_list", { prefix: "a/" })).structured["objects"]).toHaveLength(2);
  });

  test("object_read shows text in parts that say how to go on, and notices another object in its place", async () => {
    const text = "line \u00e9\u4e2d\u{1f600}\n".repeat(50);
    const bucket = store.stock({ "t.txt": text });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    let read = await host.call("object_read", { key: "t.txt", limit: 64 });
    expect(read.text).toMatch(/^From art\/builds\/t\.txt \(untrusted, read \d\d:\d\dZ\):\n\nline/);
    let [all, parts] = ["", 0];
    for (;;) {
      all += String(read.structured["untrusted_text"]);
      parts++;
      const next = read.structured["next"] as object | undefined;
      if (!next) break;
      read = await host.call("object_read", next);
    }
    expect([all, parts > 10]).toEqual([text, true]);
    const first = await host.call("object_read", { key: "t.txt", limit: 64 });
    bucket.set("t.txt", { body: Buffer.from("another") });
    expect((await host.call("object_read", first.structured["next"] as object)).failure?.code).toBe("stale");
  });

  test("an object is asked for and signed by the key that it has, whatever signs are in it", async () => {
    const keys = ["b c+d/\u00fc '(1)*!.txt", "100%.txt", "a?b#c&d=e;f.txt", '~._-@:,$[]{}|^`<>".txt', "k".repeat(1024)];
    store.stock(Object.fromEntries(keys.map((key) => [key, key])));
    await using host = await openObjectsHost({ endpoint });
    for (const key of keys) expect((await host.call("object_read", { key })).text).toEndWith(key);
  });

  test("a key of 1,024 bytes of another script is read, and one of a byte more is refused", async () => {
    const key = "\u4e2d".repeat(341) + "x";
    store.stock({ [key]: "long" });
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_read", { key })).text).toEndWith("long");
    expect((await host.call("object_read", { key: `${key}y` })).failure?.code).toBe("invalid_input");
  });

  test("what is no text is described, and an empty object is empty", async () => {
    store.stock({ "a.bin": Buffer.from([0, 1, 2, 255]), empty: "" });
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_read", { key: "a.bin" })).text).toContain(
      "[It is no text: application/octet-stream.",
    );
    expect((await host.call("object_read", { key: "empty" })).text).toEndWith("):\n\n");
  });

  test.each([
    ["UTF-16 with its mark", "utf16le", "\ufeff", "text/plain"],
    ["UTF-16 that the store names", "utf16le", "", "text/plain; charset=utf-16le"],
    ["Latin-1 that the store names", "latin1", "", "text/plain; charset=ISO-8859-1"],
    ["UTF-8 with its mark, whatever the store names", "utf8", "\ufeff", "text/plain; charset=utf-16le"],
  ] as const)("%s is read as text, in parts of any size", async (_what, encoding, mark, type) => {
    const text = `h\u00e9llo w\u00f6rld ${"\u00e9\u00e4 ".repeat(12_000)}end`;
    const stock = store.stock({});
    stock.set("t.txt", { body: Buffer.from(mark + text, encoding), headers: { "content-type": type } });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    let all = "";
    let next: object | undefined = { key: "t.txt", limit: 20_001 };
    while (next) {
      const { structured } = await host.call("object_read", next);
      all += String(structured["untrusted_text"]);
      next = structured["next"] as object | undefined;
    }
    expect(all).toBe(text);
  });

  test("what a store calls text is read as far as it can be, and the answer says so", async () => {
    store.stock({ "latin.txt": Buffer.from("h\u00e9llo", "latin1") });
    await using host = await openObjectsHost({ endpoint });
    const { all, text } = await host.call("object_read", { key: "latin.txt" });
    expect(text).toEndWith("h\ufffdllo");
    expect(all).toContain("Some characters could not be read as utf-8 and are replaced by U+FFFD");
  });

  test("a secret in UTF-16 is a placeholder, across a border of parts too", async () => {
    const text = `${"x ".repeat(100)}${SECRETS[0]} end`;
    store.stock({ "wide.txt": Buffer.from(`\ufeff${text}`, "utf16le") });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    let all = "";
    for (let offset = 390; offset < text.length * 2; offset += 21)
      all += String(
        (await host.call("object_read", { key: "wide.txt", offset, limit: 21 })).structured["untrusted_text"],
      );
    expect([foundIn(all), all.match(/gh[p]_|npm_|eyJ|_a1B2/)]).toEqual([[], null]);
    expect(all).toMatch(/\[secret:[0-9a-f]{6}\]/);
  });

  test("save_to writes an object to a file as a change, byte for byte, and nowhere outside of the roots", async () => {
    const body = Buffer.from([0, 1, 2, 255, 10]);
    store.stock({ "a.bin": body });
    await using host = await openObjectsHost({ endpoint });
    const saved = await host.call("object_read", { key: "a.bin", save_to: "out/a.bin" });
    expect(existsSync(join(host.place.root, "out"))).toBe(false);
    await apply(host, saved);
    expect(readFileSync(join(host.place.root, "out/a.bin")).equals(body)).toBe(true);
    expect((await host.call("object_read", { key: "a.bin", save_to: "../a.bin" })).failure?.code).toBe("outside_scope");
  });

  test("what is not there, not listed or not ours is refused by name", async () => {
    store.stock({ a: "a" });
    store.stock({ a: "a" }, "private");
    await using host = await openObjectsHost({ endpoint, buckets: ["builds", "gone"] });
    expect((await host.call("object_read", { key: "b" })).all).toContain(
      'not_found: Cannot read "art/builds/b": there is no such object',
    );
    expect((await host.call("object_list", { bucket: "gone" })).all).toContain("there is no such bucket");
    const asked = store.asked.length;
    expect((await host.call("object_read", { key: "a", bucket: "private" })).failure?.code).toBe("denied");
    expect((await host.call("object_list", { store: "other" })).failure).toMatchObject({
      code: "not_found",
      candidates: ["art"],
    });
    expect(store.asked).toHaveLength(asked);
  });

  test("a border between parts of an object shows neither half of a secret", async () => {
    const text = `${"x ".repeat(20_000)}${SECRETS.join("\n")}${" y".repeat(20_000)}`;
    store.stock({ "keys.txt": text });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    const [first, length] = [40_000, SECRETS.join("\n").length];
    for (const limit of [20, 64]) {
      let all = "";
      for (let offset = first - 7; offset < first + length; offset += limit) {
        const { structured, text: said } = await host.call("object_read", { key: "keys.txt", offset, limit });
        all += String(structured["untrusted_text"]) + said;
      }
      expect([foundIn(all), all.match(/gh[p]_|npm_|eyJ|_a1B2/)]).toEqual([[], null]);
      expect(all).toMatch(/\[secret:[0-9a-f]{6}\]/);
    }
    const past = await host.call("object_read", { key: "keys.txt", offset: text.length });
    expect(past.all).toContain("the offset is past its end");
    expect((await host.call("object_read", { key: "keys.txt", offset: text.length - 1 })).text).toEndWith("\n\ny");
  });

  test("secrets in an object are placeholders in the answer", async () => {
    store.stock({ "conf.txt": "key AKIAIOSFODNN7EXAMPLQ end" });
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_read", { key: "conf.txt" })).text).toMatch(/key \[secret:[0-9a-f]{6}\] end/);
  });
});

test.skipIf(process.platform !== "linux")(
  "a host lists, reads and shares, each process of it behind a fence of its own",
  async () => {
    store.stock({ "a b.txt": "words" });
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_list", {})).text).toStartWith("a b.txt  5 bytes");
    expect((await host.call("object_read", { key: "a b.txt" })).text).toEndWith("words");
    expect(await apply(host, await host.call("object_share", { key: "a b.txt" }))).toContain("X-Amz-Signature=");
    const { text } = await host.call("system_info", {});
    expect(text).toMatch(/listings runs in sandbox \((?:kernel \(.*\), no network, no files, no programs|none .*)\)/);
  },
);

describe("credentials", () => {
  test("credentials stand in no answer, no record, no proposal and no file of the state", async () => {
    store.stock({ a: "a" });
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    const said = [
      await host.call("object_list", {}),
      await host.call("system_info", {}),
      await host.call("object_share", { key: "a" }),
    ];
    const kept = filesBelow(host.place.stateDir).map((file) => readFileSync(file, "latin1"));
    const all = JSON.stringify(said) + kept.join("\n");
    expect(all).toContain("art: builds at 127.0.0.1");
    expect([all.includes(SECRET_KEY), all.includes(ACCESS_KEY)]).toEqual([false, false]);
  });

  test.each([
    [
      "wrong keys",
      { ART_KEY: ACCESS_KEY, ART_SECRET: "another" },
      undefined,
      "denied",
      "status 403 (SignatureDoesNotMatch)",
    ],
    ["a wrong region", undefined, "elsewhere", "denied", "status 403 (AuthorizationHeaderMalformed)"],
    [
      "variables that are not set",
      {},
      undefined,
      "denied",
      'Cannot use "packs.objects": the variable ART_KEY is not set',
    ],
  ])("%s fail the call with what is wrong", async (_what, env, region, code, said) => {
    store.stock({ a: "a" });
    await using host = await openObjectsHost({
      endpoint,
      ...(env ? { env } : {}),
      ...(region === undefined ? {} : { region }),
    });
    const { failure, all } = await host.call("object_read", { key: "a" });
    expect([failure?.code as string, all]).toEqual([code, expect.stringContaining(said)]);
  });

  test("a link cannot be signed where the variables of the keys are not set, and the failure names one", async () => {
    await using host = await openObjectsHost({ endpoint, env: {}, config: { mode: "bypass" } });
    const { failure, all } = await host.call("object_share", { key: "a" });
    expect([failure?.code as string, all]).toEqual([
      "denied",
      expect.stringContaining("the variable ART_KEY is not set"),
    ]);
  });
});

describe("rules", () => {
  test("rules name objects by store, bucket and key, and a listing or a sync that would show what is denied is denied", async () => {
    store.stock({ "pub/a": "a", "priv/b": "b" });
    await using host = await openObjectsHost({
      endpoint,
      config: { rules: [{ deny: "group:objects(art/builds/priv/**)" }], mode: "accept_edits" },
    });
    expect((await host.call("object_read", { key: "pub/a" })).failure).toBeUndefined();
    for (const [tool, args] of [
      ["object_read", { key: "priv/b" }],
      ["object_list", {}],
      ["object_list", { prefix: "pri" }],
      ["object_list", { prefix: "priv/" }],
      ["object_sync", { prefix: "pri", directory: "out" }],
    ] as const)
      expect((await host.call(tool, args)).failure?.code).toBe("denied");
    expect((await host.call("object_list", { prefix: "pub/" })).failure).toBeUndefined();
    expect(store.asked.some((one) => one.includes("priv"))).toBe(false);
  });

  test("a denied part of a folder denies the list of the folder", async () => {
    store.stock({ "a/priv/b": "b", "a/pub/c": "c" });
    await using host = await openObjectsHost({
      endpoint,
      config: { rules: [{ deny: "object_*(art/builds/a/priv/**)" }] },
    });
    expect((await host.call("object_list", { prefix: "a/" })).failure?.code).toBe("denied");
    expect((await host.call("object_list", { prefix: "a/pub/" })).failure).toBeUndefined();
  });

  test("the tools are there where the configuration has the pack, and not for a host that only reads", async () => {
    const all = ["object_list", "object_read", "object_put", "object_share", "object_ingest", "object_sync"];
    expect(await namesWith({})).toEqual(all);
    expect(await namesWith({ config: { tools: { deny: ["group:objects"] } } })).toEqual([]);
    expect(await namesWith({ config: { profile: "messaging" } })).toEqual([
      "object_list",
      "object_read",
      "object_ingest",
      "object_sync",
    ]);
    expect(await namesWith({ config: { packs: {} } })).toEqual([]);
  });
});

async function namesWith(options: object): Promise<readonly string[]> {
  await using host = await openObjectsHost({ endpoint, ...options });
  const { tools = [] } = await host.ask("tools/list");
  return tools.map(({ name }) => name).filter((name) => name.startsWith("object_"));
}
