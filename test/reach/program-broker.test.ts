/**
 * The broker as a program meets it: connections that nobody has registered, requests that are spelled to be read in two ways, tunnels
 * in which another server is greeted, and what goes through.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect as connectTls } from "node:tls";
import type { ProgramBroker } from "../../src/reach/broker/program-broker.ts";
import { component } from "../components/component.ts";
import { freePort } from "../waits/free-port.ts";
import { settled, until } from "../waits/until.ts";
import { openBroker, type BrokerOfPrograms } from "./broker-of-programs.ts";
import { ListedSites } from "./listed-sites.ts";
import { createAuthority, type OwnAuthority } from "./own-authority.ts";

const openssl = component("openssl");
const curl = component("curl");

let sites: ListedSites;
let sitePort = 0;
let echoPort = 0;

beforeAll(async () => {
  sites = await ListedSites.open("hello\n");
  ({ sitePort, echoPort } = sites);
});

afterAll(async () => await sites[Symbol.asyncDispose]());

let opened: BrokerOfPrograms;
let broker: ProgramBroker;
let asked: string[] = [];
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "a.test": ["127.0.0.1"],
  "b.test": ["127.0.0.1"],
  "private.test": ["10.0.0.1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
};

beforeEach(async () => {
  sites.forget();
  opened = await openBroker(NAMES);
  ({ broker, asked } = opened);
  broker.hear({ order: { ranges: ["127.0.0.0/8"] } });
  broker.hear({ lists: { 1: ["*.test", `127.0.0.1:${sitePort}`] } });
});

afterEach(() => opened[Symbol.dispose]());

async function answerTo(head: string): Promise<string> {
  using one = await opened.program();
  one.socket.write(head, "latin1");
  return await one.end;
}

describe("a connection", () => {
  test("a connection that nobody has registered is reset, and no byte of it is read", async () => {
    using foreign = await opened.program({ isRegistered: false });
    foreign.socket.write(`CONNECT 127.0.0.1:${sitePort} HTTP/1.1\r\n\r\n`);
    expect(await foreign.end).toBe("ECONNRESET");
    expect(opened.connections()).toEqual([]);
  });

  test("a registration is for one connection, and a list that was not told is none", async () => {
    using one = await opened.program({ list: 9 });
    expect(await one.end).toBe("ECONNRESET");
  });
});

describe("a tunnel", () => {
  test("a tunnel leads to what is listed, also where the server speaks first, and is counted", async () => {
    {
      using one = await opened.program();
      one.socket.write(`CONNECT a.test:${echoPort} HTTP/1.1\r\nHost: whatever\r\n\r\n`);
      await one.heard(/established\r\n\r\nhello\n$/);
      one.socket.write("ping");
      await one.heard(/hello\nping$/);
      one.socket.end();
      await one.end;
    }
    const [connection] = await until("the record", () =>
      opened.connections().length > 0 ? opened.connections() : undefined,
    );
    expect(connection).toMatchObject({
      program: "cmd_test",
      host: "a.test",
      port: echoPort,
      address: "127.0.0.1",
      up: 4,
      down: 10,
    });
  });

  test.each([
    ["private.test:80", "10.0.0.1: a private address"],
    ["mixed.test:80", undefined],
    ["none.test:80", "the name has no address"],
  ])("a tunnel to %s, which leads elsewhere, is refused", async (authority, why) => {
    broker.hear({ order: {} });
    expect(await answerTo(`CONNECT ${authority} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 403");
    expect(opened.connections()).toEqual([
      expect.objectContaining({ address: "", ...(why === undefined ? {} : { why }) }),
    ]);
  });

  test("a name that is not listed is not looked up", async () => {
    for (const authority of ["evil.example:443", "test:443", "atest:443", "a.test.evil:443", "127.0.0.1:1", "[::1]:80"])
      expect(await answerTo(`CONNECT ${authority} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 403");
    expect(asked).toEqual([]);
  });

  test("a server that does not accept is named", async () => {
    expect(await answerTo(`CONNECT a.test:${freePort()} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 502");
  });
});

describe("a head", () => {
  const CONNECT_TO = `CONNECT a.test:${sitePort}`;

  test.each([
    ["a user name", "CONNECT u@a.test:80 HTTP/1.1"],
    ["a path", "CONNECT a.test:80/x HTTP/1.1"],
    ["no port", "CONNECT a.test HTTP/1.1"],
    ["a port of nothing", "CONNECT a.test: HTTP/1.1"],
    ["a port with zeros", "CONNECT a.test:0080 HTTP/1.1"],
    ["a port that wraps", "CONNECT a.test:65616 HTTP/1.1"],
    ["two ports", "CONNECT a.test:80:81 HTTP/1.1"],
    ["a percent sign", "CONNECT a%2etest:80 HTTP/1.1"],
    ["a NUL", "CONNECT a.test\u0000.evil:80 HTTP/1.1"],
    ["a carriage return alone", "CONNECT a.test:80 HTTP/1.1\rHost: b"],
    ["a line feed alone", "CONNECT a.test:80 HTTP/1.1\nHost: b"],
    ["a tab", "CONNECT\ta.test:80 HTTP/1.1"],
    ["two blanks", "CONNECT  a.test:80 HTTP/1.1"],
    ["an octal address", "CONNECT 0177.0.0.1:80 HTTP/1.1"],
    ["a number", "CONNECT 2130706433:80 HTTP/1.1"],
    ["two dots at the end", "CONNECT a.test..:80 HTTP/1.1"],
    ["a name of bytes beyond ASCII", "CONNECT \u00e4.test:80 HTTP/1.1"],
    ["a header without a name", "CONNECT a.test:80 HTTP/1.1\r\n: x"],
    ["a header with a blank in its name", "CONNECT a.test:80 HTTP/1.1\r\nContent-Length : 1"],
    ["a folded header", "CONNECT a.test:80 HTTP/1.1\r\nA: b\r\n c"],
    ["a URL of TLS", "GET https://a.test/ HTTP/1.1"],
    ["a path alone", "GET / HTTP/1.1"],
    ["a URL with a user name", "GET http://u@a.test/ HTTP/1.1"],
    ["a URL with a fragment", "GET http://a.test/#x HTTP/1.1"],
    ["another scheme", "GET file:///etc/passwd HTTP/1.1"],
    ["two lengths", `POST http://a.test:${sitePort}/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2`],
    ["a length that is none", `POST http://a.test:${sitePort}/ HTTP/1.1\r\nContent-Length: +1`],
    ["lower case", "connect a.test:80 HTTP/1.1"],
    ["no version", "CONNECT a.test:80"],
    ["nothing", ""],
  ])("a head with %s is refused, and nothing is looked up", async (_what, head) => {
    expect(await answerTo(`${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/);
    expect([asked, sites.heard]).toEqual([[], []]);
  });

  test("a head without an end and one of another version are refused", async () => {
    expect(await answerTo(`${CONNECT_TO} HTTP/1.1\r\nA: ${"b".repeat(40_000)}`)).toStartWith("HTTP/1.1 400");
    expect(await answerTo(`${CONNECT_TO} HTTP/2.0\r\n\r\n`)).toStartWith("HTTP/1.1 505");
  });
});

describe("a plain request", () => {
  test("a plain request goes to its host under that host's name, whatever its head says", async () => {
    const head = `GET http://A.test.:${sitePort}/x?y HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: Basic x\r\n\r\n`;
    expect(await answerTo(head)).toContain("here 0");
    expect(sites.heard).toEqual([`GET /x a.test:${sitePort}`]);
  });

  test("what follows a request in the same bytes is no second request", async () => {
    const first = `POST http://a.test:${sitePort}/one HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc`;
    const second = `GET http://b.test:${sitePort}/two HTTP/1.1\r\n\r\n`;
    expect(await answerTo(first + second)).toContain("here 3");
    expect(sites.heard).toEqual([`POST /one a.test:${sitePort}`]);
  });
});

describe.skipIf(openssl.isMissing)(`TLS${openssl.note}`, () => {
  let authority: OwnAuthority;
  beforeAll(() => void (authority = createAuthority()));
  afterAll(() => authority[Symbol.dispose]());

  test(`a greeting for another name than the tunnel's is cut off before it leaves${openssl.note}`, async () => {
    using secure = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: authority.issue("DNS:a.test", "DNS:b.test"),
      fetch: () => new Response("sealed"),
    });
    const { port: at = 0 } = secure;
    expect(await greet("a.test", "a.test", at)).toBe("through");
    expect(await greet("a.test", "A.TEST", at)).toBe("through");
    expect(await greet("a.test", "b.test", at)).toBe("cut");
    expect(await greet("a.test", undefined, at)).toBe("cut");
    await until("the record", () => opened.connections().length === 4);
    expect(opened.connections().flatMap((one) => ("why" in one && one.why !== undefined ? [one.why] : []))).toEqual([
      "its TLS greeting asks for b.test",
      "its TLS greeting asks for no host",
    ]);
  });

  test.skipIf(curl.isMissing)(`curl goes through${openssl.note}${curl.note}`, async () => {
    using secure = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: authority.issue("DNS:a.test"),
      fetch: () => new Response("sealed"),
    });
    const local = freePort();
    broker.hear({ register: { port: local, program: "curl", list: 1 } });
    const args = ["--silent", "--show-error", "--local-port", String(local), "--cacert", authority.caFile];
    const proxied = ["--proxy", `http://127.0.0.1:${opened.port}`, `https://a.test:${secure.port}/`];
    const child = Bun.spawn(["curl", ...args, ...proxied], { stdout: "pipe", stderr: "pipe" });
    expect([await child.stdout.text(), await child.stderr.text()]).toEqual(["sealed", ""]);
  });
});

async function greet(to: string, servername: string | undefined, at: number): Promise<string> {
  const one = await opened.program();
  one.socket.write(`CONNECT ${to}:${at} HTTP/1.1\r\n\r\n`);
  await one.heard(/established\r\n\r\n/);
  one.socket.removeAllListeners("data");
  const outcome = Promise.withResolvers<string>();
  const tls = connectTls({
    socket: one.socket,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  tls.on("secureConnect", () => outcome.resolve("through"));
  for (const event of ["error", "close"]) tls.on(event, () => outcome.resolve("cut"));
  const seen = await settled("the greeting", outcome.promise);
  tls.destroy();
  one.socket.destroy();
  return seen;
}
