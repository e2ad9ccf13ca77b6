/**
 * `examples/client`, run in Node as an installed package and in Bun as it is; what its README shows is what it prints.
 */
import { afterAll, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runExample } from "../binary/run-example.ts";
import { shownIn } from "../binary/shown-in.ts";
import { installClient, releaseClient, RUNTIMES } from "./client-folder.ts";

const FOLDER = join(REPOSITORY, "examples", "client");

afterAll(releaseClient);

test.each(RUNTIMES)("examples/client runs as it stands in %s", async (_name, command) => {
  using place = new Place();
  await installClient(place);
  cpSync(join(FOLDER, "main.mjs"), join(place.path, "main.mjs"));
  cpSync(join(REPOSITORY, "examples", "workspace"), place.root, { recursive: true });
  const folder = command === "node" ? place.path : FOLDER;
  const ran = await runExample([command, join(folder, "main.mjs"), await binaryPath(), place.root]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const line of ["+Status: final", "report.txt:7:Status: draft", "proposed grep undone"])
    expect(ran.stdout).toContain(line);
  if (command === "node")
    for (const line of shownIn(join(FOLDER, "README.md"))) expect(ran.stdout).toContain(`${line}\n`);
  const missing = await runExample([command, join(folder, "main.mjs"), "/nonexistent", place.root]);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toStartWith('Cannot start "/nonexistent": there is no such program');
});
