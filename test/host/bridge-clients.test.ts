/**
 * What a client can do wrong with the calls that it offered to carry out: answer badly, twice, late or never, leave, or be
 * asked far too much. Every call comes back all the same.
 */
import { describe, expect, test } from "bun:test";
import { settled, until } from "../waits/until.ts";
import { ALLOWED, listed, openBridge, said, shakeHands, SNAPSHOT } from "./bridge-client.ts";
import { HandClock } from "./hand-clock.ts";
import type { Json } from "./in-memory-host.ts";

describe("a client that", () => {
  const bad: [what: string, members: object, code: string][] = [
    ["answers with an error", { error: { code: -32000, message: "the window is closed" } }, "command_failed"],
    ["answers with no result of a tool", { result: { x: 1 } }, "command_failed"],
    ["answers with nothing", { result: null }, "command_failed"],
    ["says that it failed", { result: { content: [], isError: true } }, "command_failed"],
  ];
  test.each(bad)("a call ends with a failure for a client that %s", async (_what, members, code) => {
    await using client = await openBridge({ config: ALLOWED });
    const calling = client.host.call(SNAPSHOT, {});
    await client.answer(members);
    expect((await calling).failure?.code).toBe(code as never);
  });

  test("never answers meets the deadline, and is told that nobody waits any more", async () => {
    const clock = new HandClock();
    const config = { ...ALLOWED, budgets: { call: { wall_ms: 300 } } };
    await using client = await openBridge({ config, clock });
    const calling = client.host.call(SNAPSHOT, {});
    const { id } = await client.asked();
    await clock.passWhenAsked(300);
    expect((await calling).failure?.code).toBe("timed_out");
    const cancelled = client.host.messages.find(({ method }) => method === "notifications/cancelled");
    expect(cancelled.params.requestId).toBe(id);
    // Too late is nothing any more.
    client.host.burst([{ jsonrpc: "2.0", id, ...said("late") }]);
  });

  test("a client that answers twice, and what nobody asked, changes nothing", async () => {
    await using client = await openBridge({ config: ALLOWED });
    const calling = client.host.call(SNAPSHOT, {});
    const { id } = await client.asked();
    const answers = ["first", "second"].map((text) => ({ jsonrpc: "2.0", id, ...said(text) }));
    client.host.burst([{ jsonrpc: "2.0", id: "ringfence-999", ...said("nobody") }, ...answers]);
    expect((await calling).text).toBe("first");
  });

  test("a call ends when its client leaves in the middle", async () => {
    await using client = await openBridge({ config: ALLOWED });
    const calling = client.host.call(SNAPSHOT, {});
    await client.asked();
    client.host.session.endInput();
    expect((await calling).failure?.code).toBe("timed_out");
    await settled("the session", client.host.session.settled());
  });

  test("shakes hands again without the extension is not asked any more", async () => {
    await using client = await openBridge({ config: ALLOWED });
    await shakeHands(client.host);
    expect((await client.host.call(SNAPSHOT, {})).failure?.code).toBe("unsupported");
    expect(await listed(client.host)).toHaveLength(2);
  });

  test("a client can take its call back", async () => {
    await using client = await openBridge({ config: ALLOWED });
    client.host.burst([{ jsonrpc: "2.0", id: "c", method: "tools/call", params: { name: SNAPSHOT } }]);
    const { id } = await client.asked();
    client.host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } }]);
    await settled("the call that was taken back", client.host.session.settled());
    const told = (): Json[] => client.host.messages.filter(({ method }) => method === "notifications/cancelled");
    await until("the client to be told", () => told().length > 0);
    await client.host.request("ping");
    expect(told().map(({ params }) => params.requestId)).toEqual([id]);
  });

  test("a client that is asked far too much at once gets no more questions than it can take, and every call comes back", async () => {
    const clock = new HandClock();
    const config = { ...ALLOWED, budgets: { call: { wall_ms: 2000 } } };
    await using client = await openBridge({ config, clock });
    const calls = Array.from({ length: 400 }, async () => await client.host.call(SNAPSHOT, {}));
    await Promise.race(calls);
    await client.host.request("ping");
    const asking = client.host.messages.filter(({ method }) => method === "ringfence/bridge/call");
    expect(asking).toHaveLength(256);
    await clock.passWhenAsked(2000);
    const answers = await settled("all calls", Promise.all(calls));
    expect(answers.every(({ failure }) => failure?.code === "timed_out")).toBe(true);
    const asked = client.host.messages.filter(({ method }) => method === "ringfence/bridge/call");
    expect(asked).toHaveLength(256);
  });
});
