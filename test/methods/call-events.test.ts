/**
 * What somebody who follows the events of a host learns of one call: every line of the record with its id, progress that is told
 * and never recorded, and that an answer was cut, with the id of the message that made the call.
 */
import { expect, test } from "bun:test";
import { z } from "zod";
import { defineTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const count = defineTool({
  name: "count",
  title: "Count",
  summary: "Counts aloud.",
  effect: "read",
  input: () => z.strictObject({ to: z.number().describe("The last number.") }),
  output: () => z.looseObject({}),
  access: () => [],
  async run({ to }, ctx) {
    for (let at = 1; at <= to; at++) ctx.progress(at, to, "numbers counted");
    return await Promise.resolve({ text: "done", structured: {} });
  },
});

async function follow(host: TestHost): Promise<(event: string) => Json[]> {
  await host.request("ringfence/events/subscribe", {});
  return (event) =>
    host.messages
      .filter(({ method, params }) => method === "ringfence/events" && params.event === event)
      .map(({ params }) => params);
}

test("progress is told to those who follow, once in a while, and is not on record", async () => {
  await using host = openTestHost({ tools: [...builtinTools, count] });
  const told = await follow(host);
  await host.call("count", { to: 1000 });
  await until("the end of the call", () => told("completed").length > 0);
  const [first, ...others] = told("progress");
  expect(first).toMatchObject({ tool: "count", done: 1, total: 1000, what: "numbers counted" });
  expect(others.length).toBeLessThan(100);
  expect(first.call).toBe(told("proposed").at(-1).id);
  expect(host.audit()).not.toContain('"event":"progress"');
});

test("an answer that was cut is an event and a line of the record, with how much there was", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}.txt`, "needle\n"]));
  await using host = openTestHost({ files });
  const told = await follow(host);
  await host.call("glob", { pattern: "*.txt", limit: 2 });
  const whole = await host.call("glob", { pattern: "*.txt" });
  await until("the end of both calls", () => told("completed").length === 2);
  const cut = told("truncated");
  expect(cut).toEqual([
    expect.objectContaining({ tool: "glob", matched: 9, returned: 2, call: told("proposed")[0].id }),
  ]);
  expect(host.audit().match(/"event":"truncated"/g)).toHaveLength(1);
  expect(told("proposed")[1].id).toBe(whole.result._meta["dev.ringfence/auditId"]);
});

test("the id of the caller's message is kept in the intent on record, as far as it is a short text", async () => {
  await using host = openTestHost({ files: { "a.txt": "a\n" } });
  const key = "dev.ringfence/messageId";
  await host.call("stat", { path: "a.txt" }, { [key]: "msg_01" });
  await host.call("stat", { path: "a.txt" }, { [key]: "x".repeat(500) });
  await host.call("stat", { path: "a.txt" }, { [key]: { not: "a text" } });
  const lines = host.audit().trim().split("\n");
  const proposed = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "proposed");
  expect(proposed.map(({ message }) => message)).toEqual(["msg_01", "x".repeat(100), undefined]);
});
