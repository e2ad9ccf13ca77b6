/**
 * Bodies that programs send in chunks through the broker: what goes on of them, and forms in which two servers could read two
 * requests.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { freePort } from "../waits/free-port.ts";
import { openBroker, type BrokerOfPrograms } from "./broker-of-programs.ts";
import { ListedSites } from "./listed-sites.ts";

const curl = component("curl");

let sites: ListedSites;
let sitePort = 0;
let echoPort = 0;

beforeAll(async () => {
  sites = await ListedSites.open();
  ({ sitePort, echoPort } = sites);
});

afterAll(async () => await sites[Symbol.asyncDispose]());

let opened: BrokerOfPrograms;

beforeEach(async () => {
  sites.forget();
  opened = await openBroker({ "a.test": ["127.0.0.1"], "b.test": ["127.0.0.1"] });
  opened.broker.hear({ order: { ranges: ["127.0.0.0/8"] } });
  opened.broker.hear({ lists: { 1: ["*.test"] } });
});

afterEach(() => opened[Symbol.dispose]());

async function answerTo(text: string): Promise<string> {
  using one = await opened.program();
  one.socket.write(text, "latin1");
  return await one.end;
}

function headOf(to: string, ...lines: readonly string[]): string {
  return [`POST http://a.test:${to} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}
const CHUNKED = "Transfer-Encoding: Chunked";

test("a body in chunks goes on in chunks of its own, without extensions and trailers", async () => {
  const body = '3;name="value"\r\nabc\r\n00A\r\n0123456789\r\n000\r\nHost: b.test\r\nX: y\r\n\r\n';
  expect(await answerTo(headOf(`${sitePort}/up`, CHUNKED) + body)).toContain("here 13");
  expect(sites.heard).toEqual([`POST /up a.test:${sitePort}`]);
  {
    using one = await opened.program();
    one.socket.write(headOf(`${echoPort}/raw`, CHUNKED, "Trailer: X", "TE: trailers") + body);
    await one.heard(/0\r\n\r\n$/);
  }
  expect(sites.received.split("\r\n\r\n")).toEqual([
    `POST /raw HTTP/1.1\r\nHost: a.test:${echoPort}\r\nConnection: close\r\nTransfer-Encoding: chunked`,
    "3\r\nabc\r\na\r\n0123456789\r\n0",
    "",
  ]);
});

test("a chunk of megabytes and one that comes byte by byte go on whole", async () => {
  const long = "x".repeat(3_000_000);
  const body = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
  expect(await answerTo(headOf(`${sitePort}/`, CHUNKED) + body)).toContain("here 3000000");
  using one = await opened.program();
  one.socket.setNoDelay(true);
  for (const sign of `${headOf(`${sitePort}/`, CHUNKED)}2\r\nab\r\n1;e\r\nc\r\n0\r\nA: b\r\n\r\n`) {
    one.socket.write(sign);
    await new Promise((next) => setImmediate(next));
  }
  expect(await one.end).toContain("here 3");
});

test("what follows the last chunk is no second request", async () => {
  const second = `GET http://b.test:${sitePort}/two HTTP/1.1\r\n\r\n`;
  const first = `${headOf(`${sitePort}/one`, CHUNKED)}3\r\nabc\r\n0\r\n\r\n`;
  expect(await answerTo(first + second)).toContain("here 3");
  expect(sites.heard).toEqual([`POST /one a.test:${sitePort}`]);
});

test.each([
  ["400", [CHUNKED, "Content-Length: 3"]],
  ["400", ["Content-Length: 3", CHUNKED]],
  ["400", ["Transfer-Encoding : chunked"]],
  ["400", ["Transfer-Encoding: chunked\u000b"]],
  ["400", ["A: b", " Transfer-Encoding: chunked"]],
  ["411", [CHUNKED, CHUNKED]],
  ["411", ["Transfer-Encoding: chunked, chunked"]],
  ["411", ["Transfer-Encoding: gzip, chunked"]],
  ["411", ["Transfer-Encoding: chunked;q=1"]],
  ["411", ["Transfer-Encoding: identity"]],
  ["411", ["Transfer-Encoding: xchunked"]],
  ["411", ["Transfer-Encoding:"]],
])("a head is refused with %s for %j", async (status, lines) => {
  const answer = await answerTo(`${headOf(`${sitePort}/`, ...lines)}3\r\nabc\r\n0\r\n\r\n`);
  expect(answer).toStartWith(`HTTP/1.1 ${status}`);
  expect([opened.asked, sites.heard]).toEqual([[], []]);
});

test("chunks in a request of HTTP/1.0, which has none, are refused", async () => {
  const head = `POST http://a.test:${sitePort}/ HTTP/1.0\r\n${CHUNKED}\r\n\r\n`;
  expect(await answerTo(`${head}0\r\n\r\n`)).toStartWith("HTTP/1.1 411");
});

test.each([
  ["no digit", "g\r\n"],
  ["no size", "\r\n"],
  ["an extension alone", ";a\r\n"],
  ["a sign", "+3\r\nabc\r\n"],
  ["a minus", "-3\r\nabc\r\n"],
  ["a prefix", "0x3\r\nabc\r\n"],
  ["a blank before its size", " 3\r\nabc\r\n"],
  ["a blank after its size", "3 \r\nabc\r\n"],
  ["a size that is not to be had", "1000000000000\r\nabc\r\n"],
  ["a size that wraps", "10000000000000003\r\nabc\r\n"],
  ["a line feed alone after its size", "3\nabc\r\n"],
  ["a line feed alone in its extension", "3;a\nb\r\nabc\r\n"],
  ["a carriage return alone in its extension", "3;a\rb\r\nabc\r\n"],
  ["an extension without an end", `3;${"a".repeat(300)}`],
  ["an extension that is too long", `3;${"a".repeat(300)}\r\nabc\r\n`],
  ["more bytes than its size", "3\r\nabcd\r\n"],
  ["a line feed alone at its end", "3\r\nabc\n"],
  ["trailers that are too long", `0\r\n${"a".repeat(40_000)}`],
])("a chunk with %s cuts the connection off, and the server never sees an end of the body", async (_what, chunk) => {
  expect(await answerTo(`${headOf(`${echoPort}/`, CHUNKED)}1\r\nx\r\n${chunk}0\r\n\r\n`)).toBe("ECONNRESET");
  expect(sites.received).not.toMatch(/\r\n0\r\n/);
  expect(opened.connections()).toEqual([expect.objectContaining({ why: expect.stringContaining("its body") })]);
});

test.skipIf(curl.isMissing)(`curl sends what it reads from a pipe${curl.note}`, async () => {
  const local = freePort();
  opened.broker.hear({ register: { port: local, program: "curl", list: 1 } });
  const args = ["--silent", "--show-error", "--local-port", String(local), "--header", "Expect:", "--upload-file", "-"];
  const proxied = ["--proxy", `http://127.0.0.1:${opened.port}`, `http://a.test:${sitePort}/piped`];
  const child = Bun.spawn(["curl", ...args, ...proxied], {
    stdin: Buffer.from("from a pipe"),
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await child.stdout.text(), await child.stderr.text()]).toEqual(["here 11", ""]);
  expect(sites.heard).toEqual([`PUT /piped a.test:${sitePort}`]);
});
