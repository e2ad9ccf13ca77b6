/**
 * The broker of programs as the launcher keeps it: started again when it ends, and not for ever when it ends at once.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { expect, test } from "bun:test";
import { resolveConfig } from "../../src/config/index.ts";
import { ReachBroker, type RunningBroker } from "../../src/proc/network/reach-broker.ts";
import { MAX_BROKER_LINE_BYTES, MAX_RANGES } from "../../src/reach/index.ts";
import { neverWait, openPipe } from "../../src/sys/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { until } from "../waits/until.ts";

/** Brokers that end when the test says so, and what a program's keeper hears of them. */
function keepBroker(): {
  readonly clock: HandClock;
  readonly broker: ReachBroker;
  readonly started: () => number;
  readonly end: () => void;
  readonly told: () => string;
} & Disposable {
  const clock = new HandClock();
  const ends: (() => void)[] = [];
  const broker = new ReachBroker(
    async (): Promise<RunningBroker> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return await Promise.resolve({ port: 7000 + ends.length, gone: promise });
    },
    {},
    clock,
  );
  const control = openPipe();
  neverWait(control.read);
  broker.lease(["a.test:80"]);
  broker.follow(control.write);
  let all = "";
  return {
    clock,
    broker,
    started: () => ends.length,
    end: () => ends.at(-1)?.(),
    told: () => {
      all += readWaiting(control.read);
      return all.trimEnd().split("\n").at(-1) ?? "";
    },
    [Symbol.dispose]: () => {
      broker.end();
      for (const fd of [control.read, control.write]) closeSync(fd);
    },
  };
}

function readWaiting(fd: number): string {
  const bytes = Buffer.alloc(4096);
  try {
    return bytes.toString("utf8", 0, readSync(fd, bytes));
  } catch {
    return "";
  }
}

/** What its keeper hears after the broker with this number: where the next one is, or that there is none. */
async function toldAfter(kept: ReturnType<typeof keepBroker>, number: number): Promise<string> {
  const before = ["", '{"broker":0}', `{"broker":${7000 + number}}`];
  return await until(`what follows broker ${number}`, () => (before.includes(kept.told()) ? undefined : kept.told()));
}

/** @param lives how long each of them lives */
async function endEach(kept: ReturnType<typeof keepBroker>, times: number, lives: number): Promise<void> {
  for (let ended = 0; ended < times; ended++) {
    expect(await toldAfter(kept, ended)).toBe(`{"broker":${7001 + ended}}`);
    kept.clock.pass(lives);
    kept.end();
  }
}

test("a program keeps its listed network for as long as it runs, however many brokers end meanwhile", async () => {
  using kept = keepBroker();
  await endEach(kept, 10, 60_000);
  expect(await toldAfter(kept, 10)).toBe('{"broker":7011}');
});

async function startOne(): Promise<RunningBroker> {
  return await Promise.resolve({ port: 7001, gone: new Promise<void>(() => undefined) });
}

test("a broker that cannot be told how connections leave is not started", async () => {
  const orders = [{ proxy: "http://proxy.test:3128" }, { proxy: `http://${"p".repeat(MAX_BROKER_LINE_BYTES)}:1` }];
  const ports = orders.map(async (order) => {
    const broker = new ReachBroker(startOne, order);
    const control = openPipe();
    neverWait(control.read);
    broker.lease(["a.test:80"]);
    broker.follow(control.write);
    const known = await until("what becomes of it", () => {
      const told = readWaiting(control.read).trimEnd().split("\n").at(-1) ?? "";
      return ["", '{"broker":0}'].includes(told) ? undefined : told;
    });
    broker.end();
    for (const fd of [control.read, control.write]) closeSync(fd);
    return known;
  });
  expect(await Promise.all(ports)).toEqual(['{"broker":7001}', '{"broker":-1}']);
});

test("a broker that is started anew is told all of it, whatever was left for the one before", async () => {
  const heard: string[] = [];
  const ends: (() => void)[] = [];
  const start = async (input: number): Promise<RunningBroker> => {
    heard.push(readWaiting(input));
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return await Promise.resolve({ port: 7001, gone: promise });
  };
  const broker = new ReachBroker(start, { ranges: ["10.0.0.0/8"] });
  const { register = -1 } = broker.lease(["a.test:80"]) ?? {};
  await until("the first broker", () => heard.length === 1);
  const line = Buffer.from(`${JSON.stringify({ register: { port: 1, program: "p", list: 1 } })}\n`);
  const fill = (): void => {
    for (;;) writeSync(register, line);
  };
  expect(fill).toThrow("EAGAIN");
  ends[0]?.();
  await until("the next broker", () => heard.length === 2);
  expect(heard[1]).toBe('{"order":{"ranges":["10.0.0.0/8"]}}\n{"lists":{"1":["a.test:80"]}}\n');
  broker.end();
});

test("every configuration of the network can be told to a broker", () => {
  const label = "p".repeat(63);
  const network = {
    proxy: `http://${[label, label, label, label].join(".").slice(0, 253)}:65535/`,
    ranges: Array.from({ length: MAX_RANGES }, () => `${"ffff:".repeat(7)}ffff/128`),
  };
  const { ca: _, ...order } = resolveConfig({ roots: ["/srv"], network }).network;
  expect(Buffer.byteLength(JSON.stringify({ order }))).toBeLessThan(MAX_BROKER_LINE_BYTES);
});

test("a broker that ends at once is started three times, and starts again with the next program", async () => {
  using kept = keepBroker();
  await endEach(kept, 3, 59_999);
  expect(await toldAfter(kept, 3)).toBe('{"broker":-1}');
  expect(kept.started()).toBe(3);
  kept.broker.lease(["a.test:80"]);
  await until("the next one", () => kept.told() === '{"broker":7004}');
});
