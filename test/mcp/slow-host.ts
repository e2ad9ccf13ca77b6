/**
 * A host on a clock that stands still, with tools that work until they are let go: what a client that knows tasks meets.
 */
import { z } from "zod";
import type { RawConfig } from "../../src/config/index.ts";
import { defineLocalTool } from "../../src/contract/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { MODERN_META, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

export const TASKS_ONLY = { extensions: { "io.modelcontextprotocol/tasks": {} } };
export const META: object = {
  ...MODERN_META,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, ...TASKS_ONLY },
};
/** A call that takes longer becomes a task. */
export const TASK_AFTER_MS = 10_000;
/** Longer than that, and still within what one call may take. */
export const LONG_MS: number = 5 * TASK_AFTER_MS;

export interface SlowHost extends AsyncDisposable {
  readonly host: TestHost;
  readonly clock: HandClock;
  /** How many calls have come so far. */
  readonly seen: { begun: number; stopped: number; ended: number };
  readonly letGo: () => void;
  /** Calls, and lets so much time pass that it becomes a task. @returns its answer */
  readonly becomeTask: (name: string, given?: object, meta?: object) => Promise<Json>;
}

export function openSlowHost(config: RawConfig = {}): SlowHost {
  const clock = new HandClock();
  const seen = { begun: 0, stopped: 0, ended: 0 };
  const end = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    seen.begun++;
    await end.promise;
    seen.ended++;
  };
  const wait = defineLocalTool({
    name: "wait",
    description: "Takes a while.",
    input: z.strictObject({ fails: z.boolean().optional().describe("Fails") }),
    async execute({ fails }, { signal }) {
      signal.addEventListener("abort", () => seen.stopped++);
      await work();
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
      await work();
      return { summary: "Change something", paths: [] };
    },
    execute: () => "changed",
  });
  const host = openTestHost({ tools: [wait, change], clock, config });
  return {
    host,
    clock,
    seen,
    letGo: end.resolve,
    async becomeTask(name, given = {}, meta = META) {
      const answer = call(host, name, given, meta);
      await until("the tool to begin", () => seen.begun > 0);
      await clock.passWhenAsked(config.tasksAfterMs ?? TASK_AFTER_MS);
      return await settled("the task", answer);
    },
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };
}

export const call = async (host: TestHost, name: string, given: object, meta: object = META): Promise<Json> =>
  await host.request("tools/call", { name, arguments: given, _meta: meta });
export const ask = async (host: TestHost, method: string, params: object, meta: object = META): Promise<Json> =>
  await host.request(method, { ...params, _meta: meta });

export async function ended(host: TestHost, taskId: string, status?: string): Promise<Json> {
  return await until(`the task to be ${status ?? "over"}`, async () => {
    const { result } = await ask(host, "tasks/get", { taskId });
    return (status === undefined ? result.status !== "working" : result.status === status) && result;
  });
}
