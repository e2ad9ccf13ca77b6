/**
 * Tools that the client offers: listed once and for all, under policy, budget and record, carried out by asking the client
 * in the way of its era; and whatever such a client does wrong harms nothing and is said clearly.
 */
import { describe, expect, test } from "bun:test";
import { ALLOWED, listed, openBridge, said, shakeHands, SNAPSHOT, TOOLS } from "./bridge-client.ts";
import { HandClock } from "./hand-clock.ts";
import { openTestHost, type Json } from "./in-memory-host.ts";

describe("an offer", () => {
  test("at the handshake stands in the list of both eras, behind our own", async () => {
    await using client = await openBridge();
    expect(await listed(client.host)).toEqual([SNAPSHOT, "client_space_run_action"]);
    const { tools } = (await client.host.modern("tools/list")).result;
    expect(tools.at(-2)).toMatchObject({
      name: SNAPSHOT,
      title: "Snapshot",
      description: "From the client, which says: What is in the space.",
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    const { result } = await client.host.request("ringfence/bridge/tools");
    expect(result).toMatchObject({
      tools: [{ name: SNAPSHOT, aliases: ["space.snapshot"], offered: "space.snapshot" }, {}],
      refused: [],
      fixed: true,
    });
  });

  test("an offer of the modern era is made by a method, before the list is given", async () => {
    await using host = openTestHost();
    const { result } = await host.modern("ringfence/bridge/offer", { tools: TOOLS });
    expect(result).toMatchObject({ tools: [{ name: SNAPSHOT }, {}], fixed: false });
    expect(await listed(host)).toHaveLength(2);
    expect((await host.modern("ringfence/bridge/offer", { tools: TOOLS })).result.fixed).toBe(true);
    const { error } = await host.modern("ringfence/bridge/offer", { tools: [] });
    expect(error).toMatchObject({ code: 1, data: { code: "conflict" } });
  });

  test("an offer that comes when the list was given is not taken", async () => {
    await using host = openTestHost();
    expect(await listed(host)).toEqual([]);
    await shakeHands(host, { tools: TOOLS });
    expect(await listed(host)).toEqual([]);
    expect((await host.modern("ringfence/bridge/offer", { tools: TOOLS })).error.data.code).toBe("conflict");
  });

  test("an offer that comes after a call and before the list is taken", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    await host.modern("tools/call", { name: "read_file", arguments: { path: "a.txt" } });
    await shakeHands(host, { tools: TOOLS });
    expect(await listed(host)).toHaveLength(2);
  });

  test("a tool of the client is hidden like any other by what the host was started with", async () => {
    for (const config of [{ readOnly: true }, { profile: "minimal" }, { toolList: { deny: ["client_*"] } }]) {
      await using client = await openBridge({ config });
      expect(await listed(client.host)).toEqual([]);
      const { refused } = (await client.host.request("ringfence/bridge/tools")).result;
      expect(refused).toHaveLength(2);
    }
  });
});

describe("the operator", () => {
  test("tools that the operator calls reading are called at once, also in a host that only reads", async () => {
    const config = { bridge: { read_tools: ["space.s*"] }, readOnly: true };
    await using client = await openBridge({ config });
    expect(await listed(client.host)).toEqual([SNAPSHOT]);
    const calling = client.host.call(SNAPSHOT, {});
    await client.answer(said("seen"));
    expect((await calling).text).toBe("seen");
  });

  test("the operator says how long a client may take", async () => {
    const clock = new HandClock();
    await using client = await openBridge({ config: { ...ALLOWED, bridge: { timeout_ms: 100 } }, clock });
    const calling = client.host.call(SNAPSHOT, {});
    await client.asked();
    await clock.passWhenAsked(100);
    expect((await calling).failure?.code).toBe("timed_out");
  });

  test("the operator turns the bridge off", async () => {
    await using client = await openBridge({ config: { bridge: { enabled: false } } });
    expect(await listed(client.host)).toEqual([]);
    const { error } = await client.host.request("ringfence/bridge/offer", { tools: TOOLS });
    expect(error.data.code).toBe("conflict");
  });
});

describe("bad offers harm nothing:", () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });
  const bad: [what: string, tools: unknown, listed: number, refused: number | string][] = [
    ["no list", { tools: 5 }, 0, 0],
    ["no tools", [5, null, "x", {}, { name: 5 }, { name: "" }, { name: "a b" }], 0, 7],
    ["no schema", [{ name: "a" }], 1, 0],
    ["a schema that is none", [{ name: "a", inputSchema: "x" }], 0, 1],
    ["a schema of a list", [{ name: "a", inputSchema: { type: "array" } }], 0, 1],
    ["a deep schema", [{ name: "a", inputSchema: { type: "object", ...deep(40) } }, { name: "b" }], 1, 1],
    ["a huge schema", [{ name: "a", inputSchema: { type: "object", description: "x".repeat(100_000) } }], 0, 1],
    ["the same name twice", [{ name: "a.b" }, { name: "a_b" }], 1, 1],
    ["ten thousand tools", Array.from({ length: 10_000 }, (_, index) => ({ name: `t${index}` })), 128, "9872 more"],
  ];
  test.each(bad)("a bad offer does no harm: %s", async (_what, tools, count, refused) => {
    await using client = await openBridge({ files: { "a.txt": "a\n" } }, tools);
    expect(await listed(client.host)).toHaveLength(count);
    const { result } = await client.host.request("ringfence/bridge/tools");
    if (typeof refused === "number") expect(result.refused).toHaveLength(refused);
    else expect(result.refused.at(-1).offered).toBe(refused);
    expect((await client.host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
  });

  test("names of ours are neither taken nor shadowed", async () => {
    const names = ["read_file", "file.read", "delete", "shell", "mcp:git:status", "cmd.build", "Read", "client_x"];
    await using client = await openBridge(
      { files: { "a.txt": "a\n" } },
      names.map((name) => ({ name })),
    );
    expect(await listed(client.host)).toEqual(
      names.map((name) => `client_${name.toLowerCase().replaceAll(/\W/g, "_")}`),
    );
    const { tools } = (await client.host.request("ringfence/bridge/tools")).result;
    expect(tools.flatMap(({ aliases }: Json) => aliases)).toEqual([]);
    for (const name of ["read_file", "file.read"])
      expect((await client.host.call(name, { path: "a.txt" })).text).toBe("a\n");
  });

  test("long names are cut, and stay apart", async () => {
    const name = "x".repeat(100);
    await using client = await openBridge({}, [{ name: `${name}a` }, { name: `${name}b` }]);
    const names = await listed(client.host);
    expect(new Set(names).size).toBe(2);
    for (const one of names) expect(one).toMatch(/^client_x{17}_[\da-f]{6}$/);
  });
});

