/**
 * A host whose main thread is stuck, in a tool of a program of one's own: the end of its input and a signal end it all the
 * same, also one that comes early, and the record says so.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { settled, until } from "../waits/until.ts";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence } from "../cli/run-ringfence.ts";

let base = "";
let binary = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-stuck-")));
  binary = join(base, "host");
  const entry = join(REPOSITORY, "test", "fixtures", "programs", "stuck-host.ts");
  const build = Bun.spawnSync(
    [process.execPath, join(REPOSITORY, "scripts", "build.ts"), `--entry=${entry}`, `--out=${binary}`],
    { cwd: REPOSITORY },
  );
  if (build.exitCode !== 0) throw new Error(build.stderr.toString());
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function stuckHost(place: Place, fence: "off" | "auto", how: "busy" | "asleep" | "later"): Promise<ServeProcess> {
  const options = { roots: [place.root], stateDir: place.stateDir, fence };
  const host = await ServeProcess.start(place, { binary, command: [JSON.stringify(options)] });
  host.call(1, "stick", { how });
  return host;
}

const BOTH = ["ended_stuck", "stuck"];

/** Events about being stuck, each in a segment of its own. */
function recorded(place: Place): string[] {
  const lines = recordOf(place)
    .split("\n")
    .filter((line) => line.includes("stuck"));
  return lines.map((line) => (JSON.parse(line) as { event: string }).event).toSorted();
}

function recordOf(place: Place): string {
  if (!existsSync(join(place.stateDir, "audit"))) return "";
  const files = [...new Bun.Glob("audit/*").scanSync({ cwd: place.stateDir, absolute: true })];
  return Bun.spawnSync(["cat", ...files]).stdout.toString();
}

/** With work the thread wakes four times a second; a look is made every five milliseconds. */
const LOOKS = 200;

/** To be looked at with `until`: true when the thread has slept through all of so many looks. */
function restOfWatch(pid: number): () => boolean {
  const tasks = `/proc/${pid}/task`;
  const watch = readdirSync(tasks).find((task) => readFileSync(join(tasks, task, "comm"), "utf8") === "watch\n");
  if (watch === undefined) throw new Error("nobody watches");
  let [last, same] = ["", 0];
  return () => {
    const now = readFileSync(join(tasks, watch, "status"), "utf8").match(/^voluntary_ctxt_switches:.*$/m)?.[0] ?? "";
    same = now === last ? same + 1 : 0;
    last = now;
    return same === LOOKS;
  };
}

/** The call is on record before its tool runs, and the thread that watches has the signals before that. */
function recordedStart(place: Place): boolean {
  return recordOf(place).includes('"event":"started"');
}

test.concurrent.each([
  ["off", "asleep"],
  ["auto", "busy"],
  ["off", "later"],
] as const)(
  "the watchdog ends with its input, with the fence %s, when the main thread is stuck %s",
  async (fence, how) => {
    using place = new Place();
    await using host = await stuckHost(place, fence, how);
    await host.child.stdin.end();
    expect(await settled("the end of the host", host.child.exited)).toBe(1);
    expect(recorded(place)).toEqual(BOTH);
  },
);

test.concurrent.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("ends by %s, and says which", async (signal, code) => {
  using place = new Place();
  await using host = await stuckHost(place, "off", "busy");
  await until("the record to say that it is stuck", () => recorded(place).length === 1);
  expect(host.child.exitCode).toBeNull();
  host.child.kill(signal);
  expect(await settled("the end of the host", host.child.exited)).toBe(code);
  expect(recorded(place)).toEqual(BOTH);
  expect(recordOf(place)).toContain(`"code":${code}`);
});

