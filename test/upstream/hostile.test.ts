/**
 * What a server can do to this host: nothing but fail its own calls. Every case is a real process that behaves so.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestHost } from "../host/in-memory-host.ts";
import { HandClock } from "../host/hand-clock.ts";
import { removeTree } from "../host/remove-tree.ts";
import { settled, until } from "../waits/until.ts";
import { hostile, openUpstreamHost, toolNames, type UpstreamHostOptions } from "./upstream-host.ts";

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

/** A person has seen a server that behaves. */
const OK_BEFORE: UpstreamHostOptions = { before: { bad: hostile("ok") } };

async function open(mode: string, more: object = {}, clock: HandClock = new HandClock()): Promise<TestHost> {
  host = await openUpstreamHost({ bad: hostile(mode, "", more) }, { ...OK_BEFORE, clock });
  return host;
}

async function isUnharmed(opened: TestHost): Promise<void> {
  expect((await opened.call("list_directory", { path: "." })).failure).toBeUndefined();
}

const echo = async (opened: TestHost, text = "hello") => await opened.call("mcp:bad:echo", { text });

/** After the first failure it is not started again for so long. */
const FIRST_PAUSE_MS = 1000;
/** Who says nothing for so long after a call that was given up is ended. */
const SILENCE_MS = 5000;

