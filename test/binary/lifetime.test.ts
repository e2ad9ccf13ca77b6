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
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "./serve-process.ts";

const GB = 1024 ** 3;
const isLinux = process.platform === "linux";

/** Sparse: it takes no room on the disk, and about a second a gigabyte to hash. */
function plantBigFile(place: Place, bytes: number): void {
  writeFileSync(join(place.root, "big.bin"), "");
  truncateSync(join(place.root, "big.bin"), bytes);
  writeFileSync(join(place.root, "small.txt"), "small\n");
}

/** Gigabytes to search out of a few megabytes: one file under many names. */
function plantLongSearch(place: Place): void {
  const file = join(place.root, "f0.txt");
  writeFileSync(file, "the quick brown fox jumps over the lazy dog 0123456789\n".repeat(300_000));
  for (let n = 1; n < 200; n++) linkSync(file, join(place.root, `f${n}.txt`));
  writeFileSync(join(place.root, "small.txt"), "small\n");
}

describe("a call that was cancelled", () => {
  const long: [string, (place: Place) => void, string, object][] = [
    ["hash_file", (place) => plantBigFile(place, 64 * GB), "hash_file", { path: "big.bin" }],
    ["grep", plantLongSearch, "grep", { pattern: "(q[a-z]+k|z[0-9]+) .*[xyz]{3}$" }],
  ];
  test.each(long)(
    "%s is not answered, and its worker is free within a second",
    async (_n, plant, name, given) => {
      using place = new Place();
      plant(place);
      await using host = await ServeProcess.start(place);
      host.call("long", name, given);
      // Only one long call runs at a time on two cores, so this one waits for the worker.
      host.call("next", "hash_file", { path: "small.txt" });
      await Bun.sleep(500);
      expect(host.messages).toEqual([]);
      const started = performance.now();
      host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
      host.call("third", "hash_file", { paths: ["small.txt"] });
      expect((await host.answer("third", 5000)).result?.["isError"]).toBeUndefined();
      expect(performance.now() - started).toBeLessThan(1000);
      expect(await host.close()).toBe(0);
      expect(new Set(host.messages.map(({ id }) => id))).toEqual(new Set(["next", "third"]));
      expect(host.messages).toHaveLength(2);
    },
  );

  test("one that was still waiting is not begun", async () => {
    using place = new Place();
    plantBigFile(place, 64 * GB);
    await using host = await ServeProcess.start(place);
    for (const id of [1, 2, 3, 4, 5, 6]) host.call(id, "hash_file", { path: "big.bin" });
    await Bun.sleep(200);
    for (const requestId of [6, 5, 4, 3, 2, 1])
      host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    expect((await host.ask("after", "ping")).result).toEqual({});
    expect(await host.close(5000)).toBe(0);
    expect(host.messages).toHaveLength(1);
  });
});

test("ping is answered at once while workers hash and search", async () => {
  using place = new Place();
  plantBigFile(place, 64 * GB);
  await using host = await ServeProcess.start(place);
  host.call("long", "hash_file", { path: "big.bin" }, { progressToken: "t" });
  await host.find(({ method }) => method === "notifications/progress");
  const times: number[] = [];
  for (let n = 0; n < 100; n++) {
    const started = performance.now();
    await host.ask(n, "ping");
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  // 10 ms in the benchmark; the rest is a busy machine.
  expect(times[95]).toBeLessThan(50);
});

describe("the end", () => {
  test("of the input while a call is under way: it is answered, exit code 0", async () => {
    using place = new Place();
    plantBigFile(place, GB / 2);
    await using host = await ServeProcess.start(place);
    host.call(1, "hash_file", { path: "big.bin" });
    host.call(2, "edit_file", { path: "small.txt", old_text: "small", new_text: "large" });
    expect(await host.close()).toBe(0);
    expect(new Set(host.messages.map(({ id }) => id))).toEqual(new Set([1, 2]));
    const hash = /^[0-9a-f]{64} {2}big.bin/;
    expect(host.messages.find(({ id }) => id === 1)?.result?.["content"][0].text).toMatch(hash);
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("by %s during work: at once, exit code %i, no half answer", async (signal, code) => {
    using place = new Place();
    plantBigFile(place, 64 * GB);
    await using host = await ServeProcess.start(place);
    host.call(1, "hash_file", { path: "big.bin" });
    await host.ask(2, "ping");
    host.child.kill(signal);
    expect(await host.ended(3000)).toBe(code);
    expect(host.messages).toHaveLength(1);
  });

  test.skipIf(!isLinux)("by SIGKILL: nothing of it is left", async () => {
    using place = new Place();
    plantBigFile(place, 64 * GB);
    await using host = await ServeProcess.start(place);
    host.call(1, "hash_file", { path: "big.bin" });
    host.call(2, "edit_file", { path: "small.txt", old_text: "small", new_text: "large" });
    await host.answer(2);
    host.child.kill("SIGKILL");
    await host.ended(3000);
    await Bun.sleep(100);
    expect(processesThatName(place.stateDir)).toEqual([]);
  });
});

describe.skipIf(!isLinux)("what open_path started for the person", () => {
  const ends: [string, (host: ServeProcess) => Promise<unknown>][] = [
    ["the end of the input", async (host) => await host.close()],
    ["SIGTERM", async (host) => await endBy(host, "SIGTERM")],
    ["SIGKILL", async (host) => await endBy(host, "SIGKILL")],
  ];
  test.each(ends)("outlives the host after %s", async (_name, end) => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const opened = join(place.path, "opened");
    const env = plantOpener(place, `echo "$$ $1" >> '${opened}'; exec sleep 60`);
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
      await Bun.sleep(300);
      expect(pids.filter(isRunning)).toEqual(pids);
    } finally {
      for (const pid of pids.filter(isRunning)) process.kill(pid, "SIGKILL");
    }
  });

  test("is missed by name where it is not installed", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const folder = join(place.path, "bin");
    mkdirSync(folder);
    symlinkSync(Bun.which("setsid") ?? "/usr/bin/setsid", join(folder, "setsid"));
    await using host = await ServeProcess.start(place, { env: { PATH: folder, DISPLAY: ":99" } });
    host.call(1, "open_path", { path: "a.txt" });
    const { result } = await host.answer(1);
    expect(result).toMatchObject({ isError: true });
    expect(result?.["content"][0].text).toContain("xdg-open is not installed");
  });

  test("sees none of the variables that steer a runtime", async () => {
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
  for (let tries = 0; tries < 100; tries++) {
    const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    if (lines.length >= least) return lines;
    await Bun.sleep(50);
  }
  throw new Error(`${path} does not get ${least} lines`);
}

async function endBy(host: ServeProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  host.child.kill(signal);
  await host.ended(3000);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function processesThatName(text: string): string[] {
  return [...new Bun.Glob("[0-9]*/cmdline").scanSync("/proc")].flatMap((path) => {
    try {
      const line = readFileSync(join("/proc", path), "utf8");
      return line.includes(text) ? [line.replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}
