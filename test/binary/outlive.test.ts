/**
 * Nothing outlives its command: programs that leave what they started in every way that they can, while others run, as root
 * and as a user, with control groups and without. When a call is answered nothing of it runs. The long form makes a
 * thousand commands in each place: RINGFENCE_OUTLIVING=1000.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ControlGroups } from "../../src/proc/index.ts";
import { until } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { Place, ServeProcess } from "./serve-process.ts";

const RUNS = Number(process.env["RINGFENCE_OUTLIVING"] ?? 24);
const AT_ONCE = 12;
const USER = 65534;
const isRoot = process.getuid?.() === 0;
const hasGroups = await canGroup();

/** What each command leaves runs `sleep` for so long, or has it in its command line; of this run of the tests alone. */
const LEFT = `7404303.${process.pid}`;
const OTHER = `7404304.${process.pid}`;
const DESKTOP = `7404305.${process.pid}`;

/** `$$` and `$PPID` are of the shell; every one ends by itself, with what it has left behind its back. */
const WAYS: Readonly<Record<string, string>> = {
  "under the mark of what is opened on the desktop": `( setsid env RINGFENCE_RUN=desktop sleep ${LEFT} </dev/null >/dev/null 2>&1 & sleep 0.05 ); sleep 0.02`,
  "in a session of its own with no environment": `setsid env -i sleep ${LEFT} >/dev/null 2>&1 & sleep 0.03; exit 0`,
  "before anybody has looked": `setsid env -i sleep ${LEFT} >/dev/null 2>&1 & exit 0`,
  "forked twice": `( ( setsid sh -c 'setsid sleep ${LEFT} & exit' >/dev/null 2>&1 & ) & ); sleep 0.02`,
  "with no descriptor": `( setsid sh -c 'exec 0<&- 1>&- 2>&-; exec sleep ${LEFT}' & ); exit 3`,
  "under another name": `( setsid bash -c 'exec -a "[kworker/0:1]" sleep ${LEFT}' >/dev/null 2>&1 & ); sleep 0.02`,
  "deaf to signals": `( setsid sh -c 'trap "" TERM HUP INT USR1; sleep ${LEFT}; : ' >/dev/null 2>&1 & ); sleep 0.03`,
  "forking on and on": `( setsid sh -c 'n=0; while [ $n -lt 40 ]; do ( setsid env -i sleep ${LEFT} & ); n=$((n+1)); done' >/dev/null 2>&1 & ); exit 0`,
  "after it has ended who keeps it": `( setsid sleep ${LEFT} >/dev/null 2>&1 & ); kill -9 $PPID 2>/dev/null; setsid sleep ${LEFT} >/dev/null 2>&1 &`,
};

/** A keeper that is killed before it could say that the program runs is a start that failed; nothing is left all the same. */
const ENDED =
  /^(?:exit code [03]|signal SIGKILL|not_found: Cannot start "[^"]*": the helper process that starts it ended without a message)/;

interface Where {
  readonly isPossible: boolean;
  readonly groups: boolean;
  /** Before the program, with its arguments behind it. */
  readonly prefix: () => readonly string[];
  readonly uid?: number;
}

let delegated = "";
const AS_USER = ["setpriv", "--reuid", `${USER}`, "--regid", `${USER}`, "--clear-groups"];
const PLACES: Readonly<Record<string, Where>> = {
  "as root with control groups": { isPossible: isRoot && hasGroups, groups: true, prefix: () => [] },
  "as root without control groups": {
    isPossible: isRoot && has("unshare"),
    groups: false,
    prefix: () => ["unshare", "--mount", "sh", "-c", `umount -l "${mountOfGroups()}"; exec "$@"`, "sh"],
  },
  "as a user with control groups": {
    isPossible: isRoot && hasGroups && has("setpriv"),
    groups: true,
    prefix: () => ["sh", "-c", `echo $$ > "${delegated}/cgroup.procs" && exec "$@"`, "sh", ...AS_USER],
    uid: USER,
  },
  "as a user without control groups": {
    isPossible: !isRoot || has("setpriv"),
    groups: !isRoot && hasGroups,
    prefix: () => (isRoot ? AS_USER : []),
    ...(isRoot ? { uid: USER } : {}),
  },
};

beforeAll(() => {
  if (!isRoot || !hasGroups) return;
  delegated = join(mountOfGroups(), `ringfence-test-${process.pid}`);
  mkdirSync(delegated);
  for (const path of [delegated, join(delegated, "cgroup.procs")]) chownSync(path, USER, USER);
});

afterAll(async () => {
  if (delegated === "") return;
  await until("the end of the group of this test", () => {
    removeGroup(delegated);
    return !existsSync(delegated);
  });
});

/** With what a launcher has left to the next one. */
function removeGroup(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) removeGroup(join(folder, entry.name));
    rmdirSync(folder);
  } catch {
    // Who was in it is not quite gone.
  }
}

describe.skipIf(process.platform !== "linux")("nothing outlives its command", () => {
  for (const [name, where] of Object.entries(PLACES))
    for (const fence of ["auto", "off"] as const)
      test.skipIf(!where.isPossible)(
        `nothing outlives its command by ${RUNS} ways out ${name}, with the fence ${fence}`,
        async () => {
          await leaveAndCount(where, fence);
        },
      );
});

