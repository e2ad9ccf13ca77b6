/**
 * Which calls become tasks: those that take longer than ten seconds, or than the configuration says, and never one that may
 * ask a person, whose question would be in the background then.
 */
import { expect, test } from "bun:test";
import { until } from "../waits/until.ts";
import { call, ended, LONG_MS, META, openSlowHost, TASKS_ONLY } from "./slow-host.ts";

test("a call stays one when it may ask a person, and asks by its answer", async () => {
  await using slow = openSlowHost();
  const { host, clock, seen } = slow;
  const answer = call(host, "slow_change", {});
  await until("the tool to begin", () => seen.begun > 0);
  clock.pass(LONG_MS);
  await host.request("ping");
  expect(host.messages).toHaveLength(1);
  slow.letGo();
  const { result } = await answer;
  expect(result.resultType).toBe("input_required");
  const [key = ""] = Object.keys(result.inputRequests);
  expect(result.inputRequests[key].params.message).toContain("Change something");
});

test("a call becomes a task when its change has nobody to ask", async () => {
  await using slow = openSlowHost();
  const given = { ...META, "io.modelcontextprotocol/clientCapabilities": TASKS_ONLY };
  const { result } = await slow.becomeTask("slow_change", {}, given);
  slow.letGo();
  const { status, result: made } = await ended(slow.host, result.taskId);
  expect([status, made.content.at(-1).text]).toEqual(["completed", expect.stringContaining("Change something")]);
});

test("tasks_after_ms says how long a call may take before it becomes one", async () => {
  await using slow = openSlowHost({ tasksAfterMs: 250 });
  const { result } = await slow.becomeTask("wait");
  expect(result.resultType).toBe("task");
  slow.letGo();
  expect((await ended(slow.host, result.taskId)).status).toBe("completed");
});

test("with tasks_after_ms: 0 no call ever becomes one", async () => {
  await using slow = openSlowHost({ tasksAfterMs: 0 });
  const answer = call(slow.host, "wait", {});
  await until("the tool to begin", () => slow.seen.begun > 0);
  slow.clock.pass(LONG_MS);
  await slow.host.request("ping");
  slow.letGo();
  expect((await answer).result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
});
