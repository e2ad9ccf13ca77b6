/**
 * Log messages to the client: only from the level on that it named, in the modern era only for the request that named
 * one, and never with contents. The caller's trace goes into the record.
 */
import { expect, test } from "bun:test";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "secret words\n" };
const messages = (host: TestHost): Json[] =>
  host.messages.filter(({ method }) => method === "notifications/message").map(({ params }) => params);
const read = { name: "read_file", arguments: { path: "a.txt" } };
const LEVEL = "io.modelcontextprotocol/logLevel";

test("a handshake client hears of calls when it asked to", async () => {
  await using host = openTestHost({ files: FILES });
  await host.request("initialize", { protocolVersion: "2025-11-25" });
  await host.request("tools/call", read);
  expect(messages(host)).toEqual([]);
  expect((await host.request("logging/setLevel", { level: "debug" })).result).toEqual({});
  await host.request("tools/call", read);
  await host.request("tools/call", { name: "read_file", arguments: { path: "none" } });
  expect(messages(host)).toEqual([
    { level: "debug", logger: "ringfence.calls", data: { tool: "read_file", done: true } },
    { level: "info", logger: "ringfence.calls", data: { tool: "read_file", failed: "not_found" } },
  ]);
  await host.request("logging/setLevel", { level: "error" });
  await host.request("tools/call", { name: "read_file", arguments: { path: "none" } });
  expect(messages(host)).toHaveLength(2);
  expect((await host.request("logging/setLevel", { level: "loud" })).error.code).toBe(-32602);
});

test("a modern request hears of itself only", async () => {
  await using host = openTestHost({ files: FILES });
  await host.modern("tools/call", read);
  expect(messages(host)).toEqual([]);
  await host.modern("tools/call", { ...read, _meta: { [LEVEL]: "debug" } });
  expect(messages(host)).toHaveLength(1);
  await host.modern("tools/call", { ...read, _meta: { [LEVEL]: "warning" } });
  expect(messages(host)).toHaveLength(1);
  expect((await host.modern("tools/call", { ...read, _meta: { [LEVEL]: "loud" } })).error.code).toBe(-32602);
  expect((await host.modern("logging/setLevel", { level: "info" })).error.code).toBe(-32601);
});

test("a change that waits for a person is told as proposed, and one that is made as done", async () => {
  await using host = openTestHost({ files: FILES });
  const write = { name: "write_file", arguments: { path: "b.txt", content: "b" } };
  await host.modern("tools/call", { ...write, _meta: { [LEVEL]: "info" } });
  await host.modern("tools/call", {
    ...write,
    arguments: { path: "a.txt" },
    name: "delete",
    _meta: { [LEVEL]: "info" },
  });
  expect(messages(host).map(({ data }) => data)).toEqual([
    { tool: "write_file", proposed: true },
    { tool: "delete", proposed: true },
  ]);
});

test("a script hears nothing, and is told so", async () => {
  await using host = openTestHost({ files: FILES });
  expect((await host.request("logging/setLevel", { level: "debug" })).error.code).toBe(-32601);
  await host.request("tools/call", read);
  expect(messages(host)).toEqual([]);
});

test("a trace that is one is put on record", async () => {
  await using host = openTestHost({ files: FILES });
  const trace = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
  await host.modern("tools/call", { ...read, _meta: { traceparent: trace } });
  await host.modern("tools/call", { ...read, _meta: { traceparent: "secret words" } });
  expect(host.audit()).toContain(`"trace":"${trace}"`);
  expect(host.audit()).not.toContain("secret words");
});
