/**
 * A control group around a process: what it forks away is still in it, all of it ends in one step, and nothing of the
 * groups is left. Where this process may make none, nothing can be shown.
 */
import { afterEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { ControlGroups, type Placing } from "../../src/proc/control-group.ts";
import { lookAt } from "../../src/proc/process-table.ts";
import { settled, until } from "../waits/until.ts";
import { expectAlive, startEcho, type Echo } from "./start-echo.ts";

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
/** Of processes and their numbers, and of their times. */
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

async function noGroupsLeft(): Promise<void> {
  await until("the end of the groups", () => groupsLeft().length === 0);
}

/** Puts them there as the kernel does, with something before and after. */
function placing(more: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }): Placing {
  return {
    startOf: (pid) => lookAt(pid)?.started,
    write: async (file, pid) => {
      await more.before?.();
      writeFileSync(file, String(pid));
      await more.after?.();
    },
  };
}

const SLEEP = ["sleep", "36000"];

/** Starts a shell in a group that starts two more, each in a session of its own and with no environment. */
async function started() {
  groups = ControlGroups.open();
  const go =
    "read go; env -i setsid sleep 36000 & env -i setsid sh -c 'sleep 36000 & sleep 36000' & echo ready; wait";
  const child = Bun.spawn(["sh", "-c", go], { stdin: "pipe", stdout: "pipe" });
  const group = groups?.add("run_test", child.pid);
  await group?.settled;
  void child.stdin.write("\n");
  void child.stdin.flush();
  await child.stdout.getReader().read();
  await until("five in the group", () => (group?.members().length ?? 0) >= 5);
  return { child, group };
}

/** It runs where it ran, and goes on when the group and all groups are ended. Ends it. */
async function expectLeftAlone(
  other: Echo,
  group: ReturnType<ControlGroups["add"]> | undefined,
): Promise<void> {
  expect(groupOf(other.pid)).toBe(groupOf("self"));
  expect(group?.members()).toEqual([]);
  group?.kill();
  group?.remove();
  await groups?.close();
  expect(launcherFolder()).toBeUndefined();
  await expectAlive(other);
  other.kill("SIGKILL");
  await other.exited;
}

