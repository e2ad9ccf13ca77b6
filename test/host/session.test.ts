/**
 * What a session keeps: cancellation without an answer, one answer for each id, progress only for those who asked and
 * only for long work, the errors of JSON-RPC itself.
 */
import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

function withLargeFile(): TestHost {
  const host = openTestHost({ files: { "a.txt": "a\n" } });
  writeFileSync(`${host.root}/large.bin`, "");
  // A hole: long to hash and nothing to write.
  truncateSync(`${host.root}/large.bin`, 1024 * 1024 * 1024);
  return host;
}

const hash = (id: number | string, meta?: object): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "hash_file", arguments: { path: "large.bin" }, ...(meta ? { _meta: meta } : {}) },
});
const cancel = (requestId: unknown): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

const write = (id: number, content: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "write_file", arguments: { path: "a.txt", content } },
});

describe("cancellation", () => {
  test("stops running and queued work, and neither is answered", async () => {
    await using host = withLargeFile();
    const started = performance.now();
    host.burst([hash("running"), hash("queued"), hash("queued too")]);
    await Bun.sleep(50);
    host.burst([cancel("queued too"), cancel("running"), cancel("queued")]);
    await host.session.settled();
    expect(performance.now() - started).toBeLessThan(1500);
    await host.request("ping");
    expect(host.messages.filter((message) => typeof message.id === "string")).toEqual([]);
    // The workers are free again.
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
  });

  test("of what is over, unknown or without an id does nothing", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const { request } = await host.call("read_file", { path: "a.txt" });
    host.burst([cancel(request), cancel("never seen"), cancel(null), cancel({}), cancel(undefined)]);
    expect((await host.request("ping")).result).toEqual({});
  });

  test("of a change that waits leaves the file alone", async () => {
    await using host = openTestHost({ files: { "a.txt": "old\n" }, config: { mode: "bypass" } });
    host.burst([write(1, "first\n"), write(2, "second\n"), cancel(2)]);
    await host.answerTo(1);
    await host.session.settled();
    expect(host.read("a.txt")).toBe("first\n");
    expect(host.messages.some((message) => message.id === 2)).toBe(false);
  });
});

describe("ids", () => {
  test("in flight may not be used again, and free ones may", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const read = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "stat", arguments: { path: "a.txt" } },
    };
    host.burst([read, read]);
    await host.session.settled();
    const answers = host.messages.filter((message) => message.id === 7);
    expect(new Set(answers.map((one) => one.error?.code ?? "result"))).toEqual(new Set([-32600, "result"]));
    expect(answers).toHaveLength(2);
    host.burst([read]);
    await host.session.settled();
    expect(host.messages.filter((message) => message.id === 7 && message.result)).toHaveLength(2);
  });

  test('1 and "1" are two', async () => {
    await using host = openTestHost();
    host.burst([
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: "1", method: "ping" },
    ]);
    await host.session.settled();
    await host.request("ping");
    expect(host.messages.slice(0, 2).map((message) => message.id)).toEqual([1, "1"]);
  });
});

const progressOf = (host: TestHost): Json[] =>
  host.messages.filter((message) => message.method === "notifications/progress");

describe("progress", () => {
  test("of long work with a token grows, comes after 200 ms and ends with the answer", async () => {
    await using host = withLargeFile();
    const started = performance.now();
    host.burst([hash(1, { progressToken: "tok" })]);
    while (progressOf(host).length === 0) await Bun.sleep(5);
    expect(performance.now() - started).toBeGreaterThan(190);
    await host.answerTo(1);
    const values = progressOf(host).map(({ params }) => params);
    expect(values.every(({ progressToken }) => progressToken === "tok")).toBe(true);
    const numbers = values.map(({ progress }) => progress as number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const sent = host.messages.length;
    await Bun.sleep(150);
    expect(host.messages.length).toBe(sent);
  });

  test("is not sent with a token that would make each of its lines longer than clients read", async () => {
    await using host = withLargeFile();
    host.burst([hash(1, { progressToken: "t".repeat(500_000) })]);
    expect((await host.answerTo(1)).result.isError).toBeUndefined();
    expect(progressOf(host)).toEqual([]);
  });

  test("is not sent without a token, nor for short work", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    await host.call("read_file", { path: "a.txt" }, { progressToken: 1 });
    await host.call("grep", { pattern: "a" });
    expect(progressOf(host)).toEqual([]);
  });
});

describe("lines that are no requests", () => {
  const cases: [line: string, id: unknown, code: number][] = [
    ["{", null, -32700],
    ["[]", null, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', 1, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}', 1, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}', 1, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"bogus"}}', 1, -32602],
    [`${"[".repeat(500)}${"]".repeat(500)}`, null, -32600],
  ];
  test.each(cases)("%s", async (line, id, code) => {
    await using host = openTestHost();
    host.send(line);
    expect((await host.answerTo(id as never)).error.code).toBe(code);
    expect((await host.request("ping")).result).toEqual({});
  });

  test("a response and an unknown notification are dropped", async () => {
    await using host = openTestHost();
    host.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    host.send('{"jsonrpc":"2.0","method":"notifications/whatever","params":{}}');
    host.send("");
    await host.request("ping");
    expect(host.messages).toHaveLength(1);
  });

  test("10,000 requests at once are all answered", async () => {
    await using host = openTestHost();
    host.burst(Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })));
    await host.session.settled();
    await host.request("ping");
    expect(new Set(host.messages.map((message) => message.id)).size).toBe(10_001);
  });
});
