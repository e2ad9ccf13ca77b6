/**
 * The machine's layer, end to end: the compiled binary with a real `/etc/ringfence`, laid over `/etc` in a mount namespace
 * of its own, so that nothing of this machine is touched. That takes root and Linux; elsewhere it is skipped.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";

/** Why it cannot be tried here, or "". */
function whyNot(): string {
  if (process.platform !== "linux") return "there are no mount namespaces";
  if (process.getuid?.() !== 0) return "only root may mount";
  const tried = Bun.spawnSync(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], {
    stderr: "ignore",
  });
  return tried.exitCode === 0 ? "" : "this root may not mount (a container without CAP_SYS_ADMIN)";
}

const MACHINE = "/etc/ringfence/ringfence.json";
const ONE_USER = 12345;

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "alpha\n");
  writeFileSync(join(place.root, "b.txt"), "bravo\n");
});
afterEach(() => place[Symbol.dispose]());

interface Machine {
  readonly config: object | string;
  /** A line of shell with `$ETC` for the folder that becomes `/etc`. */
  readonly setup?: string;
  readonly user?: object;
}

async function run({ config, setup = "", user }: Machine, ...args: string[]) {
  const etc = join(place.path, "etc");
  mkdirSync(join(place.path, ".config", "ringfence"), { recursive: true });
  if (user) writeFileSync(join(place.path, ".config", "ringfence", "ringfence.json"), JSON.stringify(user));
  const script = [
    'set -e; umask 022; mkdir -p "$ETC"; mount -t tmpfs -o mode=755 none "$ETC"; mkdir "$ETC/ringfence"',
    'for name in passwd group nsswitch.conf ld.so.cache; do [ ! -e /etc/$name ] || cp /etc/$name "$ETC/"; done',
    'printf %s "$CONFIG" > "$ETC/ringfence/ringfence.json"',
    setup,
    'mount --bind "$ETC" /etc',
    'exec "$@"',
  ].join("\n");
  const text = typeof config === "string" ? config : JSON.stringify(config);
  const child = Bun.spawn(
    ["unshare", "-m", "sh", "-c", script, "sh", await binaryPath(), ...args, "--state-dir", place.stateDir],
    {
      cwd: place.root,
      env: { PATH: process.env["PATH"], HOME: place.path, ETC: etc, CONFIG: text },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

const why = whyNot();
const suite = why === "" ? describe : describe.skip;

suite(`the machine's configuration${why === "" ? "" : ` (skipped: ${why})`}`, () => {
  test("lies under the others, and its denials stay", async () => {
    const machine = {
      config: {
        mode: "plan",
        results: "structured",
        deny: ["b.txt"],
        rules: [{ deny: "read_file(a.txt)", reason: "decided by the machine" }],
      },
      user: { mode: "accept_edits", rules: [{ allow: "read_file(a.txt)" }] },
    };
    const { code, stdout } = await run(machine, "check", "--root", ".");
    expect(stdout).toMatch(new RegExp(`^results +${MACHINE} +"structured"$`, "m"));
    expect(stdout).toMatch(/^mode +\S+\/\.config\/ringfence\/ringfence\.json +"accept_edits"$/m);
    expect(stdout).toMatch(new RegExp(`^rules +${MACHINE}, \\S+/\\.config/ringfence/ringfence.json `, "m"));
    // What the user allows is dead, and is said to be.
    expect({ code, problem: /problem: dead rule .*/.exec(stdout)?.[0] }).toMatchObject({
      code: 1,
      problem: expect.stringContaining("read_file(a.txt)"),
    });
    for (const mode of ["default", "bypass"]) {
      const read = await run(machine, "call", "read_file", "path=a.txt", "--root", ".", "--mode", mode);
      expect(read.stdout).toContain("decided by the machine");
      const denied = await run(machine, "call", "read_file", "path=b.txt", "--root", ".", "--mode", mode);
      expect(denied.code).toBe(1);
    }
    expect((await run({ config: {} }, "call", "read_file", "path=a.txt", "--root", ".")).code).toBe(0);
  });

  test("a second file of the machine is refused, because what it denies would not hold", async () => {
    const machine = { config: {}, setup: 'echo "mode: plan" > "$ETC/ringfence/ringfence.yaml"' };
    const { code, stderr } = await run(machine, "call", "read_file", "path=a.txt", "--root", ".");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'Cannot use the configuration "/etc/ringfence/ringfence.json": "/etc/ringfence/ringfence.yaml" is there too',
      ),
    ]);
  });

  test("the machine's file locks keys against every later layer", async () => {
    const config = { mode: "default", lock: ["mode", "rules", "audit"] };
    const file = join(place.path, "more.yaml");
    writeFileSync(file, "audit: best-effort\n");
    const call = ["call", "read_file", "path=a.txt", "--root", "."];
    for (const [machine, args, key] of [
      [{ config }, ["--mode=bypass"], "mode"],
      [{ config }, ["--config", file], "audit"],
      [{ config, user: { rules: [{ allow: "write_file" }] } }, [], "rules"],
    ] as const) {
      const { code, stderr } = await run(machine, ...call, ...args);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`"${key}" (`) });
      expect(stderr).toContain(`is locked by "${MACHINE}"`);
    }
    // Each of them is fine without the lock; `user` was written by the one before.
    expect((await run({ config: {}, user: {} }, ...call, "--mode=bypass", "--config", file)).code).toBe(0);
  });

  test("a locked mode cannot come with a profile, nor through a root", async () => {
    const user = { profile: "mine", profiles: { mine: { profile: "full", mode: "bypass" } } };
    const { stdout } = await run({ config: { lock: ["mode"] }, user }, "check", "--root", ".", "--json");
    const { values } = JSON.parse(stdout) as { values: { key: string; value: unknown; from: string }[] };
    expect(values.find(({ key }) => key === "mode")).toEqual({
      key: "mode",
      value: "default",
      from: MACHINE,
    });
    writeFileSync(join(place.root, ".ringfence.json"), '{"mode": "plan"}');
    const narrowed = await run({ config: { lock: ["mode"] } }, "check", "--root", ".");
    expect(narrowed.stdout).toMatch(/^mode +\S*\.ringfence\.json +"plan"$/m);
  });

  test("a lock on a key that is none is an error with the nearest name", async () => {
    const { code, stderr } = await run({ config: { lock: ["mdoe"] } }, "check");
    expect(code).toBe(2);
    expect(stderr).toContain("did you mean mode?");
  });

  test.each([
    ["belongs to a user", `chown ${ONE_USER} "$ETC/ringfence/ringfence.json"`],
    ["can be written by its group", 'chmod 664 "$ETC/ringfence/ringfence.json"'],
    ["can be written by everybody", 'chmod 646 "$ETC/ringfence/ringfence.json"'],
    ["lies in a folder of a user", `chown ${ONE_USER} "$ETC/ringfence"`],
    ["lies in a folder that everybody can write", 'chmod 777 "$ETC/ringfence"'],
    [
      "is a link to where a user can write",
      `mkdir "$ETC/theirs"; mv "$ETC/ringfence/ringfence.json" "$ETC/theirs/x.json"; chown ${ONE_USER} "$ETC/theirs"; ln -s /etc/theirs/x.json "$ETC/ringfence/ringfence.json"`,
    ],
    [
      "lies in a linked folder below where a user can write",
      `mkdir "$ETC/theirs"; mv "$ETC/ringfence" "$ETC/theirs/real"; chown ${ONE_USER} "$ETC/theirs"; ln -s /etc/theirs/real "$ETC/ringfence"`,
    ],
  ])("a machine's file that %s is refused by every command", async (_, setup) => {
    for (const args of [
      ["call", "read_file", "path=a.txt", "--root", "."],
      ["serve", "--root", "."],
      ["check"],
      ["tools"],
    ]) {
      const { code, stdout, stderr } = await run({ config: { mode: "plan" }, setup }, ...args);
      expect([args[0], code, stdout]).toEqual([args[0], 3, ""]);
      expect(stderr).toContain("others than root may write it");
    }
    const doctor = await run({ config: { mode: "plan" }, setup }, "doctor", "--root", ".");
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^FAIL {2}denied: .*others than root may write it.*\n$/);
  });

  test("one that is only linked to is as good, and one that cannot be read is no permission", async () => {
    const setup =
      'mkdir "$ETC/real"; mv "$ETC/ringfence/ringfence.json" "$ETC/real/"; ln -s ../real/ringfence.json "$ETC/ringfence/"';
    const linked = await run({ config: { mode: "plan" }, setup }, "check");
    expect(linked.stdout).toMatch(new RegExp(`^mode +${MACHINE} +"plan"$`, "m"));
    const broken = await run({ config: "{ nonsense" }, "call", "read_file", "path=a.txt", "--root", ".");
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("is not JSON");
    const dangling = await run(
      {
        config: {},
        setup: 'rm "$ETC/ringfence/ringfence.json"; ln -s nowhere "$ETC/ringfence/ringfence.json"',
      },
      "call",
      "read_file",
      "path=a.txt",
      "--root",
      ".",
    );
    expect(dangling.code).toBe(2);
  });
});