describe.skipIf(!canGroup)("a control group", () => {
  test("holds everything that is started in it, and ends all of it at once", async () => {
    const { child, group } = await started();
    const members = group?.members() ?? [];
    expect(members.length).toBeGreaterThanOrEqual(5);
    expect(members).toContain(child.pid);
    group?.kill();
    await child.exited;
    await until("the end of all of it", () => members.every(isGone));
    group?.remove();
    await noGroupsLeft();
  });

  test("is neither read nor ended before it is certain who is in it", async () => {
    const late = Promise.withResolvers<void>();
    groups = ControlGroups.open(placing({ after: async () => await late.promise }));
    const child = startEcho();
    const group = groups?.add("run_late", child.pid);
    await until("the child in its group", () => groupOf(child.pid).endsWith("/run_late"));
    group?.kill();
    expect(group?.members()).toEqual([]);
    await expectAlive(child);
    late.resolve();
    await group?.settled;
    expect(group?.members()).toEqual([child.pid]);
    group?.kill();
    await child.exited;
    group?.remove();
    await noGroupsLeft();
  });

  test("that is put there late is still ended with the others", async () => {
    const late = Promise.withResolvers<void>();
    groups = ControlGroups.open(placing({ before: async () => await late.promise }));
    const children = [Bun.spawn(SLEEP), Bun.spawn(SLEEP)];
    for (const { pid } of children) groups?.add(`run_${pid}`, pid);
    const closed = groups?.close();
    late.resolve();
    await closed;
    await Promise.all(children.map(async ({ exited }) => await exited));
    expect(launcherFolder()).toBeUndefined();
  });

  test("whose program ends before it is put there is removed", async () => {
    const child = Bun.spawn(SLEEP);
    let isAsked = false;
    groups = ControlGroups.open(
      placing({
        before: async () => {
          isAsked = true;
          child.kill("SIGKILL");
          await child.exited;
        },
      }),
    );
    const group = groups?.add("run_short", child.pid);
    group?.remove();
    await group?.settled;
    expect(isAsked).toBe(true);
    expect(group?.members()).toEqual([]);
    await noGroupsLeft();
  });

  test("whose program has ended before its turn is never made", async () => {
    const asked: number[] = [];
    const first = Bun.spawn(SLEEP);
    const short = Bun.spawn(["true"]);
    groups = ControlGroups.open({
      startOf: (pid) => lookAt(pid)?.started,
      write: async (_, pid) => {
        asked.push(pid);
        await short.exited;
      },
    });
    groups?.add("run_first", first.pid);
    await groups?.add("run_short", short.pid).settled;
    expect(asked).toEqual([first.pid]);
    first.kill("SIGKILL");
    await first.exited;
  });

  test("whose program ended at once holds nothing that may be of another program", async () => {
    const child = Bun.spawn(SLEEP);
    const other = startEcho();
    groups = ControlGroups.open(
      placing({
        after: async () => {
          if (isGone(child.pid)) return;
          const [made = ""] = groupsLeft();
          writeFileSync(join(launcherFolder() ?? "", made, "cgroup.procs"), String(other.pid));
          child.kill("SIGKILL");
          await child.exited;
        },
      }),
    );
    const group = groups?.add("run_ended", child.pid);
    await group?.settled;
    await expectLeftAlone(other, group);
  });

  test("is not trusted when the number of its program is somebody else's meanwhile", async () => {
    const other = startEcho();
    let isOther = false;
    const begun: Placing = placing({ after: async () => await Promise.resolve((isOther = true)) });
    groups = ControlGroups.open({ ...begun, startOf: () => (isOther ? 2 : 1) });
    const group = groups?.add("run_other", other.pid);
    await group?.settled;
    await expectLeftAlone(other, group);
  });

  test("in which anybody may be when all are closed is not ended", async () => {
    const other = startEcho();
    groups = ControlGroups.open(placing({ after: async () => await new Promise(() => undefined) }));
    groups?.add("run_doubt", other.pid);
    await until("the other one in the group", () => groupOf(other.pid).endsWith("/run_doubt"));
    await groups?.close();
    await expectAlive(other);
    other.kill("SIGKILL");
    await other.exited;
  });

  test("is waited for by whoever ends its program, which is told at once, but not for ever", async () => {
    // Where the machine pauses, it may hear of the end late.
    const late = await until("an end that is told at once", async () =>
      [await happened("late")].find(([first]) => first === "gone"),
    );
    expect(late).toEqual(["gone", "asked", "ended", "removed"]);
    expect((await happened("never")).slice(0, 2)).toEqual(["gone", "ended"]);
  });

  // No process has this number; and this one began at another time.
  test.each(["4194305-1", `${process.pid}-1`])(
    "of a launcher that died is ended by the next one: %s",
    async (whose) => {
      const { child, group } = await started();
      const dead = join(ownFolder(), `ringfence-${whose}-${NAMESPACES}`);
      mkdirSync(dead);
      try {
        writeFileSync(join(dead, "cgroup.procs"), String(child.pid));
        ControlGroups.open();
        await child.exited;
        await until("the end of what it left", () => {
          ControlGroups.open();
          return !existsSync(dead);
        });
      } finally {
        child.kill("SIGKILL");
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
  ])("of a launcher whose number says nothing here, or that lives, is left alone: %s", async (whose) => {
    const elsewhere = join(ownFolder(), `ringfence-${whose}`);
    mkdirSync(elsewhere);
    const child = startEcho();
    try {
      writeFileSync(join(elsewhere, "cgroup.procs"), String(child.pid));
      await ControlGroups.open()?.close();
      await expectAlive(child);
      expect(groupOf(child.pid)).toEndWith(basename(elsewhere));
    } finally {
      child.kill("SIGKILL");
      await child.exited;
      await until("the end of the folder", () => {
        try {
          rmdirSync(elsewhere);
        } catch {
          // Who was in it is not quite gone.
        }
        return !existsSync(elsewhere);
      });
    }
  });
});

test.skipIf(process.platform === "linux")("is none where there are no control groups", () => {
  expect(ControlGroups.open()).toBeUndefined();
});

async function happened(kernel: "late" | "never"): Promise<string[]> {
  const program = join(import.meta.dir, "../fixtures/programs/late-group.ts");
  const child = Bun.spawn([process.execPath, program, kernel], { stdout: "pipe" });
  try {
    return JSON.parse(await settled("what happened", child.stdout.text()));
  } finally {
    child.kill("SIGKILL");
  }
}