describe.skipIf(process.platform !== "linux")("a server that", () => {
  test("a server that behaves is called, under a name that fits", async () => {
    const opened = await open("ok");
    expect((await echo(opened)).text).toBe("hello");
    const names = await toolNames(opened);
    expect(names).toEqual(["mcp_bad_a_name_that_is_m_ca05c6", "mcp_bad_echo"]);
    expect(names.every((name) => name.length <= 31)).toBe(true);
  });

  test("a server that dies fails its call clearly, and lives again after a pause", async () => {
    const mark = join(tmpdir(), `ringfence-upstream-${process.pid}`);
    const clock = new HandClock();
    host = await openUpstreamHost({ bad: hostile("die", mark) }, { ...OK_BEFORE, clock });
    const { failure } = await echo(host);
    expect(failure).toMatchObject({ code: "command_failed", retry: "later" });
    expect(failure?.message).toContain("exit code 3; its last words: boom, I am gone");
    expect((await echo(host)).failure).toMatchObject({ code: "busy", retry: "later" });
    clock.pass(FIRST_PAUSE_MS - 1);
    expect((await echo(host)).failure).toMatchObject({ code: "busy", retry: "later" });
    clock.pass(1);
    expect((await echo(host)).text).toBe("hello");
    const info = (await host.call("system_info", {})).text;
    expect(info).toContain("started 2 times, failed 1 time");
    expect(host.audit()).toContain('"event":"upstream"');
    await Bun.file(mark).delete();
  });

  test("a server that is not there is said so", async () => {
    const gone = { command: "/nowhere/server" };
    host = await openUpstreamHost({ bad: gone }, OK_BEFORE);
    expect((await echo(host)).failure?.message).toContain("/nowhere/server is not there");
    await isUnharmed(host);
  });

  test("a server that hangs in a call is told to stop, and is ended when it says nothing at all", async () => {
    const heard = join(tmpdir(), `ringfence-heard-${process.pid}`);
    const clock = new HandClock();
    const bad = hostile("hang-call", heard, { timeout_ms: 300_000 });
    const opened = await openUpstreamHost({ bad }, { ...OK_BEFORE, clock });
    host = opened;
    const calling = echo(opened);
    await until("the call to reach it", () => existsSync(heard));
    await clock.passWhenAsked(300_000);
    expect((await calling).failure).toMatchObject({ code: "timed_out" });
    await isUnharmed(opened);
    await until("it to be told", () => readFileSync(heard, "utf8").includes("notifications/cancelled"));
    await Bun.file(heard).delete();
    await clock.passWhenAsked(SILENCE_MS);
    await until("its end", async () => {
      const { text } = await opened.call("system_info", {});
      return text.includes("it did not answer, and was ended");
    });
  });

  test("never answers what it does not know, or takes long to start, is greeted in the older way", async () => {
    expect((await echo(await open("mute"))).text).toBe("hello");
  });

  test("a server that hangs in its greeting costs only the call", async () => {
    const clock = new HandClock();
    const opened = await open("hang-init", { timeout_ms: 400 }, clock);
    const calling = echo(opened);
    await clock.passWhenAsked(400);
    expect((await calling).failure?.code).toBe("timed_out");
    await isUnharmed(opened);
    // Nothing is written of it when it goes with its host.
    const greeting = opened.host.upstreams?.server("bad").look().catch(String);
    await opened[Symbol.asyncDispose]();
    host = undefined;
    expect(await settled("the greeting to be given up", Promise.resolve(greeting))).toContain("launcher");
    // From source, the runtime of a keeper that is ending can still make its cache in the home of the run.
    for (const ours of ["audit", "upstream", "journal"]) expect(existsSync(join(opened.stateDir, ours))).toBe(false);
    await removeTree(opened.top);
  });

  test("floods is ended, and nothing else waits for it", async () => {
    const opened = await open("flood");
    const [flooded] = await Promise.all([echo(opened), isUnharmed(opened)]);
    expect(flooded.failure?.message).toContain("it wrote more than anybody reads");
    await isUnharmed(opened);
  });

  test("answers with 100 MB is ended", async () => {
    const opened = await open("huge");
    expect((await echo(opened)).failure?.message).toContain("wrote a line of more than");
    await isUnharmed(opened);
  });

  test("answers with much has it cut and kept", async () => {
    const { all, result } = await echo(await open("large"));
    expect(Buffer.byteLength(all)).toBeLessThan(1_100_000);
    expect(JSON.stringify(result.content)).toContain("ringfence://spill/");
  });

  test("a server that asks for something is told that there is no such method", async () => {
    expect((await echo(await open("ask"))).text).toBe(
      "ask-elicitation/create:-32601 ask-ping:ok ask-roots/list:-32601 ask-sampling/createMessage:-32601",
    );
  });

  test("writes garbage, bad UTF-8, answers of nobody and answers twice is heard where it makes sense", async () => {
    for (const [mode, said] of [
      ["garbage", "hello"],
      ["utf8", "a\ufffd\ufffdb"],
      ["double", "hello"],
    ] as const) {
      const opened = await open(mode);
      expect((await echo(opened)).text).toBe(said);
      expect((await echo(opened)).text).toBe(said);
      await opened[Symbol.asyncDispose]();
    }
    host = undefined;
  });

  test("answers with no result, or an error, fails the call in words that harm no terminal", async () => {
    const opened = await open("no-result");
    expect((await echo(opened)).failure?.code).toBe("command_failed");
    await opened[Symbol.asyncDispose]();
    const { failure } = await echo(await open("error"));
    expect(failure?.message).toContain("the error -32602");
    expect(failure?.message).toContain("no red things");
  });

  test("answers with a secret has it replaced", async () => {
    const { all } = await echo(await open("secret"));
    expect(all).toMatch(/token \[secret:[0-9a-f]{6}\]/);
  });

  test("a server that leaves children loses them with the host", async () => {
    const opened = await open("children");
    await echo(opened);
    // It may still be on its way to be what it is started as.
    await until("its child to sleep", () => sleepers(opened).length > 0);
    expect(sleepers(opened)).toHaveLength(1);
    await opened[Symbol.asyncDispose]();
    host = undefined;
    await until("its child to be gone", () => sleepers(opened).length === 0);
  });
});

/** Processes of it that sleep, by their environment. */
function sleepers({ top }: TestHost): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isSleep = readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep");
      return isSleep && readFileSync(`/proc/${pid}/environ`, "utf8").includes(top);
    } catch {
      return false;
    }
  });
}
