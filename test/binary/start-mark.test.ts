/**
 * The variable by which the program tells its own parts what they are: whoever sets it from outside starts no program
 * with it, nor a launcher, nor a host without a fence of its own, and is told so. That the parts themselves still start
 * is shown by every test of commands.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectedSockets, openPipe } from "../../src/sys/index.ts";
import { HANG_MS } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { hasLandlock } from "./has-landlock.ts";
import { Place } from "./serve-process.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

describe.skipIf(process.platform !== "linux")("a start mark from outside", () => {
  test.each(["exec", "exec in parts", "launcher", "search", "upstream-http"])(
    "%s is refused, and starts nothing",
    async (kind) => {
      const made = join(place.path, "made");
      const plan = { program: "/usr/bin/touch", argv: ["touch", made], limits: {} };
      const marks: Record<string, Record<string, string>> = {
        exec: { RINGFENCE_START: `exec:${JSON.stringify(plan)}` },
        "exec in parts": { RINGFENCE_START: "exec:", RINGFENCE_START_1: JSON.stringify(plan) },
      };
      // What each of them would read to be told what to do: also where somebody gives it the descriptors.
      const control = join(place.path, "control");
      writeFileSync(control, `${JSON.stringify({ ...plan, cwd: "/", environment: {} })}\n`);
      const config = { roots: [], deny: [], hidden: [], containment: "auto" };
      const { exitCode, stdout, stderr } = Bun.spawnSync([await binaryPath(), "version"], {
        env: { HOME: place.path, ...(marks[kind] ?? { RINGFENCE_START: kind }) },
        stdio: [
          Buffer.from(`${JSON.stringify(config)}\n`),
          "pipe",
          "pipe",
          openSync(join(place.path, "status"), "w"),
          openSync(control, "r"),
        ],
        timeout: HANG_MS,
      });
      expect([exitCode, stdout.toString()]).toEqual([3, ""]);
      expect(stderr.toString()).toContain("no host has started it");
      expect(existsSync(made)).toBe(false);
    },
  );
});

describe.skipIf(process.platform !== "linux")("a launcher that woke", () => {
  const config = { roots: [], deny: [], hidden: [], containment: "auto" };

  async function wake(connection: "socket" | "pipe", isLost: boolean): Promise<{ code: number; said: string }> {
    const pipe = connection === "pipe" ? openPipe() : undefined;
    const [ours, theirs] = pipe ? [pipe.write, pipe.read] : (connectedSockets() ?? []);
    if (ours === undefined || theirs === undefined) throw new Error("there is no connection to be had");
    const env = { HOME: place.path, RINGFENCE_START: `launcher:${JSON.stringify(config)}` };
    const command = [await binaryPath(), "version"];
    if (isLost) closeSync(ours);
    const started = Bun.spawn(command, { env, stdio: [theirs, "pipe", "pipe"] });
    closeSync(theirs);
    const said = (await started.stdout.text()) + (await started.stderr.text());
    if (!isLost) closeSync(ours);
    return { code: await started.exited, said };
  }

  test("a launcher that woke when its host had ended ends without a word, and starts nothing", async () => {
    expect(await wake("socket", true)).toEqual({ code: 3, said: "" });
  });

  test.each([
    ["socket", false],
    ["pipe", true],
  ] as const)("a launcher of nobody is told so where its input is a %s (closed: %p)", async (connection, isLost) => {
    const { code, said } = await wake(connection, isLost);
    expect([code, said]).toEqual([3, expect.stringContaining("no host has started it")]);
  });
});

test.skipIf(!hasLandlock())("the sandbox of somebody else does not pass for the fence", async () => {
  const fixture = join(import.meta.dir, "..", "fixtures", "fence", "foreign-fence.ts");
  const serve = [await binaryPath(), "serve", "--root", place.root, "--state-dir", place.stateDir];
  const env = { ...process.env, RINGFENCE_START: "behind-fence:7:6" };
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, fixture, ...serve], { env });
  expect([exitCode, stdout.toString()]).toEqual([3, ""]);
  expect(stderr.toString()).toContain("says that it is behind the kernel fence, and it is not");
});
