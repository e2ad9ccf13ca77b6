/**
 * What a session keeps: cancellation without an answer, one answer for each id, progress only for those who asked and
 * only for long work, the errors of JSON-RPC itself.
 */
import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { defineTool } from "../../src/contract/index.ts";
import { settled, until } from "../waits/until.ts";
import { HandClock } from "./hand-clock.ts";
import { openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

/** Nobody sees the end of hashing it: a hole, so large that the call reaches its limit of minutes before. */
const ENDLESS_BYTES = 4 * 1024 ** 4;

function withEndlessFile(): TestHost {
  const host = openTestHost({ files: { "a.txt": "a\n" } });
  writeFileSync(`${host.root}/large.bin`, "");
  truncateSync(`${host.root}/large.bin`, ENDLESS_BYTES);
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
    await using host = withEndlessFile();
    host.burst([hash("running", { progressToken: "tok" }), hash("queued"), hash("queued too")]);
    await until("a worker to say how far it is", () => hashedOf(host).length > 0);
    host.burst([cancel("queued too"), cancel("running"), cancel("queued")]);
    await settled("the calls that were cancelled", host.session.settled());
    await host.request("ping");
    expect(host.messages.filter((message) => typeof message.id === "string")).toEqual([]);
    // The workers are free again.
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
  });

  test("a cancellation of what is over, unknown or without an id does nothing", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const { request } = await host.call("read_file", { path: "a.txt" });
    host.burst([cancel(request), cancel("never seen"), cancel(null), cancel({}), cancel(undefined)]);
    expect((await host.request("ping")).result).toEqual({});
  });

  test("a cancellation of everything, as at the end of a host, lets nothing more begin", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "bypass" } });
    await host.call("write_file", { path: "b.txt", content: "b\n" });
    const before = host.audit();
    host.session.cancelAll();
    host.burst([write(1, "changed\n")]);
    await settled("whatever was begun", host.session.settled());
    expect(host.audit()).toBe(before);
    expect(host.read("a.txt")).toBe("a\n");
  });

  test("a cancellation of a change that waits leaves the file alone", async () => {
    await using host = openTestHost({ files: { "a.txt": "old\n" }, config: { mode: "bypass" } });
    host.burst([write(1, "first\n"), write(2, "second\n"), cancel(2)]);
    await host.answerTo(1);
    await settled("the calls", host.session.settled());
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
    await settled("the calls", host.session.settled());
    const answers = host.messages.filter((message) => message.id === 7);
    expect(new Set(answers.map((one) => one.error?.code ?? "result"))).toEqual(new Set([-32600, "result"]));
    expect(answers).toHaveLength(2);
    host.burst([read]);
    await settled("the calls", host.session.settled());
    expect(host.messages.filter((message) => message.id === 7 && message.result)).toHaveLength(2);
  });

  test('1 and "1" are two', async () => {
    await using host = openTestHost();
    host.burst([
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: "1", method: "ping" },
    ]);
    await settled("the calls", host.session.settled());
    await host.request("ping");
    expect(host.messages.slice(0, 2).map((message) => message.id)).toEqual([1, "1"]);
  });
});

const progressOf = (host: TestHost): Json[] =>
  host.messages.filter((message) => message.method === "notifications/progress");

/** Long, and below the limit of a call. */
const LONG_MS = 50_000;

/** What a worker has said of its own accord. */
const hashedOf = (host: TestHost): Json[] =>
  progressOf(host).filter(({ params }) => / [kMGT]?B hashed$/.test(params.message));

interface Busy extends AsyncDisposable {
  readonly host: TestHost;
  readonly clock: HandClock;
  /** Calls a tool that works until it is let go. @returns how it reports */
  readonly begin: (progressToken?: unknown) => Promise<(done: number) => void>;
  /** @returns the answer */
  readonly letGo: () => Promise<Json>;
}

function openBusy(): Busy {
  const clock = new HandClock();
  const begun = Promise.withResolvers<(done: number) => void>();
  const end = Promise.withResolvers<void>();
  const busy = defineTool({
    name: "busy",
    title: "Busy",
    summary: "Works until it is let go.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({}),
    access: () => [],
    async run(_input, ctx) {
      begun.resolve((done) => ctx.progress(done, 100, "bytes weighed"));
      await end.promise;
      return { text: "done", structured: {} };
    },
  });
  const host = openTestHost({ tools: [busy], clock });
  return {
    host,
    clock,
    async begin(progressToken) {
      const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
      const params = { name: "busy", arguments: {}, ...meta };
      host.burst([{ jsonrpc: "2.0", id: 1, method: "tools/call", params }]);
      return await settled("the tool to begin", begun.promise);
    },
    async letGo() {
      end.resolve();
      return await settled("the answer", host.answerTo(1));
    },
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };
}

