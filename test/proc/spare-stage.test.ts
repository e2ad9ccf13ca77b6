/**
 * A command that takes the spare exec stage is the same as one that is started directly, behind the same fence, and whatever
 * becomes of the spare one nobody notices.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SpareStage, type TakenStage } from "../../src/proc/spare-stage.ts";
import { hasLandlock } from "../binary/has-landlock.ts";
import { lookAt } from "../../src/proc/process-table.ts";
import { HANG_MS, until } from "../waits/until.ts";
import { hostOfEachTest, openCommandHost, script } from "./command-host.ts";
import { commandLineOf } from "./find-running.ts";
import { findLauncher, spareOf } from "./find-spare.ts";

const open = hostOfEachTest();
const REQUIRE = { fence: "require" } as const;
/** Of its keeper, which is the spare one when that was taken. */
const PID = script("echo $PPID");

describe.skipIf(!hasLandlock())("a spare exec stage", () => {
  test("becomes a command that has all that it has when it is started directly", async () => {
    const look = [
      "env | sort; pwd; umask; echo $(ulimit -t; ulimit -f; ulimit -c; ulimit -n; ulimit -d); ls -l /proc/self/fd",
      "grep -E '^(NoNew|Sec|Sig[BIC]|Cap|Threads)' /proc/self/status; readlink /proc/self/exe; tr '\\0' ' ' < /proc/$$/cmdline; echo",
      "cut -d' ' -f5-7 /proc/$$/stat; echo $$; echo $PPID; cat /etc/shadow; echo x > /tmp/outside-$$; exit 3",
    ].join("\n");
    const environment = { NODE_DEBUG: "x", NODE_ENV: "test", EMPTY: "", LINES_: "ä\n=b" };
    const host = open({ look: script(look, { environment, cwd: "sub" }) }, REQUIRE, {
      "sub/a.txt": "",
    });
    const direct = await host.call("cmd_look");
    const spare = await spareOf();
    const later = await host.call("cmd_look");
    expect(pidsIn(direct.text)).not.toContain(spare);
    expect(pidsIn(later.text)).toContain(spare);
    expect(direct.text).toMatch(/^exit code 3, /);
    expect(direct.text).toContain("\nLINES_=ä\n");
    expect(plain(later.text)).toBe(plain(direct.text));
    const third = await spareOf(spare);
    expect(plain((await host.call("cmd_look")).text)).toBe(plain(direct.text));
    expect(third).not.toBe(spare);
  });

  test("that is killed or stopped by somebody is not missed", async () => {
    const host = open({ pid: PID }, REQUIRE);
    await host.call("cmd_pid");
    let spare = await spareOf();
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      process.kill(spare, signal);
      await until(`what ${signal} does`, () => /^[ZT]?$/.test(lookAt(spare)?.state ?? ""));
      const { text } = await host.call("cmd_pid");
      expect(text).toMatch(/^exit code 0, [\d.]+ m?s\n\d+$/);
      expect(pidsIn(text)).not.toContain(spare);
      await goneSoon(spare);
      spare = await spareOf(spare);
    }
  });

  test("is for one command; another one at the same time is started directly", async () => {
    // Each ends when all three are there.
    const three = "echo $PPID; : > $$; until [ $(ls | wc -l) = 3 ]; do sleep 0.01; done";
    const host = open({ pid: PID, three: script(three) }, REQUIRE);
    await host.call("cmd_pid");
    const spare = await spareOf();
    const answers = await Promise.all(Array.from({ length: 3 }, async () => await host.call("cmd_three")));
    for (const { text } of answers) expect(text).toMatch(/^exit code 0, [\d.]+ m?s\n\d+$/);
    expect(answers.filter(({ text }) => pidsIn(text).includes(spare))).toHaveLength(1);
  });

  test("is not for what has an input, a terminal, or more to say than fits", async () => {
    const host = open(
      {
        pid: PID,
        ask: script("cat; echo $PPID", { stdin: "given" }),
        terminal: script("tty; echo $PPID", { pty: true }),
        long: script(`echo $PPID # ${"x".repeat(70_000)}`),
      },
      REQUIRE,
    );
    await host.call("cmd_pid");
    const spare = await spareOf();
    expect((await host.call("cmd_ask", { stdin: "hello\n" })).text).toContain("\nhello\n");
    expect((await host.call("cmd_terminal")).text).toContain("/dev/pts/");
    expect((await host.call("cmd_long")).text).toMatch(/^exit code 0/);
    expect(await spareOf()).toBe(spare);
    expect(pidsIn((await host.call("cmd_pid")).text)).toContain(spare);
  });

  test("is no part of a command that leaves something behind", async () => {
    const host = open({ pid: PID, leave: script("sleep 97431 >/dev/null 2>&1 & echo x") }, REQUIRE);
    await host.call("cmd_pid");
    const spare = await spareOf();
    const { all } = await host.call("cmd_leave");
    expect(all).toMatch(/sleep \(\d+\)/);
    expect(all).not.toContain("bun");
    expect(isThere(await spareOf(spare))).toBe(true);
  });

  test("can be reached by no command, and is not told by one what to become", async () => {
    const reach = script(
      "read pid; readlink /proc/$pid/fd/4; cat /proc/$pid/environ; echo evil > /proc/$pid/fd/4; kill -9 $pid; echo done",
      { stdin: "given" },
    );
    const host = open({ pid: PID, reach }, REQUIRE);
    await host.call("cmd_pid");
    const spare = await spareOf();
    const { text } = await host.call("cmd_reach", { stdin: `${spare}\n` });
    expect(text.match(/Permission denied/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain("pipe:");
    expect(text).not.toContain("exec-spare");
    expect(text).toContain("done");
    expect(pidsIn((await host.call("cmd_pid")).text).length).toBe(1);
  });

  test("goes with its launcher, also when that is killed", async () => {
    const host = open({ pid: PID }, REQUIRE);
    await host.call("cmd_pid");
    const spare = await spareOf();
    process.kill(findLauncher(), "SIGKILL");
    await goneSoon(spare);
  });

  test("goes with its host", async () => {
    let spare = 0;
    {
      await using host = openCommandHost({ config: { ...REQUIRE, commands: { pid: PID } as never } });
      await host.call("cmd_pid");
      spare = await spareOf();
    }
    await goneSoon(spare);
  });
});

describe.skipIf(process.platform !== "linux")("keeping one", () => {
  const self = {
    command: [process.execPath, join(import.meta.dir, "..", "..", "workers", "launcher.ts")],
    markName: "RINGFENCE_START",
  };

  /** @returns what is there now, and of all that were started whether they were there then */
  function keep(idleMs: number): { stage: SpareStage; apart: Set<number>; started: Map<number, boolean> } {
    const apart = new Set<number>();
    const started = new Map<number, boolean>();
    const trees = {
      keepApart(pid: number) {
        apart.add(pid);
        started.set(pid, lookAt(pid) !== undefined);
      },
      forget: (pid: number) => void apart.delete(pid),
    };
    return { stage: new SpareStage(self, trees, idleMs), apart, started };
  }

  const plan = { program: "/bin/true", argv: ["true"], limits: {}, cwd: "/", environment: {} };

  test("ends when nobody wants it for a while, with all that it held", async () => {
    const before = readdirSync("/proc/self/fd").length;
    const { stage, apart, started } = keep(150);
    expect(stage.take(plan)).toBeUndefined();
    stage.prepare();
    await until("one that came and went", () => started.size === 1 && apart.size === 0);
    expect([...started.values()]).toEqual([true]);
    for (const pid of started.keys()) expect(isThere(pid)).toBe(false);
    expect(stage.take(plan)).toBeUndefined();
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 1);
    stage.close();
  });

  test("starts none when it is closed", async () => {
    const { stage, started } = keep(HANG_MS);
    const later = keep(HANG_MS);
    stage.prepare();
    stage.close();
    stage.prepare();
    // They wait for the same moment, one after the other.
    later.stage.prepare();
    await until("the one that is not closed", () => later.started.size === 1);
    later.stage.close();
    expect(started.size).toBe(0);
  });

  test("hears of a directory that is gone, and of a program", async () => {
    const { stage, apart } = keep(HANG_MS);
    for (const [change, says] of [
      [{ cwd: "/nonexistent" }, /^its directory cannot be entered \(ENOENT\)$/],
      [{ program: "/nonexistent" }, /^execve: ENOENT$/],
    ] as const) {
      stage.prepare();
      await until("one", () => apart.size === 1);
      expect(await saidBy(stage.take({ ...plan, ...change }))).toMatch(says);
      await until("its end", () => apart.size === 0);
    }
    stage.close();
  });
});

async function saidBy(taken: TakenStage | undefined): Promise<string> {
  if (!taken) throw new Error("There is none");
  const said = await Bun.file(taken.status).text();
  for (const fd of [taken.status, taken.output, taken.control]) closeSync(fd);
  return said;
}

function isThere(pid: number): boolean {
  return commandLineOf(pid) !== "";
}

async function goneSoon(pid: number): Promise<void> {
  await until(`the end of ${pid}`, () => !isThere(pid));
}

/** Lines that are nothing but a number. */
function pidsIn(text: string): number[] {
  return text
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
}

/** Without what is new each time. */
function plain(text: string): string {
  const pids = pidsIn(text).filter((pid) => pid > 100);
  return text
    .replaceAll(/run_[\w-]+/g, "run_")
    .replaceAll(/pipe:\[\d+\]/g, "pipe")
    .replaceAll(/\b[\d.]+ m?s\b/g, "ms")
    .replaceAll(/\/proc\/\d+\/fd/g, "/proc/fd")
    .replaceAll(/^(.{10}) .* (\d -> )/gm, "$1 $2")
    .replaceAll(/\b\d+\b/g, (number) => (pids.includes(Number(number)) ? "PID" : number));
}
