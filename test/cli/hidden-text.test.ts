/**
 * What a model wrote into a change is shown to a person who judges it: nothing of it may command the terminal, or be read
 * in another order than it stands. Every other output of a command is checked for escape sequences by `runRingfence`.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

const HIDING = "safe\u001b[2K\u202eevil\u009b1m\u200bno\u{e0041}";
const SHOWN = "safe\\x1b[2K\\u202eevil\\x9b1m\\u200bno\\u{e0041}";
/** What a terminal obeys, reorders by or does not show. */
const OBEYED = /[\u001b\u009b\u202e\u200b\u{e0041}]/u;

async function run(place: Place, ...args: string[]): Promise<CliResult> {
  const result = await runRingfence(place, [...args, "--state-dir", place.stateDir]);
  expect(result.stdout).not.toMatch(OBEYED);
  expect(result.stderr).not.toMatch(OBEYED);
  return result;
}

async function edit(place: Place, mode: string): Promise<void> {
  writeFileSync(join(place.root, "a.txt"), "one\n");
  const given = JSON.stringify({ path: "a.txt", old_text: "one", new_text: HIDING });
  // Not looked at: what a call answers is data, as of any program in a pipe.
  const args = ["call", "edit_file", "--json", given, "--root", ".", "--mode", mode];
  const child = Bun.spawn([await binaryPath(), ...args, "--state-dir", place.stateDir], {
    cwd: place.root,
    stdout: "ignore",
  });
  expect(await child.exited).toBe(0);
}

test("proposals show prints hidden characters as escapes, also when the proposal has become stale", async () => {
  using place = new Place();
  await edit(place, "default");
  const id = (await run(place, "proposals")).stdout.match(/p_\S+/)?.[0] ?? "";
  const { stdout } = await run(place, "proposals", "show", id);
  expect(stdout).toContain(`+${SHOWN}`);
  const json = await run(place, "proposals", "show", id, "--json");
  expect(JSON.parse(json.stdout).files[0].diff).toContain(`+${HIDING}`);
  writeFileSync(join(place.root, "a.txt"), "zero\none\n");
  const label = stdout.match(/^id: (\S+)$/m)?.[1] ?? "";
  const { stderr } = await run(place, "proposals", "apply", label);
  expect(stderr).toStartWith("error: stale: ");
  expect(stderr).toContain(`+${SHOWN}`);
});

test("undo, its dry run, history and audit print hidden characters as escapes", async () => {
  using place = new Place();
  await edit(place, "bypass");
  expect((await run(place, "undo", "--dry-run")).stdout).toContain(`-${SHOWN}`);
  await run(place, "history");
  await runRingfence(place, ["call", "read_file", `path=${HIDING}`, "--root", ".", "--raw"]);
  await run(place, "audit", "show");
  const { stderr } = await run(place, "explain", `a${HIDING}`, "--root", ".");
  expect(stderr).toContain("there is no tool");
  expect((await run(place, "proposals", "apply", HIDING)).code).toBe(1);
});