/** What was sent before the answer to a ping. */
async function numbersOf(host: TestHost): Promise<number[]> {
  await host.request("ping");
  return progressOf(host).map(({ params }) => params.progress);
}

describe("progress", () => {
  test("progress of long work with a token comes after 200 ms, grows and ends with the answer", async () => {
    await using busy = openBusy();
    const { host, clock } = busy;
    const report = await busy.begin("tok");
    clock.pass(199);
    expect(await numbersOf(host)).toEqual([]);
    clock.pass(1);
    expect(await numbersOf(host)).toEqual([1]);
    report(40);
    report(30);
    clock.pass(999);
    expect(await numbersOf(host)).toEqual([1, 40, 41]);
    clock.pass(1);
    expect(await numbersOf(host)).toEqual([1, 40, 41, 42]);
    expect(progressOf(host).every(({ params }) => params.progressToken === "tok")).toBe(true);
    expect((await busy.letGo()).result.content.at(-1).text).toBe("done");
    report(90);
    clock.pass(LONG_MS);
    expect(await numbersOf(host)).toHaveLength(4);
  });

  test("progress says how far it is in words, with the total from its first notification on", async () => {
    await using busy = openBusy();
    const { host, clock } = busy;
    const report = await busy.begin("tok");
    report(20);
    expect(await numbersOf(host)).toEqual([20]);
    clock.pass(1000);
    report(60);
    expect(await numbersOf(host)).toEqual([20, 21, 60]);
    const told = progressOf(host).map(({ params }) => [params.total, params.message]);
    expect(told).toEqual([
      [100, "20 of 100 bytes weighed"],
      [100, "20 of 100 bytes weighed, still working after 1.0 s"],
      [100, "60 of 100 bytes weighed"],
    ]);
    await busy.letGo();
  });

  test("progress of work that says nothing says for how long it has worked", async () => {
    await using busy = openBusy();
    const { host, clock } = busy;
    await busy.begin("tok");
    clock.pass(200);
    clock.pass(1000);
    clock.pass(60_000);
    await numbersOf(host);
    const told = progressOf(host).map(({ params }) => params.message as string);
    expect(told.slice(0, 2)).toEqual(["still working after 0.2 s", "still working after 1.2 s"]);
    expect(told.at(-1)).toBe("still working after 61.2 s");
    await busy.letGo();
  });

  test("progress comes from a worker while it works", async () => {
    await using host = withEndlessFile();
    host.burst([hash(1, { progressToken: "tok" })]);
    await until("three reports", () => hashedOf(host).length >= 3);
    const numbers = await numbersOf(host);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(hashedOf(host).every(({ params }) => params.total === ENDLESS_BYTES)).toBe(true);
    host.burst([cancel(1)]);
    await settled("the call that was cancelled", host.session.settled());
  });

  test("progress is not sent with a token that would make each of its lines longer than clients read", async () => {
    await using busy = openBusy();
    (await busy.begin("t".repeat(500_000)))(40);
    busy.clock.pass(LONG_MS);
    expect((await busy.letGo()).result.isError).toBeUndefined();
    expect(await numbersOf(busy.host)).toEqual([]);
  });

  test("progress is not sent without a token, nor for short work", async () => {
    await using busy = openBusy();
    (await busy.begin())(40);
    busy.clock.pass(LONG_MS);
    await busy.letGo();
    expect(await numbersOf(busy.host)).toEqual([]);
    const clock = new HandClock();
    await using host = openTestHost({ files: { "a.txt": "a\n" }, clock });
    await host.call("read_file", { path: "a.txt" }, { progressToken: 1 });
    clock.pass(LONG_MS);
    expect(await numbersOf(host)).toEqual([]);
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
  test.each(cases)("a line that is no request is answered as one: %s", async (line, id, code) => {
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
    await settled("the calls", host.session.settled());
    await host.request("ping");
    expect(new Set(host.messages.map((message) => message.id)).size).toBe(10_001);
  });
});
