/**
 * The broker by what it is asked: names that lead to addresses of every kind, credentials, limits. Its
 * resolver is handed in, so that a name can mean what an attacker would have it mean.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { HandClock } from "../host/hand-clock.ts";
import { brokerOf } from "./test-broker.ts";

const MIB = 1024 * 1024;

let heard: { readonly url: string; readonly headers: Headers; readonly body: string }[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    heard.push({ url: request.url, headers: request.headers, body: await request.text() });
    return answerOf(new URL(request.url).pathname);
  },
});
const { port = 0 } = server;
afterAll(async () => await server.stop(true));

/** With the server of this file under names that end in `.test`, unless the pack says otherwise. */
function brokerAt(given: Parameters<typeof brokerOf>[0]): ReturnType<typeof brokerOf> {
  return brokerOf({ ...given, pack: { reach: [`*.test:${port}`], ...given.pack } });
}

function answerOf(path: string): Response {
  if (path === "/long") return new Response("x".repeat(10_000_000));
  if (path === "/longest") return new Response(new Uint8Array(36 * MIB).fill(120));
  if (path === "/endless")
    return new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(65_536));
          await Promise.resolve();
        },
      }),
    );
  if (path === "/slow") return new Response(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1)) }));
  return new Response("here");
}

describe("a name", () => {
  const LOOPBACK = { ranges: ["127.0.0.0/8"] };

  test("a name is dialled at the address that was checked, under its own name", async () => {
    heard = [];
    const broker = brokerAt({ names: { "a.test": ["127.0.0.1"] }, network: LOOPBACK });
    expect(await broker.get(`http://a.test:${port}/x?y=1`)).toMatchObject({ status: 200, address: "127.0.0.1" });
    expect(heard.map(({ headers }) => headers.get("host"))).toEqual([`a.test:${port}`]);
  });

  test.each([
    ["this machine", ["127.0.0.1"]],
    ["this machine over IPv6", ["::1"]],
    ["no address", ["0.0.0.0"]],
    ["a private network", ["10.0.0.1"]],
    ["a private network", ["192.168.1.1"]],
    ["a private network over IPv6", ["fd12::1"]],
    ["a link", ["169.254.1.1"]],
    ["a link over IPv6", ["fe80::1"]],
    ["a carrier's network", ["100.64.0.1"]],
    ["a benchmark network", ["198.18.0.1"]],
    ["many", ["224.0.0.1"]],
    ["all", ["255.255.255.255"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["a compatible address", ["::127.0.0.1"]],
    ["an address behind NAT64", ["64:ff9b::7f00:1"]],
    ["an address behind a NAT64 of its own", ["64:ff9b:1::8080:808"]],
    ["an address behind 6to4", ["2002:7f00:1::"]],
    ["an address behind Teredo", ["2001:0:4136:e378:8000:63bf:80ff:fffe"]],
    ["a translated address", ["::ffff:0:7f00:1"]],
    ["a metadata service", ["169.254.169.254"]],
    ["a public and a private address", ["93.184.216.34", "127.0.0.1"]],
    ["a private and a public address", ["10.0.0.1", "93.184.216.34"]],
    ["nothing", []],
    ["no address at all", ["localhost"]],
  ])("a name that leads to %s is refused as a whole", async (_what, addresses) => {
    heard = [];
    const broker = brokerAt({ names: { "a.test": addresses } });
    expect(await broker.get(`http://a.test:${port}/`)).toMatchObject({ problem: "denied" });
    expect(heard).toEqual([]);
  });

  test.each([
    ["169.254.169.254"],
    ["::ffff:169.254.169.254"],
    ["64:ff9b::a9fe:a9fe"],
    ["fd00:ec2::254"],
    ["100.100.100.200"],
  ])("the metadata service %s is never dialled, whatever ranges are open", async (address) => {
    const network = { ranges: ["0.0.0.0/0", "::/0"] };
    const broker = brokerAt({ names: { "a.test": [address] }, network });
    expect(await broker.get(`http://a.test:${port}/`)).toMatchObject({
      problem: "denied",
      why: expect.stringContaining("metadata"),
    });
  });

  test("a name outside of the reach is not even looked up", async () => {
    const broker = brokerAt({ names: { "a.other": ["127.0.0.1"] }, network: LOOPBACK });
    for (const url of [`http://a.other:${port}/`, `http://a.test:1/`, `http://test:${port}/`, `http://atest:${port}/`])
      expect(await broker.get(url)).toMatchObject({ problem: "denied", why: "it is not in reach" });
    expect(broker.asked).toEqual([]);
  });

  test("an address that is listed as such is dialled, and leads no name there", async () => {
    const broker = brokerAt({
      pack: { reach: [`127.0.0.1:${port}`, `a.test:${port}`] },
      names: { "a.test": ["127.0.0.1"] },
    });
    expect(await broker.get(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
    expect(await broker.get(`http://a.test:${port}/`)).toMatchObject({ problem: "denied" });
  });

  test("localhost means this machine, whatever the resolver says", async () => {
    const pack = { reach: [`localhost:${port}`] };
    expect(
      await brokerAt({ pack, names: { localhost: ["127.0.0.1"] } }).get(`http://localhost:${port}/`),
    ).toMatchObject({
      status: 200,
    });
    expect(await brokerAt({ pack, names: { localhost: ["10.0.0.1"] } }).get(`http://localhost:${port}/`)).toMatchObject(
      {
        problem: "denied",
      },
    );
  });
});

describe("what comes", () => {
  const given = { pack: { reach: [`127.0.0.1:${port}`] } };

  test.each([
    ["/long", { maxBytes: 9_999_999 }, "too_large"],
    ["/endless", {}, "too_large"],
    ["/slow", { timeoutMs: 200 }, "timed_out"],
  ])("an answer at %s that is too much ends as %j", async (path, more, problem) => {
    expect(await brokerAt(given).get(`http://127.0.0.1:${port}${path}`, more)).toMatchObject({ problem });
  });

  test("answers that are fetched at once arrive whole, and one that has no room is refused", async () => {
    const clock = new HandClock();
    const broker = brokerAt({ ...given, clock });
    const get = async (): Promise<object> =>
      await broker.get(`http://127.0.0.1:${port}/longest`, { maxBytes: 40 * MIB, timeoutMs: 300_000 });
    const fetched = [await get(), await get(), await get(), await get()];
    expect(await get()).toMatchObject({ problem: "full" });
    for (const said of fetched) expect(await sizeOf(broker, said)).toBe(36 * MIB);
    for (let unfetched = 0; unfetched < 4; unfetched++) await get();
    expect(await get()).toMatchObject({ problem: "full" });
    clock.pass(20_001);
    expect(await get()).toMatchObject({ status: 200 });
  });

  test("an answer that is being fetched slowly keeps its place, and one that nobody fetches loses it", async () => {
    const clock = new HandClock();
    const broker = brokerAt({ ...given, clock });
    const get = async () =>
      (await broker.get(`http://127.0.0.1:${port}/longest`, { maxBytes: 40 * MIB, timeoutMs: 300_000 })) as {
        more: string;
      };
    const slow = await get();
    const begun = (await broker.call("more", { handle: slow.more })) as { body: string; more?: string };
    for (let unfetched = 0; unfetched < 3; unfetched++) await get();
    clock.pass(20_001);
    expect(await get()).toMatchObject({ status: 200 });
    expect(await sizeOf(broker, begun)).toBeGreaterThan(20 * MIB);
  });

  test("a long body comes and goes in pieces", async () => {
    const broker = brokerAt(given);
    const said = await broker.get(`http://127.0.0.1:${port}/long`, { maxBytes: 20_000_000 });
    expect(await sizeOf(broker, said)).toBe(10_000_000);
    heard = [];
    const data = Buffer.alloc(3_000_000, "a").toString("base64");
    const { handle } = (await broker.call("put", { at: 0, data })) as { handle: string };
    await broker.call("put", { handle, at: 3_000_000, data });
    await broker.get(`http://127.0.0.1:${port}/`, { method: "POST", handle });
    expect(heard[0]?.body.length).toBe(6_000_000);
  });

  const piece = Buffer.alloc(15 * MIB, "a").toString("base64");

  async function putAll(broker: ReturnType<typeof brokerOf>, pieces: number, handle?: string): Promise<string> {
    let name = handle;
    for (let at = 0; at < pieces; at++)
      ({ handle: name } = (await broker.call("put", { handle: name, at: at * 15 * MIB, data: piece })) as {
        handle: string;
      });
    return name ?? "";
  }

  test("a piece that follows a lost one is refused, and begins no body of its own", async () => {
    heard = [];
    const broker = brokerAt(given);
    const handle = await putAll(broker, 1);
    for (const [where, ask] of [
      [broker, { handle, at: 30 * MIB }],
      [broker, { handle, at: 1 }],
      [broker, { at: 15 * MIB }],
      [brokerAt(given), { handle, at: 15 * MIB }],
    ] as const)
      await expect(where.call("put", { ...ask, data: "YQ==" })).rejects.toMatchObject({
        data: { code: "command_failed", retry: "later" },
      });
    const url = `http://127.0.0.1:${port}/`;
    await expect(brokerAt(given).get(url, { method: "POST", handle })).rejects.toMatchObject({
      code: "command_failed",
    });
    expect(heard).toEqual([]);
  });

  test("bodies that are sent at once arrive whole, and one that has no room is refused", async () => {
    heard = [];
    const clock = new HandClock();
    const broker = brokerAt({ ...given, clock });
    const url = `http://127.0.0.1:${port}/`;
    const handles = [await putAll(broker, 4), await putAll(broker, 4), await putAll(broker, 4)];
    await expect(putAll(broker, 1)).rejects.toMatchObject({ code: "busy" });
    await broker.get(url, { method: "POST", handle: handles[0] });
    expect(heard[0]?.body.length).toBe(60 * MIB);
    // Whoever sent the others has left.
    clock.pass(61_000);
    await putAll(broker, 8);
    await expect(broker.get(url, { method: "POST", handle: handles[1] })).rejects.toMatchObject({
      code: "command_failed",
    });
  });

  test("a name that is looked up for ever ends with the time of the request", async () => {
    const names = { "a.test": new Promise<never>(() => undefined) };
    expect(await brokerAt({ names }).get(`http://a.test:${port}/`, { timeoutMs: 50 })).toMatchObject({
      problem: "timed_out",
    });
  });

  test("a host has so many requests within a minute, and others have theirs", async () => {
    const broker = brokerAt({
      pack: { reach: [`127.0.0.1:${port}`, `localhost:${port}`], perMinute: 2 },
      names: { localhost: ["127.0.0.1"] },
    });
    const url = `http://127.0.0.1:${port}/`;
    const said = [await broker.get(url), await broker.get(url), await broker.get(url)];
    expect(said.map(({ status, problem }) => status ?? problem)).toEqual([200, 200, "busy"]);
    expect(await broker.get(`http://localhost:${port}/`)).toMatchObject({ status: 200 });
  });
});

/** How many bytes a body has, its further pieces fetched. */
async function sizeOf(broker: ReturnType<typeof brokerOf>, said: object): Promise<number> {
  let size = 0;
  let piece = said as { readonly body: string; readonly more?: string | undefined };
  for (;;) {
    size += Buffer.from(piece.body, "base64").length;
    if (piece.more === undefined) return size;
    piece = (await broker.call("more", { handle: piece.more })) as typeof piece;
  }
}
