/**
 * `examples/library`, run as its README says; what the README shows is what it prints.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { shownIn } from "../binary/shown-in.ts";

const FOLDER = join(REPOSITORY, "examples", "library");

test("examples/library lists, calls, proposes, applies, undoes, and ends", async () => {
  const before = readFileSync(join(REPOSITORY, "examples", "workspace", "report.txt"), "utf8");
  const child = Bun.spawn([process.execPath, join(FOLDER, "main.ts")], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 25_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, stderr]).toEqual([0, ""]);
  for (const line of [...shownIn(join(FOLDER, "README.md")), "+Status: final", "timed_out"])
    expect(stdout).toContain(`${line}\n`);
  expect(readFileSync(join(REPOSITORY, "examples", "workspace", "report.txt"), "utf8")).toBe(before);
});

test("examples/library says what is wrong with its directory", async () => {
  const child = Bun.spawn([process.execPath, join(FOLDER, "main.ts"), "/nonexistent"], { stderr: "pipe" });
  expect(await child.stderr.text()).toStartWith('not_found: Cannot open the root "/nonexistent"');
  expect(await child.exited).toBe(1);
});
