/**
 * What leaves this machine for an object store, and the addresses that are given away: shown first, sent once, without secrets.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { apply, filesBelow, openObjectsHost, proposalOf, writeIn } from "./objects-host.ts";
import { hex, KNOWN_KEY, openOwnStore, SECRET_KEY } from "./own-store.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

describe("object_put and object_share", () => {
  test.each(["default", "bypass"])(
    "object_put in the mode %s is a proposal that shows what goes where, and is sent once",
    async (mode) => {
      const bucket = store.stock({ "up/f.txt": "old" });
      const allow = [{ allow: "object_put(art/builds/**)" }];
      await using host = await openObjectsHost({ endpoint, config: { mode, rules: allow } });
      const content = Buffer.from(`content ${"x".repeat(1_500_000)}`);
      writeIn(host, "f.txt", content);
      const asked = await host.call("object_put", { path: "f.txt", key: "up/f.txt" });
      expect(store.asked.every((one) => one.startsWith("HEAD "))).toBe(true);
      const shown = JSON.stringify(await host.ask("ringfence/proposals/get", { id: proposalOf(asked).id }));
      for (const line of [`sha256: ${hex(content)}`, "to: art/builds/up/f.txt", "in the place of an object of 3 bytes"])
        expect(shown).toContain(line);
      expect(await apply(host, asked)).toContain(`Wrote ${content.length} bytes`);
      expect(bucket.get("up/f.txt")?.body.equals(content)).toBe(true);
      expect(store.asked.filter((one) => one.startsWith("PUT "))).toHaveLength(1);
    },
  );

  test("object_put sends nothing when the file or the object has changed since it was shown", async () => {
    const bucket = store.stock({});
    await using host = await openObjectsHost({ endpoint });
    for (const change of [
      () => writeIn(host, "f.txt", "other"),
      () => bucket.set("f", { body: Buffer.from("of somebody else") }),
    ]) {
      writeIn(host, "f.txt", "shown");
      bucket.clear();
      const asked = await host.call("object_put", { path: "f.txt", key: "f" });
      change();
      const { error } = await host.serve.ask(1000 + store.asked.length, "ringfence/proposals/apply", {
        id: proposalOf(asked).id,
      });
      expect(JSON.stringify(error)).toContain("stale");
    }
    expect(store.asked.some((one) => one.startsWith("PUT "))).toBe(false);
  });

  test.each<[what: string, content: string | Buffer, key: string]>([
    ["a file", "key = AKIAIOSFODNN7EXAMPLQ", "up/f.txt"],
    ["a long file, far behind its beginning,", `${".".repeat(9 * 1024 * 1024)} ${KNOWN_KEY}`, "up/f.txt"],
    ["a file of UTF-16", Buffer.from(`\uFEFFkey = ${KNOWN_KEY}\r\n`, "utf16le"), "up/f.txt"],
    ["a key", "content", "up/AKIAIOSFODNN7EXAMPLQ"],
    ["a file that is a secret", "content", "up/.env"],
  ])("a secret in %s is refused before anything leaves", async (what, content, key) => {
    store.stock({});
    await using host = await openObjectsHost({ endpoint });
    const path = what.endsWith("secret") ? ".env" : "f.txt";
    writeIn(host, path, content);
    for (const tool of ["object_put", "object_share"])
      expect((await host.call(tool, { path, key })).failure?.code).toBe("denied");
    expect(store.asked).toEqual([]);
  });

  test("a secret in a prefix or a key that is read is refused before anything leaves", async () => {
    store.stock({});
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_list", { prefix: "AKIAIOSFODNN7EXAMPLQ" })).failure?.code).toBe("denied");
    expect((await host.call("object_read", { key: "a/AKIAIOSFODNN7EXAMPLQ" })).failure?.code).toBe("denied");
    expect(store.asked).toEqual([]);
  });

  test("object_share makes an address that works without credentials, and that no record has", async () => {
    store.stock({});
    await using host = await openObjectsHost({ endpoint, env: { ART_KEY: KNOWN_KEY, ART_SECRET: SECRET_KEY } });
    writeIn(host, "a b+c.txt", "shared words");
    const asked = await host.call("object_share", { path: "a b+c.txt", expires_s: 60 });
    expect(asked.text).toContain('Write the file "a b+c.txt" to art/builds/shared/a b+c.txt and share it');
    const { url } = (JSON.parse(await apply(host, asked)) as { result: { url: string } }).result;
    expect(await (await fetch(url)).text()).toBe("shared words");
    expect((await fetch(url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000"))).status).toBe(403);
    const signature = new URL(url).searchParams.get("X-Amz-Signature") ?? "none";
    const holders = filesBelow(host.place.stateDir).filter((file) => readFileSync(file, "latin1").includes(signature));
    expect(holders).toEqual([]);
  });

  test("object_share of what is not there is no proposal", async () => {
    store.stock({});
    await using host = await openObjectsHost({ endpoint, config: { mode: "bypass" } });
    expect((await host.call("object_share", { key: "none" })).failure?.code).toBe("not_found");
    expect((await host.call("object_share", {})).failure?.code).toBe("invalid_input");
  });
});
