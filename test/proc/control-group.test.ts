/**
 * A control group around a process: what it forks away is still in it, all of it ends in one step, and nothing of the
 * groups is left. Where this process may make none, nothing can be shown.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ControlGroups } from "../../src/proc/control-group.ts";
import { lookAt } from "../../src/proc/process-table.ts";

let groups = ControlGroups.open();
const canGroup = groups !== undefined;
await groups?.close();

afterEach(async () => await groups?.close());

const isGone = (pid: number): boolean => ["Z", "X", undefined].includes(lookAt(pid)?.state);

/** Starts a shell in a group that starts two more, each in a session of its own and with no environment. */
async function started() {
  groups = ControlGroups.open();
  const go =
    "read go; env -i setsid sleep 100 & env -i setsid sh -c 'sleep 100 & sleep 100' & echo ready; wait";
  const child = Bun.spawn(["sh", "-c", go], { stdin: "pipe", stdout: "pipe" });
  const group = groups?.add("run_test", child.pid);
  void child.stdin.write("\n");
  void child.stdin.flush();
  await child.stdout.getReader().read();
  for (let tries = 0; tries < 200 && (group?.members().length ?? 0) < 5; tries++) await Bun.sleep(10);
  return { child, group };
}

describe.skipIf(!canGroup)("a control group", () => {
  test("holds everything that is started in it, and ends all of it at once", async () => {
    const { child, group } = await started();
    const members = group?.members() ?? [];
    expect(members.length).toBeGreaterThanOrEqual(5);
    expect(members).toContain(child.pid);
    group?.kill();
    await child.exited;
    for (let tries = 0; tries < 200 && !members.every(isGone); tries++) await Bun.sleep(10);
    expect(members.every(isGone)).toBe(true);
    group?.remove();
  });

  test("of a launcher that died is ended by the next one", async () => {
    const { child, group } = await started();
    const own = readFileSync(`/proc/${child.pid}/cgroup`, "utf8").match(/^0::(.*)$/m)?.[1] ?? "";
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .find((line) => line.includes(" - cgroup2 "))
      ?.split(" ")[4];
    const top = dirname(dirname(join(mount ?? "", own)));
    // No process has this number.
    const dead = join(top, "ringfence-4194305");
    mkdirSync(dead);
    writeFileSync(join(dead, "cgroup.procs"), String(child.pid));
    ControlGroups.open();
    await child.exited;
    for (let tries = 0; tries < 200 && existsSync(dead); tries++) {
      await Bun.sleep(10);
      ControlGroups.open();
    }
    expect(existsSync(dead)).toBe(false);
    group?.kill();
    group?.remove();
  });
});

test.skipIf(process.platform === "linux")("is none where there are no control groups", () => {
  expect(ControlGroups.open()).toBeUndefined();
});
