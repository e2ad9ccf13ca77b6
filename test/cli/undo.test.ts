/**
 * `ringfence history` and `ringfence undo`: what can be taken back, what it would do, and that it was done.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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

/** In the file of the user. */
function sayReadOnly(place: Place): void {
  const folder = join(place.path, ".config", "ringfence");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ringfence.json"), JSON.stringify({ read_only: true }));
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

test("undo takes nothing back where the configuration says read_only, and still shows what it would do", async () => {
  using place = new Place();
  await call(place, "write_file", "path=new.txt", "content=n");
  const proposed = await run(place, "call", "write_file", "path=b.txt", "content=b", "--root", ".", "--mode", "plan");
  const label = /Proposal (p_\S+)/.exec(proposed.stdout)?.[1] ?? proposed.stdout;
  sayReadOnly(place);
  const undone = await run(place, "undo");
  expect(undone).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Cannot undo a change: this host only reads"),
  });
  const applied = await run(place, "proposals", "apply", label);
  expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining("this host only reads") });
  expect(existsSync(join(place.root, "b.txt"))).toBe(false);
  expect(readFileSync(join(place.root, "new.txt"), "utf8")).toBe("n");
  expect((await run(place, "undo", "--dry-run")).stdout).toStartWith("Would undo: Create new.txt");
});

test("init --undo takes back what init wrote, whether tools may write or not", async () => {
  using place = new Place();
  const file = join(place.root, "opencode.jsonc");
  writeFileSync(file, "{}\n");
  const set = await run(place, "init", "opencode", "--yes", "--no-check");
  expect([set.code, readFileSync(file, "utf8")]).toEqual([0, expect.stringContaining("ringfence")]);
  sayReadOnly(place);
  expect((await run(place, "undo")).code).toBe(1);
  expect(await run(place, "init", "--undo", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});

test("undo names what was changed since, and proposes nothing that would be made anew", async () => {
  using place = new Place();
  const made = await call(place, "write_file", "path=new.txt", "content=n");
  writeFileSync(join(place.root, "new.txt"), "mine\n");
  const { code, stderr } = await run(place, "undo", made);
  expect(code).toBe(1);
  expect(stderr).toContain(`Cannot undo the change of "new.txt": it has changed since.`);
  expect(stderr).toContain("what came later would be lost");
});

test("undo and apply in a root that is gone ask for the directory, and for no flag that they do not have", async () => {
  using place = new Place();
  const made = await call(place, "write_file", "path=new.txt", "content=n");
  const { stdout } = await run(place, "call", "write_file", "path=b.txt", "content=b", "--root", ".");
  const label = /Proposal (p_\S+)\n?$/.exec(stdout)?.[1] ?? "";
  renameSync(place.root, join(place.path, "elsewhere"));
  // From somewhere else: nothing can be started in a directory that is gone.
  using from = new Place();
  for (const args of [
    ["undo", made],
    ["proposals", "apply", label],
  ]) {
    const { code, stderr } = await runRingfence(from, [...args, "--state-dir", place.stateDir]);
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(`Cannot open the root "${place.root}"`)]);
    expect(stderr).toContain("put it back in its place");
    expect(stderr).not.toContain("--root");
  }
});
