/**
 * The roots of a client, as a session sees them: asked for when they are declared, waited for, and never wider than the
 * roots of the host, whatever the client says.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { settled, until } from "../waits/until.ts";
import { HandClock } from "./hand-clock.ts";
import { openTestHost, type CallAnswer, type TestHost } from "./in-memory-host.ts";
import { ALL, connect, FILES, notify, open, reachable, read, SUB } from "./roots-client.ts";

/** How long a client may take to say what its roots are. */
const ANSWER_MS = 5000;

/** What needs no roots is answered, and no call that came before it has begun. */
async function areHeldBack(host: TestHost): Promise<void> {
  await host.request("tools/list");
  await host.request("ping");
  expect(host.audit()).not.toContain('"event":"proposed"');
}

describe("a client offers", () => {
  const cases: [what: string, paths: string[], left: string[]][] = [
    ["the root", ["."], ALL],
    ["a directory above it", [".."], ALL],
    ["a directory in it", ["sub"], SUB],
    ["two of them", ["subway", "sub/deep"], ["sub/deep/c.txt", "subway/d.txt"]],
    ["one beside it", ["../outside"], []],
    ["one beside it and one in it", ["../outside", "sub/deep"], ["sub/deep/c.txt"]],
    ["one that does not exist", ["missing"], []],
    ["nothing", [], ALL],
  ];
  test.each(cases)("the roots that a client offers narrow those of the host: %s", async (_what, paths, left) => {
    await using host = open();
    const client = await connect(host);
    await client.offer(...paths);
    expect(await reachable(host)).toEqual(left);
  });

  test("garbage that a client offers beside a directory is ignored", async () => {
    await using host = open();
    const client = await connect(host);
    const uri = pathToFileURL(join(host.root, "sub")).href;
    const roots = [null, { uri: 5 }, { uri: "https://a/b" }, { uri: `${uri}/%2e%2e` }, { uri }];
    await client.answer({ result: { roots } });
    expect(await reachable(host)).toEqual(SUB);
    expect(host.audit()).toContain(`"event":"roots","within":[${JSON.stringify(join(host.root, "sub"))}],"ignored":4`);
  });
});

describe("what leaves the roots as they are", () => {
  const answers: [what: string, members: object][] = [
    ["an error", { error: { code: -32601, message: "no" } }],
    ["a result that is no list", { result: { roots: 5 } }],
    ["a result without roots", { result: {} }],
    ["null", { result: null }],
  ];
  test.each(answers)("the roots stay as they are: %s", async (_what, members) => {
    await using host = open();
    const client = await connect(host);
    await client.answer(members);
    expect(await reachable(host)).toEqual(ALL);
  });

  test("an error leaves the roots as they are, also after a narrowing", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer("sub");
    client.changed();
    await client.answer({ error: { code: 1, message: "" } });
    expect(await reachable(host)).toEqual(SUB);
  });

  test("no answer, and no end of the handshake: calls wait for a while, and then go on in their order", async () => {
    const [silentClock, clock] = [new HandClock(), new HandClock()];
    await using silent = openTestHost({ files: FILES, clock: silentClock });
    await connect(silent);
    await using unfinished = openTestHost({ files: FILES, clock });
    await unfinished.request("initialize", { capabilities: { roots: {} } });
    const waiting = [silent, unfinished].map(async (host) => await reachable(host));
    silentClock.pass(ANSWER_MS - 1);
    clock.pass(ANSWER_MS - 1);
    for (const host of [silent, unfinished]) await areHeldBack(host);
    silentClock.pass(1);
    clock.pass(1);
    expect(await settled("the calls", Promise.all(waiting))).toEqual([ALL, ALL]);
    // The handshake may still be finished, and then counts.
    notify(unfinished, "notifications/initialized");
    const left = reachable(unfinished);
    await until("the question", () => unfinished.messages.some(({ method }) => method === "roots/list"));
    const roots = [{ uri: "file:///nowhere" }];
    unfinished.burst([{ jsonrpc: "2.0", id: "ringfence-1", result: { roots } }]);
    expect(await left).toEqual([]);
    // A late answer is one for the calls that come after it.
    silent.burst([{ jsonrpc: "2.0", id: "ringfence-1", result: { roots } }]);
    expect(await reachable(silent)).toEqual([]);
  });

  test("the end of the input instead of an answer: nothing waits", async () => {
    await using host = open();
    await connect(host);
    const answer = read(host, "a.txt");
    host.session.endInput();
    expect((await answer).text).toBe("top\n");
  });

  test("answers that nobody asked for, or that are malformed, leave the roots as they are", async () => {
    await using host = open();
    const client = await connect(host);
    const { id } = await client.asked();
    const result = { roots: [{ uri: "file:///nowhere" }] };
    for (const other of ["ringfence-99", 1, "1"]) host.burst([{ jsonrpc: "2.0", id: other, result }]);
    host.burst([
      { jsonrpc: "2.0", id, result, error: { code: 1, message: "both" } },
      { id, result },
    ]);
    host.burst([
      { jsonrpc: "2.0", id, error: { code: 1, message: "no" } },
      { jsonrpc: "2.0", id, result },
    ]);
    expect(await reachable(host)).toEqual(ALL);
  });
});

