/**
 * `ringfence history` and `ringfence undo`: what can be taken back, what it would do, and that it was done.
 */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

async function run(place: Place, ...args: string[]): Promise<CliResult> {
  return await runRingfence(place, [...args, "--state-dir", place.stateDir]);
}

async function call(place: Place, ...args: string[]): Promise<string> {
  const { stdout } = await run(place, "call", ...args, "--root", ".", "--mode", "bypass");
  const id = /Transaction (t_\S+)\n$/.exec(stdout)?.[1];
  if (id === undefined) throw new Error(stdout);
  return id;
}

test("undo takes back the newest change that can be, names those it passed over, and shows the diff with --dry-run", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
  const edit = await call(place, "edit_file", "path=a.txt", "old_text=one", "new_text=two");
  const made = await call(place, "create_directory", "path=d");
  mkdirSync(join(place.root, "d", "theirs"));

  const { stdout: listed } = await run(place, "history");
  expect(listed).toMatch(new RegExp(`^${made} .*\\(cannot undo .*"theirs"`, "m"));
  expect(listed).toMatch(new RegExp(`^${edit} .*[^)]$`, "m"));

  const dry = await run(place, "undo", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(`Passed over ${made}`) });
  expect(dry.stdout).toStartWith("Would undo: Edit a.txt");
  expect(dry.stdout).toContain("-two\n+one");

  const undone = await run(place, "undo");
  expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining(`Passed over ${made}`) });
  expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("one\n");
  expect((await run(place, "history")).stdout).toMatch(new RegExp(`^${edit} .*\\(undone\\)$`, "m"));
});

test("undo --dry-run prints what the undo then does", async () => {
  using place = new Place();
  await call(place, "write_file", "path=new.txt", "content=n");
  const { stdout } = await run(place, "undo");
  expect(stdout).toMatch(/^Undone: Create new.txt/);
  expect(stdout).toContain(`\n  delete ${join(place.root, "new.txt")}\n`);
});

test("undo of an id that cannot be undone exits with 1", async () => {
  using place = new Place();
  const made = await call(place, "create_directory", "path=d");
  mkdirSync(join(place.root, "d", "theirs"));
  for (const args of [["undo", made], ["undo", made, "--dry-run"], ["undo"]]) {
    const { code, stdout, stderr } = await run(place, ...args);
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('"theirs" has come into')]);
  }
});
