/**
 * The kernel fence on a compiled binary that was taken over: code planted inside the process cannot read, list, write,
 * start or connect to anything outside, from any thread. The same binary without the fence can do all of it, so that the
 * first half cannot pass by accident.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { makeFilters } from "../../src/fence/filter-programs.ts";
import { until } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { hasLandlock } from "./has-landlock.ts";

const REFUSED = /^(?:EACCES|EPERM|EXDEV|FAILED|ENOENT|ECONNREFUSED|FailedToOpenSocket)$/;

interface Line {
  readonly where: string;
  readonly what: string;
  readonly outcome: string;
}

let base = "";
let planted = "";
let listeners: readonly Server[] = [];
let port = 0;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-fence-")));
  planted = join(base, "planted");
  const build = Bun.spawnSync(
    [
      process.execPath,
      join(REPOSITORY, "scripts", "build.ts"),
      `--entry=${join(REPOSITORY, "test", "fixtures", "fence", "planted.ts")}`,
      `--out=${planted}`,
    ],
    { cwd: REPOSITORY },
  );
  if (build.exitCode !== 0) throw new Error(build.stderr.toString());
  // Whoever gets through is hung up on, so that no attempt waits for more.
  const tcp = createServer((socket) => socket.end());
  const unix = createServer((socket) => socket.end());
  listeners = [tcp, unix];
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => unix.listen(join(base, "socket"), resolve));
  port = (tcp.address() as { port: number }).port;
});

afterAll(() => {
  for (const listener of listeners) listener.close();
  rmSync(base, { recursive: true, force: true });
});

/**
 * @param before what is in the process before it goes in, by its name in the fixture
 * @param within what starts the program
 */
async function run(
  fence: string,
  env: Record<string, string> = {},
  before = "nothing",
  within: readonly string[] = [],
): Promise<readonly Line[]> {
  const place = join(base, [fence, before, within[0] ?? ""].join(" ").replaceAll("/", ""));
  for (const name of ["root", "outside", "state"]) mkdirSync(join(place, name), { recursive: true });
  for (const name of ["secret.txt", "victim.txt"]) writeFileSync(join(place, "outside", name), "TOPSECRET");
  for (const name of ["inside.txt", "a.txt"]) writeFileSync(join(place, "root", name), "inside");
  const child = Bun.spawn([...within, planted, place, String(port), join(base, "socket"), fence, before], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.exitCode !== 0) throw new Error(`exit ${child.exitCode}: ${err}${out}`);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

test.skipIf(process.arch !== "x64" && process.arch !== "arm64")(
  "an executable brings every filter of its processor as the table makes it, and none of the other",
  async () => {
    const executable = readFileSync(await binaryPath());
    const other = process.arch === "x64" ? "arm64" : "x64";
    const holds = (architecture: "x64" | "arm64"): boolean[] =>
      Object.values(makeFilters(architecture)).map((filter) => executable.includes(filter));
    expect(holds(process.arch as "x64" | "arm64")).not.toContain(false);
    expect(holds(other)).not.toContain(true);
  },
);

/** One where the threads were brought in; the second is the start behind the fence. */
function startsIn(lines: readonly Line[]): number {
  return lines.filter(({ where }) => where === "start").length;
}

function stateOf(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ where }) => where === "state");
}

const REFUSING = join(REPOSITORY, "test", "fixtures", "fence", "refusing.ts");

/** A process table of its own, under the /proc of the one around it: the numbers of threads there are those of others. */
function canUnshare(): boolean {
  return Bun.which("unshare") !== null && Bun.spawnSync(["unshare", "-pf", "true"]).exitCode === 0;
}

const FENCED: Line = { where: "state", what: "kernel", outcome: "true" };
/** Threads are brought in by machine code of this processor; elsewhere every fenced host starts twice. */
const WITHOUT_RESTART: number = process.arch === "x64" ? 1 : 2;

