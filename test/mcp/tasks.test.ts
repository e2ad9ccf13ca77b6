/**
 * Long calls as tasks: for clients that declared the extension, when a call takes longer than a second; with its result,
 * its failure, its end, and its questions to the person.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool, defineTool } from "../../src/contract/index.ts";
import { MODERN_META, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const META = {
  ...MODERN_META,
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

let stopped = 0;
const wait = defineLocalTool({
  name: "wait",
  description: "Takes a while.",
  input: z.strictObject({
    ms: z.number().describe("How long"),
    fails: z.boolean().optional().describe("Fails"),
  }),
  async execute({ ms, fails }, { signal }) {
    signal.addEventListener("abort", () => stopped++);
    await Bun.sleep(ms);
    if (fails) throw new Error("on purpose");
    return "done";
  },
});
const change = defineLocalTool({
  name: "slow_change",
  description: "Plans for a while.",
  input: z.strictObject({}),
  mutates: true,
  async plan() {
    await Bun.sleep(1200);
    return { summary: "Change something", paths: [] };
  },
  execute: () => "changed",
});

const open = (): TestHost => openTestHost({ tools: [wait, change] });
const call = async (host: TestHost, name: string, given: object, meta: object = META): Promise<Json> =>
  await host.request("tools/call", { name, arguments: given, _meta: meta });
const ask = async (host: TestHost, method: string, params: object, meta: object = META): Promise<Json> =>
  await host.request(method, { ...params, _meta: meta });

async function ended(host: TestHost, taskId: string, status?: string): Promise<Json> {
  for (let waited = 0; waited < 500; waited++) {
    const { result } = await ask(host, "tasks/get", { taskId });
    if (status === undefined ? result.status !== "working" : result.status === status) return result;
    await Bun.sleep(10);
  }
  throw new Error("the task does not end");
}

describe("a call of a client that knows tasks", () => {
  test("is answered as ever when it is short", async () => {
    await using host = open();
    const { result } = await call(host, "wait", { ms: 1 });
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
  });

  test("becomes a task when it is long, and the task has its result", async () => {
    await using host = open();
    const { result } = await call(host, "wait", { ms: 1300 });
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 3_600_000 });
    expect(result.taskId).toMatch(/^task_[\w-]{22}$/);
    expect(await ended(host, result.taskId)).toMatchObject({
      resultType: "complete",
      status: "completed",
      result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
    });
    expect((await ended(host, result.taskId)).result.content[0].text).toBe("done");
  });

  test("a failure of the tool is a completed task", async () => {
    await using host = open();
    const { result } = await call(host, "wait", { ms: 1100, fails: true });
    expect(await ended(host, result.taskId)).toMatchObject({
      status: "completed",
      result: { isError: true },
    });
  });

  test("can be cancelled, also twice; its work is told", async () => {
    await using host = open();
    const before = stopped;
    const { result } = await call(host, "wait", { ms: 1500 });
    const { taskId } = result;
    expect((await ask(host, "tasks/cancel", { taskId })).result.resultType).toBe("complete");
    expect((await ended(host, taskId)).status).toBe("cancelled");
    expect(stopped).toBe(before + 1);
    expect((await ask(host, "tasks/cancel", { taskId })).result.resultType).toBe("complete");
    await Bun.sleep(700);
    expect((await ended(host, taskId)).status).toBe("cancelled");
  });

  test("asks its person through the task", async () => {
    await using host = open();
    const { result } = await call(host, "slow_change", {});
    const { taskId } = result;
    const { inputRequests } = await ended(host, taskId, "input_required");
    const [key = ""] = Object.keys(inputRequests);
    expect(inputRequests[key].params.message).toContain("Change something");
    const wrong = { taskId, inputResponses: { other: { action: "decline" } } };
    expect((await ask(host, "tasks/update", wrong)).result.resultType).toBe("complete");
    expect((await ask(host, "tasks/get", { taskId })).result.status).toBe("input_required");
    const approval = { action: "accept", content: { decision: "apply" } };
    await ask(host, "tasks/update", { taskId, inputResponses: { [key]: approval } });
    expect(await ended(host, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "changed" }] },
    });
  });

  test("is told of through a subscription, with the whole task", async () => {
    await using host = open();
    const { result } = await call(host, "wait", { ms: 1200 });
    const params = { notifications: { taskIds: [result.taskId, "unknown"] }, _meta: META };
    host.burst([{ jsonrpc: "2.0", id: "sub", method: "subscriptions/listen", params }]);
    await ended(host, result.taskId);
    const [acknowledged, told] = host.messages.filter(({ method }) => method !== undefined);
    expect(acknowledged.params).toMatchObject({ notifications: { taskIds: [result.taskId] } });
    expect(told).toMatchObject({
      method: "notifications/tasks",
      params: {
        taskId: result.taskId,
        status: "completed",
        _meta: { "io.modelcontextprotocol/subscriptionId": "sub" },
      },
    });
  });

  test("the end of the input stops it", async () => {
    await using host = open();
    const before = stopped;
    await call(host, "wait", { ms: 1500 });
    host.session.endInput();
    await host.session.settled();
    expect(stopped).toBe(before + 1);
  });
});

test("a call that is not over when the input ends is answered itself", async () => {
  await using host = open();
  const params = { name: "wait", arguments: { ms: 1300 }, _meta: META };
  host.burst([{ jsonrpc: "2.0", id: "late", method: "tools/call", params }]);
  await Bun.sleep(50);
  host.session.endInput();
  await host.session.settled();
  expect((await host.answerTo("late")).result).toMatchObject({
    resultType: "complete",
    content: [{ text: "done" }],
  });
});

const busyCall = (id: string, meta: object): Json => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "busy", arguments: {}, _meta: { ...meta, progressToken: id } },
});

test("progress ends when the call has become a task, and when it is cancelled", async () => {
  const busy = defineTool({
    name: "busy",
    title: "Busy",
    summary: "Reports all the time.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({}),
    access: () => [],
    async run(_input, ctx) {
      for (let done = 1; done <= 30; done++) {
        ctx.progress(done, 30, "working");
        await Bun.sleep(50);
      }
      return { text: "done", structured: {} };
    },
  });
  await using host = openTestHost({ tools: [busy] });
  host.burst([busyCall("task", META), busyCall("cancelled", MODERN_META)]);
  await Bun.sleep(400);
  host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled" } }]);
  const told = (id: string): number =>
    host.messages.filter(({ params }) => params?.progressToken === id).length;
  const before = told("cancelled");
  const { taskId } = (await host.answerTo("task")).result;
  const atTask = told("task");
  expect(before).toBeGreaterThan(2);
  expect(atTask).toBeGreaterThan(5);
  await ended(host, taskId);
  expect([told("cancelled"), told("task")]).toEqual([before, atTask]);
});

describe("who does not know tasks", () => {
  test("waits for the answer", async () => {
    await using host = open();
    const modern = await call(host, "wait", { ms: 1100 }, MODERN_META);
    expect(modern.result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    const script = await host.request("tools/call", { name: "wait", arguments: { ms: 1100 } });
    expect(script.result.content[0].text).toBe("done");
  });

  test.each(["tasks/get", "tasks/update", "tasks/cancel"])("may not call %s", async (method) => {
    await using host = open();
    const params = { taskId: "x", inputResponses: {} };
    expect((await ask(host, method, params, MODERN_META)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    });
    expect((await ask(host, method, params)).error.code).toBe(-32602);
    expect((await host.request(method, params)).error.code).toBe(-32601);
  });

  test("may not listen to tasks", async () => {
    await using host = open();
    const params = { notifications: { taskIds: [] } };
    expect((await ask(host, "subscriptions/listen", params, MODERN_META)).error.code).toBe(-32021);
  });
});
