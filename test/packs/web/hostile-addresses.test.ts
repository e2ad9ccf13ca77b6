/**
 * Addresses that look like one that is listed and lead elsewhere, asked for by a model and by a server that redirects to them. What
 * is listed is one server; behind every other spelling stands another one of this machine, which must never hear anything.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openWebHost, type WebHost } from "./web-host.ts";

let heard: string[] = [];
let loops = 0;
const victim = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    heard.push(request.url);
    return new Response("the victim answers");
  },
});
const victim6 = Bun.serve({ hostname: "::1", port: victim.port ?? 0, fetch: () => new Response("the victim answers") });
const open = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/loop") {
      loops++;
      return new Response("", { status: 302, headers: { location: "/loop" } });
    }
    const to = searchParams.get("to");
    return to === null ? new Response("fine") : new Response("", { status: 302, headers: { location: to } });
  },
});
const [V, G] = [String(victim.port), String(open.port)];
let host: WebHost;

beforeAll(async () => {
  host = await openWebHost({ web: { network: { reach: [`127.0.0.1:${G}`, "*.good.test"] }, per_minute: 10_000 } });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await Promise.all([victim.stop(true), victim6.stop(true), open.stop(true)]);
});

/** None of them is in reach, however it is read. */
const ELSEWHERE: readonly string[] = [
  `http://127.0.0.1:${V}/`,
  `http://127.1:${V}/`,
  `http://127.0.1:${V}/`,
  `http://2130706433:${V}/`,
  `http://0x7f000001:${V}/`,
  `http://0x7f.1:${V}/`,
  `http://0177.0.0.1:${V}/`,
  `http://017700000001:${V}/`,
  `http://127.0.0.1.:${V}/`,
  `http://0:${V}/`,
  `http://0.0.0.0:${V}/`,
  `http://[::1]:${V}/`,
  `http://[0:0:0:0:0:0:0:1]:${V}/`,
  `http://[::]:${V}/`,
  `http://[::ffff:127.0.0.1]:${V}/`,
  `http://[::ffff:7f00:1]:${V}/`,
  `http://[::127.0.0.1]:${V}/`,
  `http://[::ffff:0:127.0.0.1]:${V}/`,
  `http://[64:ff9b::7f00:1]:${V}/`,
  `http://[64:ff9b:1::7f00:1]:${V}/`,
  `http://[2002:7f00:1::]:${V}/`,
  `http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:${V}/`,
  `http://[fe80::1%25lo]:${V}/`,
  `http://[::1%lo]:${V}/`,
  `http://localhost:${V}/`,
  `http://LOCALHOST:${V}/`,
  `http://localhost.:${V}/`,
  `http://localhost..:${V}/`,
  `http://a.localhost:${V}/`,
  `http://127.0.0.1:${G}@127.0.0.1:${V}/`,
  `http://127.0.0.1:${G}%40127.0.0.1:${V}/`,
  `http://x.good.test@127.0.0.1:${V}/`,
  `http://x.good.test:80@127.0.0.1:${V}/`,
  `http://user:word@127.0.0.1:${G}/`,
  `http://:@127.0.0.1:${V}/`,
  `http://127.0.0.1:${V}#@127.0.0.1:${G}/`,
  `http://127.0.0.1:${V}?@127.0.0.1:${G}/`,
  `http://127.0.0.1:${V}\\@127.0.0.1:${G}/`,
  `http:\\\\127.0.0.1:${V}/`,
  `http:127.0.0.1:${V}/`,
  `http:/127.0.0.1:${V}/`,
  `http:///127.0.0.1:${V}/`,
  `http://127.0.0.1:${G}\r\nHost: 127.0.0.1:${V}/`,
  `http://127.0.0.1:${V}\n/`,
  `http://127.0.0.1:${V}\t/`,
  `http://127.0.0.1\u0000:${V}/`,
  `http://x.good.test\u0000.127.0.0.1:${V}/`,
  `http://x.good.test%00:${V}/`,
  `http://x.good.test%2f:${V}/`,
  ` http://127.0.0.1:${V}/`,
  `http://127.0.0.1 :${V}/`,
  `http://127.0.0.1:+${V}/`,
  `http://127.0.0.1:0${V}/`,
  `http://127.0.0.1:${65_536 + Number(G)}/`,
  `http://127.0.0.1:-1/`,
  `http://127.0.0.1:0/`,
  `http://%31%32%37.0.0.1:${V}/`,
  `http://\uff11\uff12\uff17.0.0.1:${V}/`,
  `http://\u2460\u2461\u2466.0.0.1:${V}/`,
  `http://127\u30020\u30020\u30021:${V}/`,
  `http://l\u00f6calhost:${V}/`,
  `http://xn--127-0-0-1-:${V}/`,
  `http://xn--a:${V}/`,
  `http://good.test:${V}/`,
  `http://evilgood.test:${V}/`,
  `http://x.good.test.evil.test:${V}/`,
  `http://x.g\u043e\u043ed.test:${V}/`,
  `http://.good.test:${V}/`,
  `http://${"a".repeat(64)}.good.test:${V}/`,
  `http://${"a.".repeat(200)}good.test:${V}/`,
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://[::ffff:169.254.169.254]/",
  "http://[fd00:ec2::254]/",
  "http://metadata.google.internal/",
  "http://100.100.100.200/",
  "file:///etc/hostname",
  "file://127.0.0.1/etc/hostname",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1:1/_x",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "blob:http://127.0.0.1/x",
  `ws://127.0.0.1:${V}/`,
  "unix:///var/run/docker.sock",
  "http+unix://%2fvar%2frun%2fdocker.sock/",
  "view-source:http://127.0.0.1/",
  "about:blank",
  "jar:http://127.0.0.1!/",
  `//127.0.0.1:${V}/`,
  "http://",
  "https://",
  "",
];

