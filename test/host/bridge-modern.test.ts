/**
 * Tools of the client in the modern era: the call ends with what the client is to do, and is sent again with what came of it;
 * also after a person was asked, and when a proposal is applied.
 */
import { describe, expect, test } from "bun:test";
import { STATE_TTL_MS } from "../../src/mcp/index.ts";
import { until } from "../waits/until.ts";
import { HandClock } from "./hand-clock.ts";
import { BRIDGE, said, TOOLS } from "./bridge-client.ts";
import { callAnswer, openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

const ALLOWED = { rules: [{ allow: "client_*" }] };
const SNAPSHOT = "client_space_snapshot";

const DECLARED = {
  "io.modelcontextprotocol/clientCapabilities": { extensions: { [BRIDGE]: {} }, elicitation: { form: {} } },
};

/** What a client declares that carries tools out and asks no person. */
const SILENT = { "io.modelcontextprotocol/clientCapabilities": { extensions: { [BRIDGE]: {} } } };

const ask = async (host: TestHost, more: object = {}, meta: object = {}): Promise<Json> =>
  await host.modern("tools/call", {
    name: SNAPSHOT,
    arguments: { depth: 1 },
    ...more,
    _meta: { ...DECLARED, ...meta },
  });
const open = async (config: object): Promise<TestHost> => {
  const host = openTestHost({ config });
  await host.modern("ringfence/bridge/offer", { tools: TOOLS });
  return host;
};
const bridged = (value: object): object => ({ [BRIDGE]: value });

describe("a call in the modern era", () => {
  test("ends with what the client is to do, and is sent again with what came of it", async () => {
    await using host = await open(ALLOWED);
    const { result } = await ask(host);
    expect(result.resultType).toBe("input_required");
    expect(result._meta[BRIDGE]).toEqual({ call: { name: "space.snapshot", arguments: { depth: 1 } } });
    const { requestState } = result;
    const done = await ask(host, { requestState }, bridged(said("things")));
    expect(callAnswer(done.result).text).toBe("things");
    const again = await ask(host, { requestState }, bridged(said("things")));
    expect(again.error.data.reason).toBe("used");
  });

  test.each([
    [{}, "no result"],
    [{ [BRIDGE]: 5 }, "no result"],
    [{ [BRIDGE]: { error: { code: 7, message: "no window" } } }, "no window"],
    [{ [BRIDGE]: { result: 5 } }, "not the result"],
  ])("a call in the modern era without a good answer fails: %j", async (meta, why) => {
    await using host = await open(ALLOWED);
    const { requestState } = (await ask(host)).result;
    const { failure } = callAnswer((await ask(host, { requestState }, meta)).result);
    expect(failure?.code).toBe("command_failed");
    expect(failure?.message).toContain(why);
  });

  test("a call in the modern era takes no answer that was for other arguments", async () => {
    await using host = await open(ALLOWED);
    const { requestState } = (await ask(host)).result;
    const { error } = await ask(host, { requestState, arguments: { depth: 2 } }, bridged(said("x")));
    expect(error.data.reason).toBe("other_call");
  });

  test("a tool of the client cannot be called by a request that does not declare the extension", async () => {
    await using host = await open(ALLOWED);
    const { result } = await host.modern("tools/call", { name: SNAPSHOT, arguments: {} });
    expect(callAnswer(result).failure).toMatchObject({
      code: "unsupported",
      hint: expect.stringContaining(BRIDGE),
    });
  });

  test("a call in the modern era is asked of the person first, then of the client", async () => {
    await using host = await open({});
    const first = (await ask(host)).result;
    expect(first.inputRequests.approval.method).toBe("elicitation/create");
    const approval = { action: "accept", content: { decision: "apply" } };
    const second = (await ask(host, { requestState: first.requestState, inputResponses: { approval } })).result;
    expect(second._meta[BRIDGE].call.name).toBe("space.snapshot");
    const third = await ask(host, { requestState: second.requestState }, bridged(said("done")));
    expect(callAnswer(third.result).text).toBe("done");
  });

  test("a call in the modern era that was proposed is carried out by who applies it", async () => {
    await using host = await open({});
    const { proposal } = callAnswer((await ask(host, {}, SILENT)).result);
    const apply = async (more: object, meta: object = {}): Promise<Json> =>
      await host.modern("ringfence/proposals/apply", {
        id: proposal?.id,
        ...more,
        _meta: { ...SILENT, ...meta },
      });
    const { result } = await apply({});
    expect(result).toMatchObject({ resultType: "input_required", _meta: { [BRIDGE]: { call: {} } } });
    const foreign = await apply({ id: "p_x", requestState: result.requestState }, bridged(said("x")));
    expect(foreign.error.data.reason).toBe("other_call");
    const done = await apply({ requestState: result.requestState }, bridged(said("done")));
    expect(done.result).toMatchObject({ status: "applied", result: { text: "done" } });
    expect((await apply({})).error.code).toBe(1);
  });

  test("a state for the proposal of one request is not taken for that of another", async () => {
    await using host = await open({});
    const first = await ask(host, { arguments: { depth: 1 } }, SILENT);
    const second = await ask(host, { arguments: { depth: 2 } }, SILENT);
    const apply = async (request: unknown, more: object = {}, meta: object = {}): Promise<Json> =>
      await host.modern("ringfence/proposals/apply", { request, ...more, _meta: { ...SILENT, ...meta } });
    const { requestState } = (await apply(first.id)).result;
    const { error } = await apply(second.id, { requestState }, bridged(said("done")));
    expect(error.data.reason).toBe("other_call");
    expect((await apply(first.id, { requestState }, bridged(said("done")))).result.status).toBe("applied");
  });

  test("a proposal whose client was asked and does not come back can be decided again", async () => {
    const clock = new HandClock();
    await using host = openTestHost({ clock });
    await host.modern("ringfence/bridge/offer", { tools: TOOLS });
    const method = async (name: string, params: object = {}): Promise<Json> =>
      await host.modern(`ringfence/proposals/${name}`, { ...params, _meta: SILENT });
    const waiting = async (): Promise<number> => (await method("list")).result.proposals.length as number;
    const id = callAnswer((await ask(host, {}, SILENT)).result).proposal?.id;
    expect((await method("apply", { id })).result.resultType).toBe("input_required");
    // The client may be making the call, so nobody else can have it made again, or say that it was not.
    expect(await waiting()).toBe(0);
    for (const name of ["apply", "reject"])
      expect((await method(name, { id })).error.data).toMatchObject({
        code: "conflict",
        hint: expect.stringContaining("within 15 minutes"),
      });
    clock.pass(STATE_TTL_MS);
    await until("it to wait again", async () => (await waiting()) === 1);
    expect((await method("reject", { id })).result.status).toBe("rejected");
    expect(await waiting()).toBe(0);
  });
});
