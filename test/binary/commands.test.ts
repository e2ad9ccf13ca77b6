/**
 * Commands of a compiled host behind the kernel fence: the host itself can start nothing, its launcher can, and however
 * the host dies, nothing of what it started stays.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { script } from "../proc/command-host.ts";
import { settled, until } from "../waits/until.ts";
import { hasLandlock } from "./has-landlock.ts";
import { killAll } from "../kill.ts";

let base = "";
let binary = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-commands-")));
  binary = join(base, "host");
  mkdirSync(join(base, "root"));
  const build = Bun.spawnSync(
    [
      process.execPath,
      join(REPOSITORY, "scripts", "build.ts"),
      `--entry=${join(REPOSITORY, "test", "fixtures", "programs", "host.ts")}`,
      `--out=${binary}`,
    ],
    { cwd: REPOSITORY },
  );
  if (build.exitCode !== 0) throw new Error(build.stderr.toString());
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The answer is a whole line of JSON; only its first text is of interest. */
interface Running extends AsyncDisposable {
  readonly child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly send: (name: string, args?: object) => void;
  readonly call: (name: string, args?: object) => Promise<string>;
}

function start(fence: string): Running {
  const commands = {
    hello: script("echo hello from $PPID"),
    outside: script(`cat ${base}/host | head -c 1; ls ${base}`),
    wait: script("setsid sleep 86421 & exec sleep 86421"),
    echo: {
      description: "x",
      program: "/bin/echo",
      args: ["{text}"],
      parameters: { text: { type: "string", max_length: 130_000 } },
      changes: false,
    },
  };
  const options = {
    roots: [join(base, "root")],
    stateDir: join(base, "state"),
    mode: "bypass",
    fence,
    commands,
  };
  const child = Bun.spawn([binary, JSON.stringify(options)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = child.stderr.text();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = 0;
  const send = (name: string, args: object = {}): void => {
    const params = { name, arguments: args };
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params })}\n`);
    void child.stdin.flush();
  };
  return {
    child,
    send,
    async call(name, args) {
      send(name, args);
      for (let end = rest.indexOf("\n"); end < 0; end = rest.indexOf("\n")) {
        const { done, value } = await settled(`the answer to ${name}`, reader.read());
        if (done) throw new Error(`the host has ended: ${await stderr}`);
        rest += decoder.decode(value, { stream: true });
      }
      const line = rest.slice(0, rest.indexOf("\n"));
      rest = rest.slice(line.length + 1);
      const { result } = JSON.parse(line) as { result: { content: { text: string }[] } };
      return result.content.map(({ text }) => text).join("\n");
    },
    async [Symbol.asyncDispose]() {
      void child.stdin.end();
      await child.exited;
    },
  };
}

describe.skipIf(!hasLandlock())("a fenced host", () => {
  test("a fenced host runs commands in fences of their own, with whatever arguments", async () => {
    await using host = start("require");
    expect(await host.call("cmd_hello")).toMatch(/^\[Fence: kernel.*\]\nexit code 0.*\nhello from \d+/);
    expect(await host.call("cmd_outside")).not.toContain("state");
    const long = `${"x".repeat(120_000)} --inspect $(id) 'ü'`;
    expect(await host.call("cmd_echo", { text: long })).toContain("--inspect $(id) 'ü'");
    expect(await host.call("system_info")).toContain("kernel");
  });

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "a fenced host leaves nothing behind when it is ended with %s",
    async (signal) => {
      await using host = start("require");
      expect(await host.call("cmd_hello")).toContain("hello");
      host.send("cmd_wait");
      await until("the command and its child", () => running("86421").length === 2);
      host.child.kill(signal);
      await host.child.exited;
      await until("the end of what it started", () => running("86421").length === 0);
      await until("the end of all its processes", () => running(binary).length === 0);
    },
  );

  test("a fenced host leaves nothing behind when its launcher is killed", async () => {
    await using host = start("require");
    expect(await host.call("cmd_hello")).toContain("hello");
    host.send("cmd_wait");
    await until("the command and its child", () => running("86421").length === 2);
    const launcher = running(binary).find(({ pid }) => pid !== host.child.pid);
    process.kill(launcher?.pid ?? 0, "SIGKILL");
    await until("the end of the launcher's child", () => running("86421").length <= 1);
    // Its own children die with it; what has left them the kernel gives to somebody else.
    killAll(running("86421").map(({ pid }) => pid));
    expect(await host.call("cmd_hello")).toContain("unsupported: Cannot start anything");
  });
});

interface Process {
  readonly pid: number;
}

function running(mark: string): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const isShell = line[0] === "/bin/sh";
        return line.includes(mark) && !isShell ? [{ pid: Number(pid) }] : [];
      } catch {
        return [];
      }
    });
}