test("at least seventy-five hostile addresses are tried", () => {
  expect(new Set(ELSEWHERE).size).toBeGreaterThanOrEqual(75);
});

test("the server that is listed answers, so that a refusal of the others says something", async () => {
  const { text, failure } = await host.call("web_fetch", { url: `http://127.0.0.1:${G}/` });
  expect(failure).toBeUndefined();
  expect(text).toEndWith("fine");
});

test("a hostile address that a caller gives is refused, and nobody is asked and nothing is sent", async () => {
  heard = [];
  for (const url of ELSEWHERE) {
    const { failure } = await host.call("web_fetch", { url });
    expect([url, failure?.code]).toEqual([url, expect.stringMatching(/^(?:denied|invalid_input)$/)]);
  }
  expect(heard).toEqual([]);
});

test("a hostile address that a server redirects to is not followed", async () => {
  heard = [];
  for (const to of ELSEWHERE.filter((one) => one !== "" && !/[\0\r\n]/.test(one))) {
    // What stands in a header is bytes.
    const location = Buffer.from(to, "utf8").toString("latin1");
    const { failure, text } = await host.call("web_fetch", {
      url: `http://127.0.0.1:${G}/?to=${encodeURIComponent(location)}`,
    });
    // What is no address leads nowhere: the answer is the server's own, or what lies below its own address.
    if (failure) expect([to, failure.code]).toEqual([to, expect.stringMatching(/^(?:denied|invalid_input)$/)]);
    else expect([to, text]).toEqual([to, expect.stringContaining(`From http://127.0.0.1:${G}/`)]);
    expect(text).not.toContain("the victim");
  }
  expect(heard).toEqual([]);
});

test("a redirect without end is given up after five", async () => {
  loops = 0;
  const { all } = await host.call("web_fetch", { url: `http://127.0.0.1:${G}/loop` });
  expect(all).toContain("status 302");
  expect(loops).toBe(6);
});

test("an answer is the same for a host that exists and one that does not", async () => {
  const codes = [];
  for (const name of ["localhost", "a.invalid"]) {
    const { failure } = await host.call("web_fetch", { url: `http://${name}:${V}/` });
    codes.push(JSON.stringify(failure).replaceAll(name, "NAME"));
  }
  expect(codes[0]).toBe(codes[1] ?? "");
});
