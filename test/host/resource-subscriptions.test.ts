/**
 * Subscriptions to single files in both eras: a change, a replacement and a removal are each told once, and nothing is
 * told of what may not be read.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { MODERN_META, openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

const URI = "ringfence://root/0/a.txt";
const FILES = { "a.txt": "a\n", "b.txt": "b\n", ".env": "K=1\n" };
/** Longer than two looks. */
const QUIET_MS = 2500;

const told = (host: TestHost): Json[] =>
  host.messages.filter(({ method }) => method === "notifications/resources/updated");

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 20) {
    if (waited > 15_000) throw new Error(`never: ${what}`);
    await Bun.sleep(20);
  }
}

async function shakeHands(host: TestHost): Promise<void> {
  const client = { capabilities: {}, clientInfo: { name: "t", version: "1" } };
  await host.request("initialize", { protocolVersion: "2025-11-25", ...client });
}

/** A subscription of the modern era; its messages. */
async function listen(host: TestHost, id: string, uris: string[]): Promise<Json> {
  host.burst([
    {
      jsonrpc: "2.0",
      id,
      method: "subscriptions/listen",
      params: { notifications: { resourceSubscriptions: uris }, _meta: MODERN_META },
    },
  ]);
  const isAcknowledged = (): Json =>
    host.messages.find(({ method }) => method === "notifications/subscriptions/acknowledged");
  await until(() => isAcknowledged() !== undefined, "acknowledged");
  return isAcknowledged().params.notifications;
}

describe("the handshake era", () => {
  test("tells of a change, a replacement and a removal, once each", async () => {
    await using host = openTestHost({ files: FILES });
    await shakeHands(host);
    expect((await host.request("resources/subscribe", { uri: URI })).result).toEqual({});
    expect((await host.request("resources/subscribe", { uri: URI })).result).toEqual({});
    writeFileSync(join(host.root, "a.txt"), "changed\n");
    await until(() => told(host).length === 1, "told of the change");
    writeFileSync(join(host.root, "new.txt"), "replaced\n");
    renameSync(join(host.root, "new.txt"), join(host.root, "a.txt"));
    await until(() => told(host).length === 2, "told of the replacement");
    rmSync(join(host.root, "a.txt"));
    await until(() => told(host).length === 3, "told of the removal");
    await Bun.sleep(QUIET_MS);
    expect(told(host)).toHaveLength(3);
    expect(told(host)[0].params).toEqual({ uri: URI });
  });

  test("tells nothing any more after unsubscribing", async () => {
    await using host = openTestHost({ files: FILES });
    await shakeHands(host);
    await host.request("resources/subscribe", { uri: URI });
    expect((await host.request("resources/unsubscribe", { uri: URI })).result).toEqual({});
    writeFileSync(join(host.root, "a.txt"), "changed\n");
    await Bun.sleep(QUIET_MS);
    expect(told(host)).toEqual([]);
  });

  test("takes only single files that may be read, and not too many", async () => {
    const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`f${index}`, "x"]));
    await using host = openTestHost({ files: { ...FILES, ...files } });
    await shakeHands(host);
    for (const path of ["", "none", "../x"])
      expect(
        (await host.request("resources/subscribe", { uri: `ringfence://root/0/${path}` })).error.code,
      ).toBe(-32602);
    const secret = await host.request("resources/subscribe", { uri: "ringfence://root/0/.env" });
    expect(secret.error.code).toBe(-32602);
    const answers = await Promise.all(
      Object.keys(files).map((name) =>
        host.request("resources/subscribe", { uri: `ringfence://root/0/${name}` }),
      ),
    );
    expect(answers.filter(({ error }) => error).length).toBeGreaterThanOrEqual(6);
  });
});

describe("the modern era", () => {
  test("has no resources/subscribe, and tells whoever listens", async () => {
    await using host = openTestHost({ files: FILES });
    expect((await host.modern("resources/subscribe", { uri: URI })).error.code).toBe(-32601);
    const honoured = await listen(host, "s1", [URI, "ringfence://root/0/.env", "ringfence://root/0/none"]);
    expect(honoured).toEqual({ resourceSubscriptions: [URI] });
    writeFileSync(join(host.root, "a.txt"), "changed\n");
    await until(() => told(host).length === 1, "told of the change");
    expect(told(host)[0].params).toEqual({
      uri: URI,
      _meta: { "io.modelcontextprotocol/subscriptionId": "s1" },
    });
    host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s1" } }]);
    writeFileSync(join(host.root, "a.txt"), "and again\n");
    await Bun.sleep(QUIET_MS);
    expect(told(host)).toHaveLength(1);
  });

  test("a change through the host is told once", async () => {
    await using host = openTestHost({ files: FILES, config: { mode: "accept_edits" } });
    await listen(host, "s1", [URI]);
    await host.call("read_file", { path: "a.txt" });
    await host.call("append_file", { path: "a.txt", content: "more\n" });
    await until(() => told(host).length > 0, "told of the change");
    await Bun.sleep(QUIET_MS);
    expect(told(host)).toHaveLength(1);
  });

  test("the end of the input ends a subscription that is just being made", async () => {
    await using host = openTestHost({ files: FILES });
    host.burst([
      {
        jsonrpc: "2.0",
        id: "late",
        method: "subscriptions/listen",
        params: { notifications: { resourceSubscriptions: [URI] }, _meta: MODERN_META },
      },
    ]);
    host.session.endInput();
    await host.session.settled();
    expect((await host.answerTo("late")).result.resultType).toBe("complete");
  });
});
