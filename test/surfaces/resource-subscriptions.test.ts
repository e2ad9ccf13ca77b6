/**
 * Subscriptions to single files in both eras: a change, a replacement and a removal are each told once, and nothing is
 * told of what may not be read.
 */
import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HandClock } from "../host/hand-clock.ts";
import { MODERN_META, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

const URI = "ringfence://root/0/a.txt";
const OTHER = "ringfence://root/0/b.txt";
const FILES = { "a.txt": "a\n", "b.txt": "b\n", ".env": "K=1\n" };
/** Between two looks at what is watched. */
const LOOK_MS = 1000;

const told = (host: TestHost): Json[] =>
  host.messages.filter(({ method }) => method === "notifications/resources/updated");

/** Lets the host look once, and waits until it has looked and said what it saw. */
async function look(host: TestHost, clock: HandClock): Promise<void> {
  await clock.passWhenAsked(LOOK_MS);
  await until("the look to end", () => clock.asked.includes(LOOK_MS));
  await host.request("ping");
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
  const acknowledged = await until("the acknowledgement", () =>
    host.messages.find(({ method }) => method === "notifications/subscriptions/acknowledged"),
  );
  return acknowledged.params.notifications;
}

describe("the handshake era", () => {
  test("the handshake era tells of a change, a replacement and a removal, once each", async () => {
    const clock = new HandClock();
    await using host = openTestHost({ files: FILES, clock });
    await shakeHands(host);
    expect((await host.request("resources/subscribe", { uri: URI })).result).toEqual({});
    expect((await host.request("resources/subscribe", { uri: URI })).result).toEqual({});
    await look(host, clock);
    expect(told(host)).toEqual([]);
    writeFileSync(join(host.root, "a.txt"), "changed\n");
    await look(host, clock);
    expect(told(host)).toHaveLength(1);
    writeFileSync(join(host.root, "new.txt"), "replaced\n");
    renameSync(join(host.root, "new.txt"), join(host.root, "a.txt"));
    await look(host, clock);
    expect(told(host)).toHaveLength(2);
    rmSync(join(host.root, "a.txt"));
    await look(host, clock);
    await look(host, clock);
    await look(host, clock);
    expect(told(host).map(({ params }) => params)).toEqual([{ uri: URI }, { uri: URI }, { uri: URI }]);
  });

  test("the handshake era tells nothing any more after unsubscribing", async () => {
    const clock = new HandClock();
    await using host = openTestHost({ files: FILES, clock });
    await shakeHands(host);
    await host.request("resources/subscribe", { uri: URI });
    await host.request("resources/subscribe", { uri: OTHER });
    expect((await host.request("resources/unsubscribe", { uri: URI })).result).toEqual({});
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(host.root, name), "changed\n");
    await look(host, clock);
    await look(host, clock);
    expect(told(host).map(({ params }) => params)).toEqual([{ uri: OTHER }]);
    await host.request("resources/unsubscribe", { uri: OTHER });
    expect(clock.asked).not.toContain(LOOK_MS);
  });

  test("takes only single files that may be read, and not too many", async () => {
    const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`f${index}`, "x"]));
    await using host = openTestHost({ files: { ...FILES, ...files } });
    await shakeHands(host);
    for (const path of ["", "none", "../x"])
      expect((await host.request("resources/subscribe", { uri: `ringfence://root/0/${path}` })).error.code).toBe(
        -32602,
      );
    const directory = await host.request("resources/subscribe", { uri: "ringfence://root/0/" });
    expect(directory.error.message).toContain("a directory is read and not watched");
    const nothing = await host.request("resources/subscribe", {});
    expect(nothing.error.message).toContain("params.uri must be a string");
    const secret = await host.request("resources/subscribe", { uri: "ringfence://root/0/.env" });
    expect(secret.error.code).toBe(-32602);
    const answers = await Promise.all(
      Object.keys(files).map((name) => host.request("resources/subscribe", { uri: `ringfence://root/0/${name}` })),
    );
    expect(answers.filter(({ error }) => error).length).toBeGreaterThanOrEqual(6);
  });
});

describe("the modern era", () => {
  test("the modern era has no resources/subscribe, and tells whoever listens", async () => {
    const clock = new HandClock();
    await using host = openTestHost({ files: FILES, clock });
    expect((await host.modern("resources/subscribe", { uri: URI })).error.code).toBe(-32601);
    const honoured = await listen(host, "s1", [URI, "ringfence://root/0/.env", "ringfence://root/0/none"]);
    expect(honoured).toEqual({ resourceSubscriptions: [URI] });
    writeFileSync(join(host.root, "a.txt"), "changed\n");
    await look(host, clock);
    expect(told(host).map(({ params }) => params)).toEqual([
      { uri: URI, _meta: { "io.modelcontextprotocol/subscriptionId": "s1" } },
    ]);
    host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s1" } }]);
    await host.request("ping");
    expect(clock.asked).not.toContain(LOOK_MS);
  });

  test("a change through the host is told once", async () => {
    const clock = new HandClock();
    await using host = openTestHost({ files: FILES, config: { mode: "accept_edits" }, clock });
    await listen(host, "s1", [URI]);
    await host.call("read_file", { path: "a.txt" });
    await host.call("append_file", { path: "a.txt", content: "more\n" });
    await look(host, clock);
    await look(host, clock);
    await look(host, clock);
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
    await settled("the session", host.session.settled());
    expect((await host.answerTo("late")).result.resultType).toBe("complete");
  });
});
