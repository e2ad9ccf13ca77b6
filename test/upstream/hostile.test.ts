/**
 * What a server can do to this host: nothing but fail its own calls. Every case is a real process that behaves so.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestHost } from "../host/in-memory-host.ts";
import { hostile, openUpstreamHost, toolNames } from "./upstream-host.ts";

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

async function open(mode: string, more: object = {}, before = "ok"): Promise<TestHost> {
  host = await openUpstreamHost({ bad: hostile(mode, "", more) }, {}, { bad: hostile(before) });
  return host;
}

async function isUnharmed(opened: TestHost): Promise<void> {
  expect((await opened.call("list_directory", { path: "." })).failure).toBeUndefined();
}

const echo = async (opened: TestHost, text = "hello") => await opened.call("mcp:bad:echo", { text });

describe.skipIf(process.platform !== "linux")("a server that", () => {
  test("behaves is called, under a name that fits", async () => {
    const opened = await open("ok");
    expect((await echo(opened)).text).toBe("hello");
    const names = await toolNames(opened);
    expect(names).toEqual(["mcp_bad_a_name_that_is_m_ca05c6", "mcp_bad_echo"]);
    expect(names.every((name) => name.length <= 31)).toBe(true);
  });

  test("dies fails its call clearly, and lives again after a pause", async () => {
    const mark = join(tmpdir(), `ringfence-upstream-${process.pid}`);
    host = await openUpstreamHost({ bad: hostile("die", mark) }, {}, { bad: hostile("ok") });
    const { failure } = await echo(host);
    expect(failure).toMatchObject({ code: "command_failed", retry: "later" });
    expect(failure?.message).toContain("exit code 3; its last words: boom, I am gone");
    expect((await echo(host)).failure).toMatchObject({ code: "busy", retry: "later" });
    await Bun.sleep(1100);
    expect((await echo(host)).text).toBe("hello");
    const info = (await host.call("system_info", {})).text;
    expect(info).toContain("started 2 times, failed 1 times");
    expect(host.audit()).toContain('"event":"upstream"');
    await Bun.file(mark).delete();
  });

  test("is not there is said so", async () => {
    const gone = { command: "/nowhere/server" };
    host = await openUpstreamHost({ bad: gone }, {}, { bad: hostile("ok") });
    expect((await echo(host)).failure?.message).toContain("/nowhere/server is not there");
    await isUnharmed(host);
  });

  test("hangs in a call is told to stop, and is ended when it says nothing at all", async () => {
    const heard = join(tmpdir(), `ringfence-heard-${process.pid}`);
    host = await openUpstreamHost(
      { bad: hostile("hang-call", heard, { timeout_ms: 2000 }) },
      {},
      { bad: hostile("ok") },
    );
    expect((await echo(host)).failure).toMatchObject({ code: "timed_out" });
    await isUnharmed(host);
    await Bun.sleep(200);
    expect(readFileSync(heard, "utf8")).toContain("notifications/cancelled");
    await Bun.file(heard).delete();
    await Bun.sleep(6500);
    expect((await host.call("system_info", {})).text).toContain("it did not answer, and was ended");
  }, 30_000);

  test("hangs in its greeting costs only the call", async () => {
    const opened = await open("hang-init", { timeout_ms: 400 });
    expect((await echo(opened)).failure?.code).toBe("timed_out");
    await isUnharmed(opened);
  });

  test("floods is ended, and nothing else waits for it", async () => {
    const opened = await open("flood");
    const [flooded] = await Promise.all([echo(opened), isUnharmed(opened)]);
    expect(flooded.failure?.message).toContain("it wrote more than anybody reads");
    await isUnharmed(opened);
  }, 30_000);

  test("answers with 100 MB is ended", async () => {
    const opened = await open("huge");
    expect((await echo(opened)).failure?.message).toContain("wrote a line of more than");
    await isUnharmed(opened);
  }, 30_000);

  test("answers with much has it cut and kept", async () => {
    const { all, result } = await echo(await open("large"));
    expect(Buffer.byteLength(all)).toBeLessThan(1_100_000);
    expect(JSON.stringify(result.content)).toContain("ringfence://spill/");
  });

  test("asks for something is told that there is no such method", async () => {
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

  test("leaves children loses them with the host", async () => {
    const opened = await open("children");
    await echo(opened);
    // It may still be on its way to be what it is started as.
    await Bun.sleep(300);
    expect(sleepers(opened)).toHaveLength(1);
    await opened[Symbol.asyncDispose]();
    host = undefined;
    await Bun.sleep(1500);
    expect(sleepers(opened)).toEqual([]);
  });
});

/** Processes of it that sleep, by their environment. */
function sleepers({ top }: TestHost): string[] {
  return [...new Bun.Glob("[0-9]*").scanSync({ cwd: "/proc", onlyFiles: false })].filter((pid) => {
    try {
      const isSleep = readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep");
      return isSleep && readFileSync(`/proc/${pid}/environ`, "utf8").includes(top);
    } catch {
      return false;
    }
  });
}
