/**
 * How the real binary begins to work, stops working and ends: cancelled calls, calls in flight at the end of the input,
 * signals, and what may outlive the host. Linux only where processes are looked at.
 */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { until } from "../waits/until.ts";
import { endsOf, hasStarted, recordOf } from "./record-of.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";
import { killAll } from "../kill.ts";

const GB = 1024 ** 3;
/**
 * Far more than any machine hashes or searches within the limit of a wait: whoever waits for the end of such a call
 * instead of its cancel waits in vain.
 */
const ENDLESS_BYTES: number = 8 * 1024 * GB;
const isLinux = process.platform === "linux";

/** Sparse: it takes no room on the disk, and about a second a gigabyte to hash. */
function plantBigFile(place: Place, bytes: number): void {
  writeFileSync(join(place.root, "big.bin"), "");
  truncateSync(join(place.root, "big.bin"), bytes);
  writeFileSync(join(place.root, "small.txt"), "small\n");
}

/** Terabytes to search out of 66 megabytes: one file under many names. */
function plantLongSearch(place: Place): void {
  const file = join(place.root, "f0.txt");
  writeFileSync(file, "the quick brown fox jumps over the lazy dog 0123456789\n".repeat(1_200_000));
  for (let n = 1; n < 30_000; n++) linkSync(file, join(place.root, `f${n}.txt`));
  writeFileSync(join(place.root, "small.txt"), "small\n");
}

/** The worker itself has told how far it is; a sign of life of the session would only be "still working after". */
async function hasBegun(host: ServeProcess): Promise<void> {
  await host.find(({ method, params }) =>
    method === "notifications/progress"
      ? / (?:hashed|searched|read|copied)\b/.test(String(params?.["message"]))
      : false,
  );
}

function answers(host: ServeProcess): WireMessage[] {
  return host.messages.filter(({ method }) => method === undefined);
}

describe("a call that was cancelled", () => {
  const endless: [string, (place: Place) => void, string, object][] = [
    ["hash_file", (place) => plantBigFile(place, ENDLESS_BYTES), "hash_file", { path: "big.bin" }],
    ["grep", plantLongSearch, "grep", { pattern: "(q[a-z]+k|z[0-9]+) .*[xyz]{3}$" }],
  ];
  test.each(endless)(
    "%s is not answered, and its worker is free long before it would have ended",
    async (_n, plant, name, given) => {
      using place = new Place();
      plant(place);
      await using host = await ServeProcess.start(place);
      // As many as can run at a time on any machine.
      const long = Array.from({ length: limits.MAX_WORKERS - 1 }, (_, n) => `long-${n}`);
      for (const id of long) host.call(id, name, given, { progressToken: id });
      host.call("next", "hash_file", { path: "small.txt" });
      await hasBegun(host);
      // Whether the small one is answered before or after that is up to whose turn it is.
      expect(answers(host).every(({ id }) => id === "next")).toBeTrue();
      for (const requestId of long)
        host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      host.call("third", "hash_file", { paths: ["small.txt"] });
      expect((await host.answer("third")).result?.["isError"]).toBeUndefined();
      expect(await host.close()).toBe(0);
      expect(new Set(answers(host).map(({ id }) => id))).toEqual(new Set(["next", "third"]));
      expect(answers(host)).toHaveLength(2);
    },
  );

  test("a call that was still waiting is not begun", async () => {
    using place = new Place();
    plantBigFile(place, ENDLESS_BYTES);
    await using host = await ServeProcess.start(place);
    for (const id of [1, 2, 3, 4, 5, 6]) host.call(id, "hash_file", { path: "big.bin" }, { progressToken: id });
    await hasBegun(host);
    for (const requestId of [6, 5, 4, 3, 2, 1])
      host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    expect((await host.ask("after", "ping")).result).toEqual({});
    expect(await host.close()).toBe(0);
    expect(answers(host)).toHaveLength(1);
  });
});

