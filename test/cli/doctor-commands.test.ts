/**
 * What `ringfence doctor` says about declared commands, their programs and what would keep them from running, and about
 * variables that the system's loader obeys before this program can.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence } from "./run-ringfence.ts";

let place: Place;

beforeAll(() => (place = new Place()));
afterAll(() => place[Symbol.dispose]());

async function doctor(
  config: object,
  flags: readonly string[] = ["--root", place.root],
): Promise<{ code: number; stdout: string }> {
  const path = join(place.path, "commands.json");
  writeFileSync(path, JSON.stringify(config));
  return await runRingfence(place, ["doctor", ...flags, "--config", path]);
}

test("doctor looks at the roots that a configuration file names", async () => {
  const { code, stdout } = await doctor({ roots: [place.root] }, []);
  expect(stdout).toContain(`root ${place.root} (read-write)`);
  expect(code).toBe(0);
  const missing = await doctor({ roots: [join(place.path, "nowhere")] }, []);
  expect(missing.stdout).toContain("FAIL  not_found");
  expect(missing.code).toBe(1);
});

const declared = (program: string, more: object = {}): object => ({ description: "x", program, ...more });

test.skipIf(process.platform !== "linux")(
  "doctor names the program of each command, and those that are missing",
  async () => {
    const sha256 = createHash("sha256").update(readFileSync("/bin/true")).digest("hex");
    const { code, stdout } = await doctor({
      commands: { yes: declared("/bin/true", { sha256 }), gone: declared("no-such-program-anywhere") },
    });
    expect(stdout).toContain("ok    command yes: /bin/true, pinned");
    expect(stdout.match(/gone.*not offered/g)).toHaveLength(1);
    expect(stdout).toContain("ok    cmd_gone is not offered: no-such-program-anywhere is not installed");
    expect(code).toBe(0);
  },
);

test.skipIf(process.platform !== "linux")(
  "doctor fails for a program that was pinned, and for a folder that tools can write",
  async () => {
    const pinned = await doctor({ commands: { no: declared("/bin/true", { sha256: "0".repeat(64) }) } });
    expect(pinned.stdout).toContain("Cannot run every command: the program of no, /bin/true, is not the one");
    const folder = join(place.root, "space");
    mkdirSync(folder);
    const writable = await doctor({ command_folders: [folder] });
    expect(writable.stdout).toContain("it lies in the writable root");
    const missing = await doctor({ command_folders: [join(place.path, "nowhere")] });
    expect(missing.stdout).toContain("it cannot be read");
    expect([pinned.code, writable.code, missing.code]).toEqual([1, 1, 1]);
  },
);

test.skipIf(process.platform !== "linux")(
  "doctor warns of variables that run code in this process, and of those that steer its memory",
  async () => {
    const flags = ["doctor", "--root", place.root, "--state-dir", place.stateDir];
    const plain = await runRingfence(place, flags);
    expect(plain.stdout).not.toContain("warn");
    const env = {
      LD_PRELOAD: "libm.so.6",
      LD_DEBUG_OUTPUT: join(place.path, "x"),
      MIMALLOC_SHOW_ERRORS: "0",
    };
    const warned = await runRingfence(place, flags, { env });
    expect(warned.stdout).toMatch(/^warn  LD_PRELOAD, LD_DEBUG_OUTPUT is set: the system's loader obeys it/m);
    expect(warned.stdout).toMatch(/^warn  MIMALLOC_SHOW_ERRORS is set/m);
    expect(warned.code).toBe(plain.code);
  },
);

test.skipIf(!hasLandlock())("doctor says whether a list of hosts can be kept, where a program has one", async () => {
  const listed = { listed: declared("/bin/true", { network: { reach: ["registry.example:443"] } }) };
  const { code, stdout } = await doctor({ commands: listed });
  expect(stdout).toContain("ok    lists of hosts: kept by the kernel, for 1 of the declared programs");
  expect(code).toBe(0);
  const off = await doctor({ commands: listed, fence: "off" });
  expect(off.stdout).toContain("FAIL  unsupported: Cannot keep a list of hosts: the fence is switched off");
  expect(off.code).toBe(1);
  expect((await doctor({ commands: { open: declared("/bin/true") } })).stdout).not.toContain("lists of hosts");
});
