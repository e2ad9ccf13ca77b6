/**
 * What a command says and leaves where the ground fails: a full disk behind its output, a state folder that is not there or not
 * ours, a key that is none. Never a stack trace, which `runRingfence` looks for.
 */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

const hasFullDevice = existsSync("/dev/full");

async function onFullDisk(
  place: Place,
  args: readonly string[],
  input = "",
): Promise<{ code: number; stderr: string }> {
  const child = Bun.spawn([await binaryPath(), ...args], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], HOME: place.path },
    stdin: Buffer.from(input),
    stdout: openSync("/dev/full", "w"),
    stderr: "pipe",
  });
  const stderr = await child.stderr.text();
  return { code: await child.exited, stderr };
}

test.skipIf(!hasFullDevice)("a command whose output finds no space says so, and exits with 3", async () => {
  using place = new Place();
  const state = ["--state-dir", place.stateDir];
  for (const args of [["version"], ["proposals", "list", "--json", ...state], ["tools"]]) {
    const { code, stderr } = await onFullDisk(place, args);
    expect([args[0], code, stderr]).toEqual([args[0], 3, expect.stringContaining("no space left behind stdout")]);
    expect(stderr).not.toContain("    at ");
  }
});

function writeCall(id: number): string {
  const params = { name: "write_file", arguments: { path: `${id}.txt`, content: "" } };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

test.skipIf(!hasFullDevice)("serve ends with 3 where its output finds no space, and the record says why", async () => {
  using place = new Place();
  const args = ["serve", "--root", ".", "--mode", "bypass", "--state-dir", place.stateDir];
  const { code, stderr } = await onFullDisk(place, args, writeCall(1) + writeCall(2));
  expect([code, stderr]).toEqual([3, expect.stringContaining("its output cannot be written (ENOSPC)")]);
  const folder = join(place.stateDir, "audit");
  const record = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(record.join("")).toContain("its output cannot be written (ENOSPC)");
});

test("commands that only read make no state folder, and leave a directory of others as it is", async () => {
  using place = new Place();
  const none = join(place.path, "no/such");
  for (const args of [["audit", "verify"], ["audit", "show"], ["sessions"], ["report"], ["check"]])
    expect([args, (await runRingfence(place, [...args, "--state-dir", none])).code]).toEqual([args, 0]);
  expect(existsSync(join(place.path, "no"))).toBe(false);
  const shared = join(place.path, "shared");
  mkdirSync(shared);
  writeFileSync(join(shared, "other"), "");
  chmodSync(shared, 0o1777);
  for (const args of [["proposals"], ["audit", "key"], ["audit", "verify"]])
    await runRingfence(place, [...args, "--state-dir", shared]);
  expect([readdirSync(shared), statSync(shared).mode & 0o7777]).toEqual([["other"], 0o1777]);
  const empty = await runRingfence(place, ["audit", "verify", "--state-dir", ""]);
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("--state-dir is empty") });
});

test("a key that is no key is named", async () => {
  using place = new Place();
  const run = async (...args: string[]): Promise<CliResult> =>
    await runRingfence(place, [...args, "--state-dir", place.stateDir]);
  expect((await run("audit", "key")).code).toBe(0);
  expect(await run("audit", "verify", "--key", "nope")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Cannot read "nope": no such file'),
  });
  const key = join(place.stateDir, "keys/audit.pem");
  writeFileSync(key, "");
  for (const action of ["key", "verify"])
    expect(await run("audit", action)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Cannot use "${key}"`),
    });
  expect(await run("doctor")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`FAIL  conflict: Cannot use "${key}"`),
  });
});

test("what was asked for and is not there exits with 1, whichever command was asked", async () => {
  using place = new Place();
  const run = async (...args: string[]): Promise<number> =>
    (await runRingfence(place, [...args, "--state-dir", place.stateDir])).code;
  expect(await run("sessions", "show", "20260101T000000000Z-abcdefgh")).toBe(1);
  expect(await run("undo", "t_none")).toBe(1);
  expect(await run("receipt", "20260101T000000000Z-abcdefgh:000000001")).toBe(1);
  expect(await run("grants", "add", "nope(x)", "--root", ".")).toBe(2);
  expect(await run("rules", "try", "nope(x)", "--root", ".")).toBe(2);
});