describe.skipIf(process.platform !== "linux")("what is started", () => {
  test("on the desktop is nobody's, though commands come and go beside it, and outlives the host", async () => {
    using place = new Place();
    const bin = join(place.path, "bin");
    mkdirSync(bin);
    // It leaves its parent at once, as programs of a desktop do.
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\n( setsid sleep ${DESKTOP} >/dev/null 2>&1 & )\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    writeFileSync(join(place.root, "a.txt"), "");
    const env = { DISPLAY: ":9", PATH: `${bin}:${process.env["PATH"]}` };
    const command = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", writeConfig(place)];
    await using host = await ServeProcess.start(place, { command, env });
    host.call("open", "open_path", { path: "a.txt" });
    expect(JSON.stringify(await host.answer("open"))).toContain("handed to the desktop");
    await until("what was opened", () => commandLinesWith(DESKTOP).length === 1);
    for (const id of ["cmd_w0", "cmd_w1", "cmd_w3"]) {
      host.call(id, id, {});
      await host.answer(id);
      expect(commandLinesWith(LEFT)).toEqual([]);
      expect(commandLinesWith(DESKTOP)).toHaveLength(1);
    }
    const launcher = childOf(host.child.pid);
    await host.close();
    await until("the end of the launcher", () => !existsSync(`/proc/${launcher}`));
    const [line = ""] = commandLinesWith(DESKTOP);
    expect(line).toContain("sleep");
    process.kill(Number(line.split(" ")[0]), "SIGKILL");
  });

  test("a server that a command started ends with its launcher too, also when that is killed", async () => {
    using place = new Place();
    const command = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", writeConfig(place)];
    await using host = await ServeProcess.start(place, { command });
    host.call("leave", "process_start", { command: "leave" });
    expect(JSON.stringify((await host.answer("leave")).result)).toContain("running");
    await until("what it has left", () => commandLinesWith(OTHER).length === 2);
    process.kill(childOf(host.child.pid), "SIGKILL");
    await until("the end of all of it", () => commandLinesWith(OTHER).length === 0);
  });
});

async function leaveAndCount(where: Where, fence: "auto" | "off"): Promise<void> {
  using place = new Place();
  const [binary, ...command] = [
    ...where.prefix(),
    await binaryPath(),
    "serve",
    `--root=${place.root}`,
    `--state-dir=${place.stateDir}`,
    `--fence=${fence}`,
    `--config=${writeConfig(place)}`,
  ];
  giveTo(place, where.uid);
  await using host = await ServeProcess.start(place, {
    binary,
    command,
    env: { XDG_STATE_HOME: place.path },
  });
  host.call("other", "process_start", { command: "other" });
  const other = JSON.stringify((await host.answer("other")).result);
  expect(other).toContain("running");
  host.call("group", "cmd_group", {});
  const group = JSON.stringify((await host.answer("group")).result);
  expect(group.includes("/run_")).toBe(where.groups);
  const ways = Object.keys(WAYS);
  for (let begun = 0; begun < RUNS; begun += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, RUNS - begun) }, (_, n) => begun + n);
    for (const id of ids) host.call(id, `cmd_w${id % ways.length}`, {});
    const answers = await Promise.all(ids.map(async (id) => await host.answer(id)));
    for (const [n, { result }] of answers.entries())
      expect([ways[(begun + n) % ways.length], result?.["content"]?.at(-1)?.text]).toEqual([
        ways[(begun + n) % ways.length],
        expect.stringMatching(ENDED),
      ]);
    expect(commandLinesWith(LEFT)).toEqual([]);
  }
  expect(commandLinesWith(OTHER)).toHaveLength(1);
  await host.close();
  await until("the end of the one in the background", () => commandLinesWith(OTHER).length === 0);
}

function shell(text: string): object {
  return { description: "A test.", program: "/bin/sh", args: ["-c", text], changes: false };
}

function writeConfig(place: Place): string {
  const ways = Object.values(WAYS).map((text, at) => [`w${at}`, shell(text)]);
  const commands = {
    ...Object.fromEntries(ways),
    other: shell(`exec sleep ${OTHER}`),
    leave: shell(`( setsid env -i sleep ${OTHER} >/dev/null 2>&1 & ); exec sleep ${OTHER}`),
    group: shell("cat /proc/self/cgroup"),
  };
  const path = join(place.path, "config.json");
  writeFileSync(path, JSON.stringify({ mode: "bypass", commands }));
  return path;
}

function giveTo(place: Place, uid: number | undefined): void {
  if (uid === undefined) return;
  mkdirSync(place.stateDir);
  for (const path of [place.path, place.root, place.stateDir]) {
    chmodSync(path, 0o755);
    chownSync(path, uid, uid);
  }
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

function commandLinesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        // Its own arguments of a start that is on its way are in its environment.
        return line.includes(text) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

function has(program: string): boolean {
  return Bun.which(program) !== null;
}

function mountOfGroups(): string {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return mounts.find((line) => line.includes(" - cgroup2 "))?.split(" ")[4] ?? "";
}

async function canGroup(): Promise<boolean> {
  const groups = ControlGroups.open();
  await groups?.close();
  return groups !== undefined;
}