describe("a call in the handshake era", () => {
  test("a call in the handshake era asks the client, under either name", async () => {
    await using client = await openBridge({ config: ALLOWED });
    for (const name of [SNAPSHOT, "space.snapshot"]) {
      const calling = client.host.call(name, { depth: 2 });
      const { params } = await client.answer(said("three things"));
      expect(params).toEqual({ name: "space.snapshot", arguments: { depth: 2 } });
      expect((await calling).text).toBe("three things");
    }
    expect(client.host.audit()).toContain('"called":"space.snapshot"');
  });

  test("counts as R4 and is proposed first; it is made when the proposal is applied", async () => {
    await using client = await openBridge();
    const answer = await client.host.call(SNAPSHOT, {});
    expect(answer.proposal).toMatchObject({ risk: "R4" });
    const applying = client.host.apply(answer);
    await client.answer(said("done"));
    expect((await applying).result).toMatchObject({ status: "applied", result: { text: "done" } });
  });

  test("the client's own model may call while the client carries another call out", async () => {
    await using client = await openBridge({ config: ALLOWED, files: { "a.txt": "a\n" } });
    const outer = client.host.call("client_space_run_action", { action: "x" });
    const first = await client.asked();
    const inner = client.host.call(SNAPSHOT, {});
    await client.answer(said("inner"));
    expect((await inner).text).toBe("inner");
    expect((await client.host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
    client.host.burst([{ jsonrpc: "2.0", id: first.id, ...said("outer") }]);
    expect((await outer).text).toBe("outer");
  });

  test.each([
    [{ depth: "x" }, "depth"],
    [{ other: 1 }, "other"],
    [[1], "object"],
  ])("with arguments that do not fit is not made: %j", async (args, named) => {
    await using client = await openBridge({ config: ALLOWED });
    const { failure } = await client.host.call(SNAPSHOT, args);
    expect(failure?.code).toBe("invalid_input");
    expect(failure?.message).toContain(named);
    expect(client.host.messages.some(({ method }) => method === "ringfence/bridge/call")).toBe(false);
  });

  test("a call in the handshake era is in the budget", async () => {
    await using client = await openBridge({ config: { ...ALLOWED, budgets: { session: { calls: 1 } } } });
    const calling = client.host.call(SNAPSHOT, {});
    await client.answer(said("x"));
    await calling;
    expect((await client.host.call(SNAPSHOT, {})).failure?.code).toBe("over_budget");
  });
});

test("a script is told that nobody can carry it out", async () => {
  await using host = openTestHost({ config: ALLOWED });
  await host.request("ringfence/bridge/offer", { tools: TOOLS });
  expect((await host.call(SNAPSHOT, {})).failure?.code).toBe("unsupported");
});