type Case = readonly [before: string, starts: number, env: Record<string, string>, within: readonly string[]];

const CASES: readonly Case[] = [
  ["nothing", WITHOUT_RESTART, {}, []],
  ["threads", WITHOUT_RESTART, {}, []],
  ["a deaf thread", 2, {}, []],
  ["a descriptor", 2, {}, []],
  ["a mapping", 2, {}, []],
  ["nothing", 2, { LD_LIBRARY_PATH: "/nonexistent" }, []],
  ["threads", 2, {}, [process.execPath, REFUSING, "tgkill"]],
  ...(canUnshare() ? [["threads", 2, {}, ["unshare", "-pf"]] satisfies Case] : []),
];

describe.skipIf(!hasLandlock())("code inside a fenced process", () => {
  test.each(CASES)(
    "code that had %s reaches nothing outside, from any thread, after %i starts",
    async (before, starts, env, within) => {
      const lines = await run("require", env, before, within);
      expect(stateOf(lines)).toEqual([FENCED]);
      expect(startsIn(lines)).toBe(starts);
      const attempts = lines.filter(({ where }) => where !== "start" && where !== "state");
      const inside = attempts.filter(({ what }) => what.endsWith("inside"));
      expect(inside.length).toBeGreaterThan(3);
      expect(inside.filter(({ outcome }) => outcome !== "worked")).toEqual([]);
      const outside = attempts.filter((line) => !inside.includes(line));
      expect(outside.length).toBeGreaterThan(48);
      expect(outside.filter(({ outcome }) => !REFUSED.test(outcome))).toEqual([]);
      if (before === "threads") expect(outside.some(({ where }) => where === "early worker")).toBe(true);
      for (const name of readdirSync(base).filter((one) => one.startsWith("require"))) {
        const kept = join(base, name, "outside");
        expect(readdirSync(kept).sort()).toEqual(["secret.txt", "victim.txt"]);
        expect(readFileSync(join(kept, "secret.txt"), "utf8")).toBe("TOPSECRET");
      }
    },
  );

  test("code inside a fenced process is one process and one launcher where there is a desktop", async () => {
    const lines = await run("auto", { DISPLAY: ":0" });
    expect(stateOf(lines)).toEqual([FENCED]);
    expect(startsIn(lines)).toBe(WITHOUT_RESTART);
  });

  test("a command of one call goes in without a second start", async () => {
    const root = join(base, "root of a call");
    mkdirSync(root);
    writeFileSync(join(root, "big"), "");
    truncateSync(join(root, "big"), 8 * 2 ** 30);
    const flags = ["--root", root, "--state-dir", join(base, "state of a call"), "--fence=require"];
    const command = [await binaryPath(), "call", "hash_file", "path=big", ...flags];
    const startsAgain = async (): Promise<boolean> => {
      await using call = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
      const about = (name: string): string => readFileSync(`/proc/${call.pid}/${name}`, "latin1");
      await until("the call to be behind the fence", () => /^Seccomp:\s*2$/m.test(about("status")));
      const isSecond = about("environ").includes("RINGFENCE_START");
      call.kill();
      await call.exited;
      return isSecond;
    };
    if (WITHOUT_RESTART === 2) return expect(await startsAgain()).toBe(true);
    // A thread that waits for a processor with its signals blocked makes one start of some hundreds the longer way.
    let starts = 1;
    while ((await startsAgain()) && starts < 3) starts++;
    expect(starts).toBeLessThan(3);
  });

  test("code in a process without the fence reaches it all", async () => {
    const lines = await run("off");
    expect(stateOf(lines)).toEqual([{ where: "state", what: "none", outcome: "false" }]);
    const worked = lines.filter(({ where, outcome }) => where === "main" && outcome === "worked");
    const names = worked.map(({ what }) => what);
    for (const name of ["read", "list", "create", "start a program", "Bun.file", "TCP", "unix socket", "spawn"])
      expect(names).toContain(name);
  });
});
