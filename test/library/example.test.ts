/**
 * `examples/library`, run as its README says; what the README shows is what it prints.
 */
import { expect, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { Place } from "../binary/serve-process.ts";
import { runExample } from "../binary/run-example.ts";
import { shownIn } from "../binary/shown-in.ts";

const FOLDER = join(REPOSITORY, "examples", "library");

const PRINTED = [...shownIn(join(FOLDER, "README.md")), "+Status: final", "timed_out"];

test("examples/library lists, calls, proposes, applies, undoes, and ends", async () => {
  const before = readFileSync(join(REPOSITORY, "examples", "workspace", "report.txt"), "utf8");
  const ran = await runExample([process.execPath, join(FOLDER, "main.ts")]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const line of PRINTED) expect(ran.stdout).toContain(`${line}\n`);
  expect(readFileSync(join(REPOSITORY, "examples", "workspace", "report.txt"), "utf8")).toBe(before);
});

test("examples/library does the same compiled, with its workers inside", async () => {
  using place = new Place();
  cpSync(join(REPOSITORY, "examples", "workspace"), place.root, { recursive: true });
  const binary = join(place.path, "library");
  const build = [join(REPOSITORY, "scripts", "build.ts"), `--entry=${join(FOLDER, "main.ts")}`, `--out=${binary}`];
  expect(await runExample([process.execPath, ...build])).toMatchObject({ code: 0, stderr: "" });
  const ran = await runExample([binary, place.root]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const line of PRINTED) expect(ran.stdout).toContain(`${line}\n`);
});

test("examples/library says what is wrong with its directory", async () => {
  const ran = await runExample([process.execPath, join(FOLDER, "main.ts"), "/nonexistent"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toStartWith('not_found: Cannot open the root "/nonexistent"');
});
