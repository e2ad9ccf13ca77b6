/**
 * Many writers of the same notes: two hosts in processes of their own on one state folder, each with eight clients' worth of
 * calls at once, and a host that is killed before each call with which it writes.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type WireMessage } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { attach, canInject, countCalls } from "../crash/inject.ts";

const HOSTS = 2;
const WRITERS = 8;
const ENTRIES = 5;

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.path, "config.json"), JSON.stringify({ packs: { memory: {} } }));
});
afterEach(() => place[Symbol.dispose]());

async function start(): Promise<ServeProcess> {
  const args = ["--mode=bypass", "--fence=off", "--config", join(place.path, "config.json")];
  return await ServeProcess.start(place, { args });
}

const noteFile = (namespace: string): string => join(place.stateDir, "memory", `${namespace}.md`);

function write(host: ServeProcess, id: number, namespace: string, content: string): void {
  host.request(id, "tools/call", { name: "memory_write", arguments: { namespace, content } });
}

const MARK = /^<!-- memory at="[^"]+"[^>]* call="([^"]+)" -->$/gm;

test("two hosts with eight writers each lose no entry, and every entry has a mark of its own", async () => {
  await using held = new AsyncDisposableStack();
  const hosts: ServeProcess[] = [];
  for (let at = 0; at < HOSTS; at++) hosts.push(held.use(await start()));
  const answers: Promise<WireMessage | undefined>[] = [];
  const wanted: string[] = [];
  let id = 0;
  for (let turn = 0; turn < ENTRIES; turn++)
    for (let writer = 0; writer < WRITERS; writer++)
      for (const [at, host] of hosts.entries()) {
        const entry = `entry ${at}-${writer}-${turn}`;
        wanted.push(entry);
        write(host, ++id, "shared/log", entry);
        answers.push(host.answerOrEnd(id));
      }
  const failed = (await Promise.all(answers)).filter(
    (answer) => answer?.result?.isError !== undefined && answer.result.isError,
  );
  expect(failed).toEqual([]);
  const text = readFileSync(noteFile("shared/log"), "utf8");
  expect([...(text.match(/^entry .*$/gm) ?? [])].toSorted()).toEqual(wanted.toSorted());
  expect(new Set([...text.matchAll(MARK)].map(([, call]) => call)).size).toBe(wanted.length);
  // Both searched at once, they find the same.
  for (const host of hosts)
    host.request(9000, "tools/call", { name: "memory_search", arguments: { query: "entry", limit: 50 } });
  const [first, second] = await Promise.all(hosts.map(async (host) => await host.answerOrEnd(9000)));
  expect(first?.result?.isError).not.toBe(true);
  expect(second?.result?.content).toEqual(first?.result?.content ?? []);
  for (const host of hosts) expect(await host.close()).toBe(0);
});

test("hosts that make the index at once make one, and each finds everything", async () => {
  await using held = new AsyncDisposableStack();
  const hosts: ServeProcess[] = [];
  for (let at = 0; at < 4; at++) hosts.push(held.use(await start()));
  const [first] = hosts;
  if (!first) throw new Error("no host");
  await answered(first, 1, "kept");
  for (let round = 0; round < 30; round++) {
    if (round % 2 === 0) rmSync(join(place.stateDir, "memory-index"), { recursive: true, force: true });
    else breakIndexes(join(place.stateDir, "memory-index"));
    const id = 100 + round;
    for (const host of hosts) host.request(id, "tools/call", { name: "memory_search", arguments: { query: "entry" } });
    const answers = await Promise.all(hosts.map(async (host) => (await host.answerOrEnd(id))?.result));
    for (const answer of answers)
      expect([round, answer?.isError === true, answer?.content]).toEqual([round, false, answers[0]?.content ?? []]);
    expect(JSON.stringify(answers[0]?.content)).toContain("1 entry searched");
  }
  for (const host of hosts) expect(await host.close()).toBe(0);
});

/** As a bad disk does, while hosts have them open. */
function breakIndexes(folder: string): void {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name, "index.sqlite"), Buffer.alloc(8192, 0x5a));
}

describe.skipIf(!canInject())(`a note, when its host is killed${component("strace").note}`, () => {
  test("a note is whole when its host is killed before each call with which it writes", async () => {
    const old = await firstNote();
    const counts = await countedCalls();
    const points = [...counts].flatMap(([call, count]) =>
      Array.from({ length: count }, (_, at) => ({ call, nth: at + 1, fault: "kill" as const })),
    );
    expect(points.length).toBeGreaterThan(15);
    const seen = { old: 0, new: 0 };
    for (const injection of points) {
      writeFileSync(noteFile("kept"), old);
      {
        await using host = await start();
        await answered(host, 1, "warm");
        const tracer = await attach(host.child.pid, join(place.path, "strace.log"), injection);
        write(host, 2, "kept", "the second entry");
        await host.answerOrEnd(2);
        await tracer.detach();
        host.child.kill("SIGKILL");
      }
      // The next host takes back or finishes what the dead one has begun.
      await using next = await start();
      await answered(next, 1, "other");
      const text = readFileSync(noteFile("kept"), "utf8");
      if (text === old) seen.old++;
      else {
        expect(text).toStartWith(old);
        expect(text.slice(old.length)).toMatch(/^\n<!-- memory at="[^>]* -->\nthe second entry\n$/);
        seen.new++;
      }
      expect(readdirSync(join(place.stateDir, "memory")).sort()).toEqual(["kept.md", "other.md", "warm.md"]);
    }
    expect(Math.min(seen.old, seen.new)).toBeGreaterThan(2);
  });
});

async function answered(host: ServeProcess, id: number, namespace: string): Promise<void> {
  write(host, id, namespace, "the first entry");
  expect((await host.answerOrEnd(id))?.result?.isError).not.toBe(true);
}

async function firstNote(): Promise<string> {
  await using host = await start();
  await answered(host, 1, "kept");
  await answered(host, 2, "other");
  return readFileSync(noteFile("kept"), "utf8");
}

async function countedCalls(): Promise<Map<string, number>> {
  await using host = await start();
  await answered(host, 1, "warm");
  const tracer = await attach(host.child.pid, join(place.path, "strace.log"));
  await answered(host, 2, "kept");
  return countCalls(await tracer.detach());
}
