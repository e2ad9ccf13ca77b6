/**
 * `ringfence grants add`: which hosts a grant is for.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

test("grants add is for the roots that are named, and without any for the current directory", async () => {
  using place = new Place();
  const run = async (...args: string[]): Promise<CliResult> =>
    await runRingfence(place, [...args, "--state-dir", place.stateDir]);
  writeFileSync(join(place.root, "a.txt"), "password\n");
  const search = ["call", "grep", "pattern=password", "--root", "."];
  expect((await run(...search)).code).toBe(1);
  const added = await run("grants", "add", "grep(**)");
  expect(added.stdout).toMatch(/^Granted: grep\(\*\*\) \(g_\S+\), to hosts with exactly these roots: \S+\/root\n$/);
  expect((await run(...search)).stdout).toContain("a.txt:1:password");
  expect((await run("grants", "add", "grep(**)", "--root", "/")).code).toBe(0);
  const missing = await run("grants", "add", "grep(**)", "--root", "missing");
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining("it does not exist") });
});
