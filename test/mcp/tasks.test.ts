/**
 * Long calls as tasks: for clients that declared the extension, with the result of the call, its failure and its end.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { defineTool } from "../../src/contract/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { MODERN_META, openTestHost, type Json } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";
import { ask, call, ended, LONG_MS, META, openSlowHost, TASK_AFTER_MS } from "./slow-host.ts";

describe("a call of a client that knows tasks", () => {
  test("a short call of a client that knows tasks is answered as ever", async () => {
    await using slow = openSlowHost();
    const answer = call(slow.host, "wait", {});
    await until("the tool to begin", () => slow.seen.begun > 0);
    slow.clock.pass(TASK_AFTER_MS - 1);
    slow.letGo();
    const { result } = await answer;
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
  });

  test("a long call of a client that knows tasks becomes a task, and the task has its result", async () => {
    await using slow = openSlowHost();
    const { host } = slow;
    const { result } = await slow.becomeTask("wait");
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 3_600_000 });
    expect(result.taskId).toMatch(/^task_[\w-]{22}$/);
    slow.letGo();
    expect(await ended(host, result.taskId)).toMatchObject({
      resultType: "complete",
      status: "completed",
      result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
    });
    expect((await ended(host, result.taskId)).result.content.at(-1).text).toBe("done");
  });

  test("a failure of the tool is a completed task", async () => {
    await using slow = openSlowHost();
    const { result } = await slow.becomeTask("wait", { fails: true });
    slow.letGo();
    expect(await ended(slow.host, result.taskId)).toMatchObject({
      status: "completed",
      result: { isError: true },
    });
    expect(slow.host.log().join("\n")).toContain("Error: on purpose");
  });

  test("a task can be cancelled, also twice, and its work is told", async () => {
    await using slow = openSlowHost();
    const { host, seen } = slow;
    const { result } = await slow.becomeTask("wait");
    const { taskId } = result;
    expect((await ask(host, "tasks/cancel", { taskId })).result.resultType).toBe("complete");
    expect((await ended(host, taskId)).status).toBe("cancelled");
    expect(seen.stopped).toBe(1);
    expect((await ask(host, "tasks/cancel", { taskId })).result.resultType).toBe("complete");
    slow.letGo();
    await until("the work to end all the same", () => seen.ended === 1);
    await host.request("ping");
    expect((await ended(host, taskId)).status).toBe("cancelled");
  });

  test("a subscription tells of a task, with the whole task", async () => {
    await using slow = openSlowHost();
    const { host } = slow;
    const { result } = await slow.becomeTask("wait");
    const params = { notifications: { taskIds: [result.taskId, "unknown"] }, _meta: META };
    host.burst([{ jsonrpc: "2.0", id: "sub", method: "subscriptions/listen", params }]);
    await until("the acknowledgement", () => host.messages.some(({ method }) => method !== undefined));
    slow.letGo();
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
    await using slow = openSlowHost();
    await slow.becomeTask("wait");
    slow.host.session.endInput();
    await settled("the session", slow.host.session.settled());
    expect(slow.seen.stopped).toBe(1);
  });
});

test("a call that is not over when the input ends is answered itself", async () => {
  await using slow = openSlowHost();
  const { host } = slow;
  const params = { name: "wait", arguments: {}, _meta: META };
  host.burst([{ jsonrpc: "2.0", id: "late", method: "tools/call", params }]);
  await until("the tool to begin", () => slow.seen.begun > 0);
  host.session.endInput();
  await slow.clock.passWhenAsked(TASK_AFTER_MS);
  slow.letGo();
  await settled("the session", host.session.settled());
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
  const reports: (() => void)[] = [];
  const end = Promise.withResolvers<void>();
  let done = 0;
  const busy = defineTool({
    name: "busy",
    title: "Busy",
    summary: "Reports when it is told to.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({}),
    access: () => [],
    async run(_input, ctx) {
      reports.push(() => ctx.progress(++done, 100, "working"));
      await end.promise;
      return { text: "done", structured: {} };
    },
  });
  const clock = new HandClock();
  await using host = openTestHost({ tools: [busy], clock });
  host.burst([busyCall("task", META), busyCall("cancelled", MODERN_META)]);
  await until("both to begin", () => reports.length === 2);
  const report = (): void => reports.forEach((one) => one());
  const told = (id: string): number => host.messages.filter(({ params }) => params?.progressToken === id).length;
  report();
  report();
  host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled" } }]);
  report();
  await host.request("ping");
  expect([told("cancelled"), told("task")]).toEqual([2, 3]);
  await clock.passWhenAsked(TASK_AFTER_MS);
  const { taskId } = (await host.answerTo("task")).result;
  const atTask = told("task");
  report();
  clock.pass(TASK_AFTER_MS);
  end.resolve();
  await ended(host, taskId);
  expect([told("cancelled"), told("task")]).toEqual([2, atTask]);
});

describe("who does not know tasks", () => {
  test("a client that does not know tasks waits for the answer", async () => {
    await using slow = openSlowHost();
    const { host, clock, seen } = slow;
    const modern = call(host, "wait", {}, MODERN_META);
    const script = host.request("tools/call", { name: "wait", arguments: {} });
    await until("both to begin", () => seen.begun === 2);
    clock.pass(LONG_MS);
    await host.request("ping");
    expect(host.messages).toHaveLength(1);
    slow.letGo();
    expect((await modern).result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    expect((await script).result.content.at(-1).text).toBe("done");
  });

  test.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "a client that does not know tasks may not call %s",
    async (method) => {
      await using slow = openSlowHost();
      const { host } = slow;
      const params = { taskId: "x", inputResponses: {} };
      expect((await ask(host, method, params, MODERN_META)).error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      });
      expect((await ask(host, method, params)).error.code).toBe(-32602);
      expect((await host.request(method, params)).error.code).toBe(-32601);
    },
  );

  test("a client that does not know tasks may not listen to tasks", async () => {
    await using slow = openSlowHost();
    const { host } = slow;
    const params = { notifications: { taskIds: [] } };
    expect((await ask(host, "subscriptions/listen", params, MODERN_META)).error.code).toBe(-32021);
  });
});
