/**
 * What uses a broker of programs up: servers that break off, more connections than it has room for, and a broker that does not
 * know yet how connections leave.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { until } from "../waits/until.ts";
import { openBroker, type BrokerOfPrograms } from "./broker-of-programs.ts";

let opened: BrokerOfPrograms;
let found = Promise.withResolvers<readonly string[]>();
let server: TestServer;

beforeEach(async () => {
  found = Promise.withResolvers();
  opened = await openBroker({ "a.test": ["127.0.0.1"], "slow.test": found.promise });
  opened.broker.hear({ lists: { 1: ["*.test", "127.0.0.1"] } });
  server = await openServer();
});

afterEach(() => {
  opened[Symbol.dispose]();
  server[Symbol.dispose]();
});

interface TestServer extends Disposable {
  readonly port: number;
  readonly heard: () => string;
  /** Breaks off what is connected, and from now on whoever says something. */
  readonly reset: () => void;
}

async function openServer(): Promise<TestServer> {
  const sockets: Socket[] = [];
  let [heard, isResetting] = ["", false];
  const listening = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.toString("latin1", 0, 1000);
      if (isResetting) socket.resetAndDestroy();
    });
  });
  listening.listen(0, "127.0.0.1");
  await until("the server", () => listening.listening);
  const address = listening.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    heard: () => heard,
    reset: () => {
      isResetting = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      listening.close();
    },
  };
}

const LOOPBACK = { order: { ranges: ["127.0.0.0/8"] } };

test("a request whose server breaks off in the middle of its body is over", async () => {
  opened.broker.hear(LOOPBACK);
  server.reset();
  using one = await opened.program();
  const size = 50_000_000;
  one.socket.write(`POST http://a.test:${server.port}/ HTTP/1.1\r\nContent-Length: ${size}\r\n\r\n`);
  one.socket.write(Buffer.alloc(size));
  await one.end;
  await until("the record", () => opened.connections().length === 1);
});

test("a tunnel whose server breaks off before anything was said is over", async () => {
  opened.broker.hear(LOOPBACK);
  using one = await opened.program();
  one.socket.write(`CONNECT a.test:${server.port} HTTP/1.1\r\n\r\n`);
  await one.heard(/established/);
  server.reset();
  await one.end;
  await until("the record", () => opened.connections().length === 1);
});

test("what has come in several pieces while a server was looked for is handed on whole", async () => {
  opened.broker.hear(LOOPBACK);
  using one = await opened.program();
  one.socket.write(`CONNECT slow.test:${server.port} HTTP/1.1\r\n\r\n`);
  await until("the resolver", () => opened.asked.length > 0);
  for (const piece of ["one", "two", "three"]) {
    const written = Promise.withResolvers<void>();
    one.socket.write(piece, () => written.resolve());
    await written.promise;
    // Other turns of this process, in which the broker receives it.
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
  found.resolve(["127.0.0.1"]);
  await until("all of it", () => server.heard() === "onetwothree");
});

test("a connection is reset while it is not known how connections leave, and served from then on", async () => {
  const head = `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n\r\n`;
  using early = await opened.program();
  early.socket.write(head);
  expect(await early.end).toBe("ECONNRESET");
  opened.broker.hear({ order: {} });
  using later = await opened.program();
  later.socket.write(head);
  await later.heard(/established/);
});

test("connections that wait for their keepers count among those that are open", async () => {
  opened.broker.hear({ order: {} });
  const all: Awaited<ReturnType<BrokerOfPrograms["program"]>>[] = [];
  // Fewer at once than the system lets wait for the broker.
  while (all.length < 520)
    all.push(
      ...(await Promise.all(Array.from({ length: 130 }, async () => await opened.program({ isRegistered: false })))),
    );
  for (const { socket } of all) {
    opened.broker.hear({ register: { port: socket.localPort ?? 0, program: "cmd_test", list: 1 } });
    socket.write("nothing\r\n\r\n");
  }
  const ends = await Promise.all(all.map(async ({ end }) => await end));
  expect(ends.filter((how) => how === "ECONNRESET").length).toBeGreaterThanOrEqual(8);
  await until("room for others", async () => {
    using one = await opened.program();
    one.socket.write("nothing\r\n\r\n");
    return (await one.end).startsWith("HTTP/1.1 400");
  });
});
