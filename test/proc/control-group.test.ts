/**
 * A control group around a process: what it forks away is still in it, all of it ends in one step, and nothing of the
 * groups is left. Where this process may make none, nothing can be shown.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ControlGroups, type ControlGroup } from "../../src/proc/tree/control-group.ts";
import { lookAt } from "../../src/proc/tree/processes.ts";
import { spawnProgram } from "../../src/proc/run/spawn-program.ts";
import { settled, until } from "../waits/until.ts";

let groups = ControlGroups.open();
const canGroup = groups !== undefined;
await groups?.close();

afterEach(async () => await groups?.close());

const isGone = (pid: number): boolean => ["Z", "X", undefined].includes(lookAt(pid)?.state);
const groupOf = (pid: number | "self"): string =>
  /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";

/** Where this process is, and makes its groups. */
function ownFolder(): string {
  const mount = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .find((line) => line.includes(" - cgroup2 "))
    ?.split(" ")[4];
  return join(mount ?? "", groupOf("self"));
}

const namespaceOf = (kind: string): string =>
  (canGroup && /\d+/.exec(readlinkSync(`/proc/self/ns/${kind}`))?.[0]) || "0";
/** The namespaces of process ids and of clocks. */
const NAMESPACES = `${namespaceOf("pid")}-${namespaceOf("time")}`;

/** In which this process makes its groups; `undefined` when it has none. */
function launcherFolder(): string | undefined {
  const folder = join(ownFolder(), `ringfence-${process.pid}-${lookAt(process.pid)?.started}-${NAMESPACES}`);
  return existsSync(folder) ? folder : undefined;
}

/** The groups that there are now. */
function groupsLeft(): string[] {
  const folder = launcherFolder();
  return folder === undefined ? [] : readdirSync(folder).filter((name) => name.startsWith("run_"));
}

const SLEEP = ["sleep", "36000"];

const SELF = {
  command: [process.execPath, join(import.meta.dir, "..", "..", "workers", "launcher.ts")],
  markName: "RINGFENCE_START",
};

/** A shell that is born in a group, with what it says so far. */
async function born(text: string, group: ControlGroup | undefined, folder = group?.folder) {
  const said: string[] = [];
  const ended = Promise.withResolvers<void>();
  const start = {
    program: "/bin/sh",
    args: ["-c", text],
    cwd: "/",
    environment: {},
    limits: {},
    group: folder,
  };
  let keeper = 0;
  const program = await spawnProgram(
    start,
    SELF,
    (pid, { gone }) => {
      keeper = pid;
      void gone.then(() => ended.resolve());
    },
    (bytes) => void said.push(Buffer.from(bytes).toString("utf8")),
  );
  return { ...program, keeper, said: () => said.join(""), gone: ended.promise };
}

/** Starts a shell in a group that starts two more, each in a session of its own and with no environment. */
async function started() {
  groups = ControlGroups.open();
  const group = groups?.add("run_test");
  const shell = "env -i setsid sleep 36000 & env -i setsid sh -c 'sleep 36000 & sleep 36000' & echo ready; wait";
  const program = await born(shell, group);
  await until("five processes in the group", () => (group?.members().length ?? 0) >= 5);
  return { program, group };
}