test.concurrent("the watchdog ends with its reader, while its input is still open", async () => {
  using place = new Place();
  const options = { roots: [place.root], stateDir: place.stateDir, fence: "off" };
  await using child = Bun.spawn([binary, JSON.stringify(options)], {
    env: { PATH: process.env["PATH"], HOME: place.path },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "stick", arguments: { how: "asleep" } } };
  void child.stdin.write(`${JSON.stringify(call)}\n`);
  void child.stdin.flush();
  await until("the tool to be stuck", () => recordedStart(place));
  await child.stdout.cancel();
  expect(await settled("the end of the host", child.exited)).toBe(1);
  expect(recorded(place)).toEqual(BOTH);
  expect(recordOf(place)).toContain("the loss of its reader");
});

test.concurrent("the watchdog keeps a signal that comes before anybody knows that it is stuck", async () => {
  using place = new Place();
  await using host = await stuckHost(place, "off", "asleep");
  await until("the tool to be stuck", () => recordedStart(place));
  host.child.kill("SIGTERM");
  expect(await settled("the end of the host", host.child.exited)).toBe(143);
  expect(recorded(place)).toEqual(BOTH);
});

test.concurrent("the watchdog passes a signal on to a main thread that answers, which ends as always", async () => {
  using place = new Place();
  const options = { roots: [place.root], stateDir: place.stateDir, fence: "off" };
  await using host = await ServeProcess.start(place, { binary, command: [JSON.stringify(options)] });
  host.call(1, "list_directory", { path: "." });
  expect((await host.answer(1)).result).toBeDefined();
  host.child.kill("SIGTERM");
  expect(await settled("the end of the host", host.child.exited)).toBe(143);
  expect(recorded(place)).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "the watchdog keeps a signal that comes as early when the host has rested before",
  async () => {
    using place = new Place();
    const options = { roots: [place.root], stateDir: place.stateDir, fence: "off" };
    await using host = await ServeProcess.start(place, { binary, command: [JSON.stringify(options)] });
    host.call(1, "list_directory", { path: "." });
    expect((await host.answer(1)).result).toBeDefined();
    await until("the thread that watches to rest", restOfWatch(host.child.pid));
    host.call(2, "stick", { how: "asleep" });
    await until("the tool to be stuck", () => recordOf(place).split('"event":"started"').length === 3);
    host.child.kill("SIGTERM");
    expect(await settled("the end of the host", host.child.exited)).toBe(143);
    expect(recorded(place)).toEqual(BOTH);
  },
);

test.skipIf(process.platform !== "linux").each(["stick_once_approved", "stick_in_schema"])(
  "the watchdog ends with its input when %s is stuck, which was approved at a terminal after a rest",
  async (tool) => {
    using place = new Place();
    const options = { roots: [place.root], stateDir: place.stateDir, fence: "off" };
    await using host = await ServeProcess.start(place, { binary, command: [JSON.stringify(options)] });
    const sign = join(place.path, "sign");
    host.call(1, tool, tool === "stick_in_schema" ? { unless: sign } : {});
    const { id, digest } = proposalOf(await host.answer(1));
    writeFileSync(sign, "");
    await until("the thread that watches to rest", restOfWatch(host.child.pid));
    const approve = ["proposals", "apply", `${id}@${digest}`, "--state-dir", place.stateDir];
    expect((await runRingfence(place, approve)).code).toBe(0);
    await until("the record to say that it is stuck", () => recorded(place).length === 1);
    await host.child.stdin.end();
    expect(await settled("the end of the host", host.child.exited)).toBe(1);
    expect(recorded(place)).toEqual(BOTH);
  },
);

test.concurrent("the watchdog ends with its input when a call is stuck that was cancelled long before", async () => {
  using place = new Place();
  const options = { roots: [place.root], stateDir: place.stateDir, fence: "off" };
  await using host = await ServeProcess.start(place, { binary, command: [JSON.stringify(options)] });
  const sign = join(place.path, "sign");
  host.call(1, "stick", { how: "later", sign });
  await until("the tool to be begun", () => existsSync(sign));
  host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await until("the record to say that it is stuck", () => recorded(place).length === 1);
  await host.child.stdin.end();
  expect(await settled("the end of the host", host.child.exited)).toBe(1);
  expect(recorded(place)).toEqual(BOTH);
});
