/**
 * The `fetch` of the relay to other MCP servers: only what is listed, at an address that was checked, without redirects.
 */
import { afterAll, expect, test } from "bun:test";
import { createCheckedFetch, type CheckedFetch } from "../../src/reach/broker/checked-fetch.ts";

let heard: string[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    heard.push(`${request.method} ${request.headers.get("host")} ${await request.text()}`);
    const to = new URL(request.url).searchParams.get("to");
    return to === null ? new Response("here") : new Response("", { status: 307, headers: { location: to } });
  },
});
const { port } = server;
afterAll(async () => await server.stop(true));

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "a.test": ["127.0.0.1"],
  "private.test": ["10.0.0.1"],
  "both.test": ["::1", "127.0.0.1"],
  "closed.test": ["::1", "127.0.0.2"],
};

function fetchWith(reach: readonly string[], ranges: readonly string[] = []): CheckedFetch {
  return createCheckedFetch(reach, { ranges }, async (host) => await Promise.resolve(NAMES[host] ?? []));
}

test("a listed server is spoken to under its name, with what is sent to it", async () => {
  heard = [];
  const fetched = await fetchWith(["a.test"], ["127.0.0.0/8"])(new URL(`http://a.test:${port}/`), {
    method: "POST",
    body: "words",
  });
  expect(await fetched.text()).toBe("here");
  expect(heard).toEqual([`POST a.test:${port} words`]);
});

test.each([
  ["a name that is not listed", ["b.test"], "http://a.test/", "it is not in reach"],
  ["a name that leads to this machine", ["a.test"], "http://a.test/", "127.0.0.1: a loopback address"],
  ["a name that leads to a private network", ["private.test"], "http://private.test/", "10.0.0.1: a private address"],
  ["another scheme", ["a.test"], "ftp://a.test/", "it is no address"],
  ["a user name", ["a.test"], "http://u@a.test/", "it is no address"],
])("a request to %s fails before it is sent", async (_what, reach, url, why) => {
  heard = [];
  await expect(fetchWith(reach)(new URL(url))).rejects.toThrow(why);
  expect(heard).toEqual([]);
});

test("a redirect is not followed, wherever it leads", async () => {
  heard = [];
  const url = new URL(`http://127.0.0.1:${port}/?to=http://127.0.0.1:${port}/other`);
  await expect(fetchWith([`127.0.0.1:${port}`])(url)).rejects.toThrow("which is not followed");
  expect(heard.length).toBe(1);
});

test("a server is spoken to once, where it listens at another address of its name than the first", async () => {
  heard = [];
  const ranges = ["127.0.0.0/8", "::1/128"];
  const post = async (host: string) => {
    return await fetchWith([host], ranges)(new URL(`http://${host}:${port}/`), { method: "POST", body: "words" });
  };
  expect(await (await post("both.test")).text()).toBe("here");
  expect(heard).toEqual([`POST both.test:${port} words`]);
  await expect(post("closed.test")).rejects.toThrow("ECONNREFUSED");
  expect(heard.length).toBe(1);
});