describe.skipIf(!canGroup)("a control group", () => {
  test("a control group holds everything that is started in it, and ends all of it at once", async () => {
    const { program, group } = await started();
    const members = group?.members() ?? [];
    expect(members.length).toBeGreaterThanOrEqual(5);
    expect(members).toContain(program.pid);
    expect(members).not.toContain(program.keeper);
    group?.kill();
    expect(await settled("its program", program.exited)).toEqual({ code: null, signal: "SIGKILL" });
    await until("the end of all of it", () => members.every(isGone));
    group?.remove();
    await until("no group", () => groupsLeft().length === 0);
  });

  test("a control group is where its program is born: it is there before the program's first instruction", async () => {
    groups = ControlGroups.open();
    for (const run of ["run_a", "run_b", "run_c"]) {
      const group = groups?.add(run);
      const program = await born("exec cat /proc/self/cgroup", group);
      await settled("its output", program.drain.ended);
      expect(program.said()).toMatch(new RegExp(`^0::.*/${run}$`, "m"));
      await settled("its keeper", program.gone);
      group?.remove();
    }
    await until("no group", () => groupsLeft().length === 0);
  });

  test("a control group is never that of anybody who was not born there", async () => {
    const other = Bun.spawn(SLEEP);
    groups = ControlGroups.open();
    const group = groups?.add("run_other");
    const program = await born("exec sleep 36000", group);
    expect(group?.members()).toEqual([program.pid]);
    group?.kill();
    group?.remove();
    await groups?.close();
    expect(launcherFolder()).toBeUndefined();
    expect(isGone(other.pid)).toBe(false);
    expect(groupOf(other.pid)).toBe(groupOf("self"));
    other.kill("SIGKILL");
    await settled("the other one", other.exited);
  });

  test("a control group is removed when its program ends at once", async () => {
    groups = ControlGroups.open();
    const group = groups?.add("run_short");
    const program = await born("exit 3", group);
    expect(await settled("its program", program.exited)).toEqual({ code: 3, signal: null });
    expect(group?.members()).toEqual([]);
    group?.remove();
    await until("no group", () => groupsLeft().length === 0);
  });

  test("a control group is removed when its program was never started", async () => {
    groups = ControlGroups.open();
    const group = groups?.add("run_never");
    expect(groupsLeft()).toEqual(["run_never"]);
    group?.remove();
    await until("no group", () => groupsLeft().length === 0);
  });

  test("a control group that is gone when a program should be born there keeps the program from nothing", async () => {
    groups = ControlGroups.open();
    const program = await born("cat /proc/self/cgroup", undefined, join(launcherFolder() ?? "", "run_gone"));
    expect(await settled("its program", program.exited)).toEqual({ code: 0, signal: null });
    await settled("its output", program.drain.ended);
    expect(program.said()).toContain(`0::${groupOf("self")}\n`);
  });

  test("in which somebody still runs ends with all the others", async () => {
    groups = ControlGroups.open();
    const programs = await Promise.all(
      ["run_1", "run_2"].map(async (run) => await born("exec sleep 36000", groups?.add(run))),
    );
    await groups?.close();
    for (const { exited } of programs) expect((await settled("its end", exited)).signal).toBe("SIGKILL");
    expect(launcherFolder()).toBeUndefined();
  });

  // No process has this number; and this one began at another time.
  test.each(["4194305-1", `${process.pid}-1`])(
    "a control group of a launcher that died is ended by the next one: %s",
    async (whose) => {
      const { program, group } = await started();
      const dead = join(ownFolder(), `ringfence-${whose}-${NAMESPACES}`);
      mkdirSync(dead);
      try {
        writeFileSync(join(dead, "cgroup.procs"), String(program.pid));
        ControlGroups.open();
        expect((await settled("its end", program.exited)).signal).toBe("SIGKILL");
        await until("the end of its group", () => {
          ControlGroups.open();
          return !existsSync(dead);
        });
      } finally {
        group?.kill();
        group?.remove();
      }
    },
  );

  test.each([
    `4194305-1-1-${namespaceOf("time")}`,
    `4194305-1-${namespaceOf("pid")}-1`,
    // It lives.
    `${process.ppid}-${lookAt(process.ppid)?.started}-${NAMESPACES}`,
  ])(
    "a control group of a launcher whose number says nothing here, or that lives, is left alone: %s",
    async (whose) => {
      const elsewhere = join(ownFolder(), `ringfence-${whose}`);
      mkdirSync(elsewhere);
      const child = Bun.spawn(SLEEP);
      try {
        writeFileSync(join(elsewhere, "cgroup.procs"), String(child.pid));
        await ControlGroups.open()?.close();
        expect(isGone(child.pid)).toBe(false);
        expect(groupOf(child.pid)).toEndWith(basename(elsewhere));
      } finally {
        child.kill("SIGKILL");
        await child.exited;
        await until("the end of the group", () => {
          try {
            rmdirSync(elsewhere);
          } catch {
            // Who was in it is not quite gone.
          }
          return !existsSync(elsewhere);
        });
      }
    },
  );
});

test.skipIf(process.platform === "linux")(
  "a program is started without a group where there are no control groups",
  () => {
    expect(ControlGroups.open()).toBeUndefined();
  },
);
