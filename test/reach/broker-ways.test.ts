/**
 * How the broker gets to a server: certificates that must be for the name that was asked for, and the proxy of a company.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { freePort } from "../waits/free-port.ts";
import { until } from "../waits/until.ts";
import { createAuthority, type OwnAuthority } from "./own-authority.ts";
import { brokerOf, type Said } from "./test-broker.ts";

const openssl = component("openssl");
const tinyproxy = component("tinyproxy");

let heard: Headers[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    heard.push(request.headers);
    return new Response("here");
  },
});
const { port = 0 } = server;
afterAll(async () => await server.stop(true));

describe.skipIf(openssl.isMissing)(`a certificate${openssl.note}`, () => {
  let authority: OwnAuthority;
  beforeAll(() => void (authority = createAuthority()));
  afterAll(() => authority[Symbol.dispose]());

  function secure(...names: readonly string[]): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: authority.issue(...names),
      fetch: () => new Response("sealed"),
    });
  }

  test(`a certificate must be for the name that was asked for, by an authority that is believed${openssl.note}`, async () => {
    using right = secure("DNS:a.test");
    expect(await visit("a.test", right, authority.ca)).toMatchObject({ status: 200 });
    expect(await visit("a.test", right)).toMatchObject({ problem: "tls" });
    expect(await visit("b.test", right, authority.ca)).toMatchObject({ problem: "tls" });
    using address = secure("IP:127.0.0.1");
    expect(await visit("127.0.0.1", address, authority.ca)).toMatchObject({ status: 200 });
    expect(await visit("127.0.0.1", right, authority.ca)).toMatchObject({ problem: "tls" });
  });

  test(`a connection under one name is not used for another at the same address${openssl.note}`, async () => {
    using both = secure("DNS:a.test");
    const { port: at } = both;
    const network = { ranges: ["127.0.0.0/8"], ca: authority.ca };
    const names = { "a.test": ["127.0.0.1"], "b.test": ["127.0.0.1"] };
    const broker = brokerOf({ pack: { reach: [`*.test:${at}`] }, network, names });
    expect(await broker.get(`https://a.test:${at}/`)).toMatchObject({ status: 200 });
    expect(await broker.get(`https://b.test:${at}/`)).toMatchObject({ problem: "tls" });
    expect(await broker.get(`https://a.test:${at}/`)).toMatchObject({ status: 200 });
  });
});

test.skipIf(tinyproxy.isMissing)(
  `a proxy of a company is what every request that leaves this machine goes through${tinyproxy.note}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringfence-proxy-"));
    const at = freePort();
    writeFileSync(
      join(folder, "conf"),
      `Port ${at}\nListen 127.0.0.1\nTimeout 30\nAllow 127.0.0.1\nViaProxyName "company"\nUpstream http 127.0.0.1:${port} ".test"\n`,
    );
    const proxy = Bun.spawn(["tinyproxy", "-d", "-c", join(folder, "conf")], { stdout: "ignore", stderr: "ignore" });
    try {
      await until("the proxy listens", async () => await listens(at));
      heard = [];
      const network = { proxy: `http://127.0.0.1:${at}` };
      const broker = brokerOf({ pack: { reach: ["a.test:80"] }, network, names: {} });
      expect(await broker.get("http://a.test/through")).toMatchObject({ status: 200, address: "127.0.0.1" });
      expect(heard.map((headers) => headers.get("via"))).toEqual([expect.stringContaining("company")]);
      // The name was the proxy's to find.
      expect(broker.asked).toEqual([]);
      expect(await broker.get(`http://elsewhere.test:${port}/`)).toMatchObject({
        problem: "denied",
        why: "it is not in reach",
      });
    } finally {
      proxy.kill();
      await proxy.exited;
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("a request to this machine never goes through a proxy, and its token with it", async () => {
  heard = [];
  let proxied = 0;
  using proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${proxied++}`) });
  using six = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("here") });
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${six.port}`];
  const broker = brokerOf({
    pack: {
      reach: ["127.0.0.1", "localhost", "[::1]", "a.test"],
      credentials: {
        token: { hosts: ["127.0.0.1", "localhost", "[::1]"], headers: { authorization: "Bearer token" } },
      },
    },
    network: { proxy: `http://127.0.0.1:${proxy.port}` },
    names: { localhost: ["127.0.0.1"] },
  });
  for (const host of hosts)
    expect(await broker.get(`http://${host}/`, { credential: "token" })).toMatchObject({ status: 200 });
  expect(proxied).toBe(0);
  expect(heard.map((headers) => headers.get("authorization"))).toEqual(["Bearer token", "Bearer token"]);
  expect(await broker.get("http://a.test/")).toMatchObject({ status: 200 });
  expect(proxied).toBe(1);
});

test("a failure says whether it was the proxy that could not be connected to", async () => {
  const [closed, proxy] = [freePort(), freePort()];
  const broker = brokerOf({
    pack: { reach: ["127.0.0.1", "a.test"] },
    network: { proxy: `http://127.0.0.1:${proxy}` },
    names: {},
  });
  expect(await broker.get("http://a.test/")).toMatchObject({ problem: "connect", isProxied: true });
  expect(await broker.get(`http://127.0.0.1:${closed}/`)).not.toHaveProperty("isProxied");
});

async function listens(at: number): Promise<boolean> {
  try {
    (await Bun.connect({ hostname: "127.0.0.1", port: at, socket: { data: () => undefined } })).end();
    return true;
  } catch {
    return false;
  }
}

async function visit(host: string, to: Bun.Server<undefined>, ca?: string): Promise<Said> {
  const reach = [`${host}:${to.port}`];
  const network = { ranges: ["127.0.0.0/8"], ca };
  return await brokerOf({ pack: { reach }, network, names: { [host]: ["127.0.0.1"] } }).get(
    `https://${host}:${to.port}/`,
  );
}
