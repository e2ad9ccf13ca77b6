/**
 * What somebody types who does not know the program yet, and is then told: what is wrong, and what comes next.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runAtTerminal } from "./at-terminal.ts";
import { runRingfence } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

describe("a newcomer", () => {
  const GIVEN: [args: string[], expected: number, says: string][] = [
    [["check", "--config", "no.json"], 2, 'no.json": there is no such file. Give a file that this user may read.\n'],
    [["serve", "--root", ".", "--config", "."], 2, '": it is a directory. Give a file that this user may read.\n'],
    [["doctor", "--state-dir", "a.txt"], 1, 'a.txt": it is a file, or lies below one. Give another one'],
    [
      ["call", "read_file", "path=a", "path=b", "--root", "."],
      2,
      "error: invalid_input: path is given twice; a list is path=",
    ],
    [["review", "--web", "--plain"], 2, "error: invalid_input: --plain and --web do not go together\n"],
    [["review", "--no-open"], 2, "error: invalid_input: --no-open goes with --web\n"],
    [["receipt", "verify", "no.json"], 2, 'Cannot read "no.json": no such file. Give a file that is there.\n'],
  ];
  test.each(GIVEN)("ringfence %j exits with %i and says what is wrong", async (args, expected, says) => {
    writeFileSync(join(place.root, "a.txt"), "");
    const { code, stdout, stderr } = await runRingfence(place, [
      ...args,
      ...(args.includes("--state-dir") ? [] : ["--state-dir", place.stateDir]),
    ]);
    expect([code, stdout + stderr]).toEqual([expected, expect.stringContaining(says)]);
  });

  test("doctor says that a root is not there, and does not call it a missing fence", async () => {
    const { code, stdout } = await runRingfence(place, ["doctor", "--root", "no", "--state-dir", place.stateDir]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('with these roots: Cannot open the root "')]);
    expect(stdout).not.toContain("Cannot have the kernel fence");
  });

  test("serve with a directory for its standard input says what it reads", async () => {
    const command = 'exec "$0" serve --root . --state-dir "$1" < .';
    const child = Bun.spawn(["sh", "-c", command, await binaryPath(), place.stateDir], {
      cwd: place.root,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, stdout, stderr]).toEqual([
      2,
      "",
      expect.stringContaining("error: invalid_input: standard input is a directory; requests of MCP come from"),
    ]);
  });

  test("serve at a terminal says what it reads there, how it ends, and what sets up a client", async () => {
    const { code, screen } = await runAtTerminal(place, ["serve", "--root", "."], "Ctrl-D ends it", "\u0004");
    expect([code, screen]).toEqual([0, expect.stringContaining("`ringfence init` sets one up")]);
  });
});