test("pings are answered while workers hash, not after", async () => {
  using place = new Place();
  plantBigFile(place, ENDLESS_BYTES);
  await using host = await ServeProcess.start(place);
  host.call("long", "hash_file", { path: "big.bin" }, { progressToken: "t" });
  await hasBegun(host);
  // How long each takes is a figure of the benchmark.
  for (let n = 0; n < 100; n++) expect((await host.ask(n, "ping")).result).toEqual({});
  expect(answers(host).map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

describe("the end", () => {
  test("a call under way is answered when the input ends, with exit code 0", async () => {
    using place = new Place();
    plantBigFile(place, GB / 2);
    await using host = await ServeProcess.start(place);
    host.call(1, "hash_file", { path: "big.bin" });
    host.call(2, "edit_file", { path: "small.txt", old_text: "small", new_text: "large" });
    expect(await host.close()).toBe(0);
    expect(new Set(host.messages.map(({ id }) => id))).toEqual(new Set([1, 2]));
    const hash = /^[0-9a-f]{64} {2}big.bin/;
    expect(host.messages.find(({ id }) => id === 1)?.result?.content?.at(-1)?.text).toMatch(hash);
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)(
    "by %s during work that is far from its end: exit code %i, no half answer, and each call ends on record",
    async (signal, code) => {
      using place = new Place();
      plantBigFile(place, ENDLESS_BYTES);
      await using host = await ServeProcess.start(place);
      for (const id of [1, 3, 4]) host.call(id, "hash_file", { path: "big.bin" });
      await host.ask(2, "ping");
      await until("the hash", () => hasStarted(place, "hash_file"));
      host.child.kill(signal);
      expect(await host.ended()).toBe(code);
      expect(host.messages).toHaveLength(1);
      expect(endsOf(place)).toEqual(Array(3).fill("hash_file failed cancelled"));
      expect(recordOf(place).at(-1)).toMatchObject({ event: "stop", why: signal });
    },
  );

  test.skipIf(process.platform === "win32")(
    "by a signal while a person is asked: the proposal waits, and its call has an end on record",
    async () => {
      using place = new Place();
      await using host = await ServeProcess.start(place);
      await host.ask(1, "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: { elicitation: {} },
        clientInfo: { name: "test", version: "1" },
      });
      host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      host.call(2, "write_file", { path: "a.txt", content: "a\n" });
      await host.find(({ method }) => method === "elicitation/create");
      host.child.kill("SIGTERM");
      expect(await host.ended()).toBe(143);
      expect(endsOf(place)).toEqual(["write_file completed"]);
      expect(recordOf(place).at(-1)).toMatchObject({ event: "stop", why: "SIGTERM" });
      const change = recordOf(place).find(({ event }) => event === "change");
      expect(change).toMatchObject({ status: "proposed" });
      expect(existsSync(join(place.root, "a.txt"))).toBe(false);
    },
  );

  test.skipIf(!isLinux)("nothing is left of a host that was killed", async () => {
    using place = new Place();
    plantBigFile(place, ENDLESS_BYTES);
    await using host = await ServeProcess.start(place);
    host.call(1, "hash_file", { path: "big.bin" });
    host.call(2, "edit_file", { path: "small.txt", old_text: "small", new_text: "large" });
    await host.answer(2);
    host.child.kill("SIGKILL");
    await host.ended();
    await until("the end of all its processes", () => processesThatName(place.stateDir).length === 0);
  });
});

describe.skipIf(!isLinux)("what open_path started for the person", () => {
  const ends: [string, (host: ServeProcess) => Promise<unknown>][] = [
    ["the end of the input", async (host) => await host.close()],
    ["SIGTERM", async (host) => await endBy(host, "SIGTERM")],
    ["SIGKILL", async (host) => await endBy(host, "SIGKILL")],
  ];
  test.each(ends)("a program that open_path started outlives the host after %s", async (_name, end) => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const opened = join(place.path, "opened");
    const go = join(place.path, "go");
    const after = join(place.path, "after");
    const untilGo = `while [ ! -e '${go}' ]; do sleep 0.02; done`;
    const env = plantOpener(place, `echo "$$ $1" >> '${opened}'; ${untilGo}; echo $$ >> '${after}'; exec sleep 86400`);
    await using host = await ServeProcess.start(place, { env });
    host.call(1, "open_path", { path: "a.txt" });
    host.call(2, "reveal_in_os", { path: "a.txt" });
    expect((await host.answer(1)).result?.["isError"]).toBeUndefined();
    expect((await host.answer(2)).result?.["isError"]).toBeUndefined();
    const lines = await linesOf(opened, 2);
    const pids = lines.map((line) => Number(line.split(" ")[0]));
    try {
      expect(lines.map((line) => line.slice(line.indexOf(" ") + 1)).sort()).toEqual([
        place.root,
        join(place.root, "a.txt"),
      ]);
      await end(host);
      await until("the end of all its processes", () => processesThatName(place.stateDir).length === 0);
      // Each is still there to do what it is told only now.
      writeFileSync(go, "");
      expect(new Set((await linesOf(after, 2)).map(Number))).toEqual(new Set(pids));
      expect(pids.filter(isRunning)).toEqual(pids);
    } finally {
      killAll(pids.filter(isRunning));
    }
  });

  test("a program for open_path is missed by name where it is not installed", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const folder = join(place.path, "bin");
    mkdirSync(folder);
    symlinkSync(Bun.which("setsid") ?? "/usr/bin/setsid", join(folder, "setsid"));
    await using host = await ServeProcess.start(place, { env: { PATH: folder, DISPLAY: ":99" } });
    host.call(1, "open_path", { path: "a.txt" });
    const { result } = await host.answer(1);
    expect(result).toMatchObject({ isError: true });
    expect(result?.content?.at(-1)?.text).toContain("xdg-open is not installed");
  });

  test("a program that open_path started sees none of the variables that steer a runtime", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const seen = join(place.path, "seen");
    const env = plantOpener(place, `env > '${seen}.new'; mv '${seen}.new' '${seen}'`);
    const steering = { BUN_OPTIONS: "--preload x", NODE_OPTIONS: "--require x", LD_PRELOAD: "" };
    await using host = await ServeProcess.start(place, { env: { ...env, ...steering } });
    host.call(1, "open_path", { path: "a.txt" });
    const lines = await linesOf(seen, 1);
    expect(lines.filter((line) => /^(BUN_|NODE_|LD_)/.test(line))).toEqual([]);
    expect(lines).toContain("DISPLAY=:99");
  });
});

/** A fake `xdg-open` first in PATH, and a desktop for it. */
function plantOpener(place: Place, body: string): Record<string, string> {
  const folder = join(place.path, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "xdg-open"), 0o755);
  return { PATH: `${folder}:${process.env["PATH"]}`, DISPLAY: ":99" };
}

async function linesOf(path: string, least: number): Promise<string[]> {
  return await until(`${least} lines in ${path}`, () => {
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
    return lines.length >= least && lines;
  });
}

async function endBy(host: ServeProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  host.child.kill(signal);
  await host.ended();
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function processesThatName(text: string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return line.includes(text) ? [line.replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}