describe("nobody is asked", () => {
  test("nobody is asked for roots without the capability, before the handshake is over, in the modern era, or as a script", async () => {
    await using host = open();
    await host.modern("tools/list");
    const client = await connect(host, null);
    client.changed();
    expect(await reachable(host)).toEqual(ALL);
    expect(host.messages.filter((message) => "method" in message)).toEqual([]);
  });

  test("again, when changes were not declared", async () => {
    await using host = open();
    const client = await connect(host, {});
    await client.offer("sub");
    client.changed();
    expect(await reachable(host)).toEqual(SUB);
    expect(host.messages.filter((message) => "method" in message)).toHaveLength(1);
  });
});

describe("changes", () => {
  test("another handshake: asked again, and what was narrowed stays until there is an answer", async () => {
    await using host = open();
    const first = await connect(host);
    await first.offer("sub");
    expect(await reachable(host)).toEqual(SUB);
    await host.request("initialize", { capabilities: {} });
    expect(await reachable(host)).toEqual(SUB);
    await host.request("initialize", { capabilities: { roots: {} } });
    notify(host, "notifications/initialized");
    const left = reachable(host);
    await first.offer(".");
    expect(await left).toEqual(ALL);
  });

  test("roots that change to narrower, beside and wider again are never wider than the host's", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer(".");
    expect(await reachable(host)).toEqual(ALL);
    for (const [paths, left] of [
      [["sub/deep"], ["sub/deep/c.txt"]],
      [["../outside"], []],
      [["sub"], SUB],
      [["..", "/"], ALL],
    ] as const) {
      client.changed();
      await client.offer(...paths);
      expect(await reachable(host)).toEqual([...left]);
      expect((await read(host, "../outside/x")).failure?.code).toBe("outside_scope");
    }
  });

  test("while an answer is awaited are asked for once more, and calls wait for the last", async () => {
    await using host = open();
    const client = await connect(host);
    client.changed();
    client.changed();
    const answers = reachable(host);
    await client.offer(".");
    await client.offer("sub");
    expect(await answers).toEqual(SUB);
    expect(host.messages.filter((message) => "method" in message)).toHaveLength(2);
  });

  test("no call slips through: an answer and a call in one chunk", async () => {
    await using host = open();
    const client = await connect(host);
    const waiting = read(host, "a.txt");
    await client.offer("sub");
    const after = read(host, "a.txt");
    expect([(await waiting).failure?.code, (await after).failure?.code]).toEqual(["outside_scope", "outside_scope"]);
  });

  test("calls keep their order across the answer", async () => {
    await using host = openTestHost({ files: FILES, config: { mode: "accept_edits" } });
    const client = await connect(host);
    const append = async (content: string): Promise<CallAnswer> =>
      await host.call("append_file", { path: "sub/b.txt", content });
    const before = [append("1\n"), append("2\n")];
    await client.offer("sub");
    await Promise.all([...before, append("3\n"), append("4\n")]);
    expect(host.read("sub/b.txt")).toBe("sub\n1\n2\n3\n4\n");
  });
});
