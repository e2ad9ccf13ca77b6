/**
 * Tools that come and go while a host runs: both eras hear of it, the list and the calls follow, what runs goes on, and what
 * cannot be added harms nothing.
 */
import { expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool, type Tool } from "../../src/contract/index.ts";
import { until } from "../waits/until.ts";
import { openTestHost, type TestHost } from "./in-memory-host.ts";

function said(name: string, answer: () => unknown = () => name): Tool {
  return defineLocalTool({ name, description: `Says ${name}.`, input: z.strictObject({}), execute: answer });
}

async function names(host: TestHost): Promise<string[]> {
  const { tools } = (await host.modern("tools/list")).result;
  return (tools as { readonly name: string }[]).map(({ name }) => name);
}

function heard(host: TestHost): number {
  return host.messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
}

async function shakeHands(host: TestHost): Promise<void> {
  await host.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  host.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);
}

test("a tool that is added while the host runs is announced, listed behind the others and called", async () => {
  await using host = openTestHost();
  await shakeHands(host);
  const before = await names(host);
  expect(await host.host.changeTools({ add: [said("late"), said("later")] })).toEqual({
    added: ["late", "later"],
    removed: [],
    refused: [],
  });
  expect(heard(host)).toBe(1);
  expect(await names(host)).toEqual([...before, "late", "later"]);
  expect((await host.call("late")).text).toBe("late");
  expect(host.audit()).toContain(`"event":"tools","added":["late","later"],"removed":[]`);
});

test("a tool that is removed while the host runs is announced, gone from the list and unknown to a call", async () => {
  await using host = openTestHost();
  await shakeHands(host);
  await host.host.changeTools({ add: [said("late")] });
  expect(await host.host.changeTools({ remove: ["late", "never_there"] })).toMatchObject({ removed: ["late"] });
  expect(heard(host)).toBe(2);
  expect(await names(host)).not.toContain("late");
  expect((await host.request("tools/call", { name: "late", arguments: {} })).error.code).toBe(-32602);
  expect(await host.host.changeTools({ remove: ["late"] })).toMatchObject({ removed: [] });
  expect(heard(host)).toBe(2);
});

test("a subscription of the modern era hears that the list of tools has changed", async () => {
  await using host = openTestHost();
  void host.modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
  await until("the subscription", () =>
    host.messages.some(({ method }) => method === "notifications/subscriptions/acknowledged"),
  );
  const acknowledged = host.messages.find(({ method }) => method === "notifications/subscriptions/acknowledged");
  expect(acknowledged?.params.notifications).toEqual({ toolsListChanged: true });
  await host.host.changeTools({ add: [said("late")] });
  expect(heard(host)).toBe(1);
});

test("a tool that cannot be added is refused by name and reason, and the others of the change are taken", async () => {
  await using host = openTestHost({ config: { toolList: { deny: ["hidden"] } } });
  const add = [said("read_file"), said("No Name"), said("hidden"), said("good")];
  const { added, refused } = await host.host.changeTools({ add });
  expect(added).toEqual(["good"]);
  expect(refused.map(({ name }) => name)).toEqual(["read_file", "No Name", "hidden"]);
  expect(refused[0]?.why).toContain("a tool or alias has it already");
  expect(await names(host)).not.toContain("hidden");
});

test("a call goes on when its tool is removed", async () => {
  await using host = openTestHost();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: let_, resolve: letGo } = Promise.withResolvers<void>();
  const slow = said("slow", async () => {
    begin();
    await let_;
    return "done";
  });
  await host.host.changeTools({ add: [slow] });
  const answer = host.call("slow");
  await begun;
  await host.host.changeTools({ remove: ["slow"] });
  letGo();
  expect((await answer).text).toBe("done");
});

test("a dialect lists a tool that comes and not one that went", async () => {
  await using host = openTestHost({ config: { dialect: "construct" } });
  expect(await names(host)).toContain("read");
  await host.host.changeTools({ add: [said("late")], remove: ["read_file"] });
  const after = await names(host);
  expect(after).toContain("late");
  expect(after).not.toContain("read");
});
