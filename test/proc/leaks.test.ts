/**
 * Many commands one after the other leave nothing: no process, no zombie, no descriptor, no folder, no growing memory. The
 * long form starts a thousand: RINGFENCE_STARTS=1000.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf } from "../../src/proc/tree/processes.ts";
import { until } from "../waits/until.ts";
import { openCommandHost, script } from "./command-host.ts";
import { findLauncher, findRunning } from "./find-running.ts";

const STARTS = Number(process.env["RINGFENCE_STARTS"] ?? 120);

test.skipIf(process.platform !== "linux")(`${STARTS} starts and stops leave no process and no descriptor`, async () => {
  await using host = openCommandHost({
    config: {
      commands: {
        short: script("echo x"),
        child: script("sleep 97531 >/dev/null 2>&1 & echo x"),
        orphan: script("(setsid sleep 97531 >/dev/null 2>&1 &) ; echo x"),
        fails: { description: "x", program: "/bin/false", changes: false },
        late: script("exec sleep 97531", { timeout_ms: 20 }),
      } as never,
    },
  });
  const round = async (times: number): Promise<void> => {
    const names = ["short", "child", "orphan", "fails", "late"];
    for (let at = 0; at < times; at += 20)
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => await host.call(`cmd_${names[(at + n) % names.length]}`)),
      );
  };
  await round(40);
  const launcher = findLauncher();
  const before = await keptBy(launcher);
  await round(STARTS);
  const after = await keptBy(launcher, before.descriptors + 2);
  expect(after.memory).toBeLessThan(before.memory + 60e6);
  expect(findRunning("97531")).toEqual([]);
  expect(readdirSync(join(host.stateDir, "run"))).toEqual([]);
  expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before.own + 2);
});

test.skipIf(process.platform !== "linux")(
  "two hundred at once leave no process, no descriptor and no group",
  async () => {
    await using host = openCommandHost({
      config: {
        commands: {
          short: script("exec true"),
          daemon: script("(env -i setsid sleep 97532 >/dev/null 2>&1 &) ; echo x"),
          late: script("exec sleep 97532", { timeout_ms: 20 }),
        } as never,
      },
    });
    await host.call("cmd_short");
    const launcher = findLauncher();
    const before = await keptBy(launcher);
    const names = ["short", "short", "daemon", "late"];
    await Promise.all(Array.from({ length: 200 }, async (_, n) => await host.call(`cmd_${names[n % names.length]}`)));
    await keptBy(launcher, before.descriptors + 2);
    expect(findRunning("97532")).toEqual([]);
    // What the kernel has not let go is removed with the next command, once it has.
    await until("the end of the groups", async () => {
      await host.call("cmd_short");
      return groupsOf(launcher).length === 0;
    });
  },
);

/** Control groups of the commands of this launcher; none where it may not create any. */
function groupsOf(launcher: number): string[] {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const mount = mounts.find((line) => line.includes(" - cgroup2 "))?.split(" ")[4];
  if (mount === undefined) return [];
  const own = /^0::(.*)$/m.exec(readFileSync(`/proc/${launcher}/cgroup`, "utf8"))?.[1] ?? "";
  const top = join(mount, own);
  const name = readdirSync(top).find((one) => one.startsWith(`ringfence-${launcher}-`));
  return name === undefined ? [] : readdirSync(join(top, name)).filter((one) => one.startsWith("run_"));
}

interface Kept {
  readonly children: readonly number[];
  readonly descriptors: number;
  readonly own: number;
  readonly memory: number;
}

/**
 * What the launcher holds, after what has ended was looked after.
 * @param most descriptors: those of a program that has ended are closed when its end is heard of
 */
async function keptBy(launcher: number, most = Infinity): Promise<Kept> {
  const look = (): Kept => {
    const status = readFileSync(`/proc/${launcher}/status`, "utf8");
    return {
      children: childrenOf(launcher),
      descriptors: readdirSync(`/proc/${launcher}/fd`).length,
      own: readdirSync("/proc/self/fd").length,
      memory: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024,
    };
  };
  return await until(`no more than ${most} descriptors, and no child`, () => {
    const kept = look();
    return kept.children.length === 0 && kept.descriptors <= most && kept;
  });
}
