/**
 * `ringfence tools --all` says what the schema of a tool did not say, for whoever wrote it; the list without `--all` does not.
 */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { Place } from "../binary/serve-process.ts";
import { runExample } from "../binary/run-example.ts";

/** The command line of a build that brings a pack with a tool of plain functions. */
const PROGRAM = `
import { OPTIONAL_PACKS } from "${REPOSITORY}/src/packs/optional.ts";
import { PLANS } from "${REPOSITORY}/src/packs/plans.ts";
import { runCommandLine } from "${REPOSITORY}/src/cli/index.ts";
import { defineLocalTool, definePack } from "${REPOSITORY}/src/index.ts";
import { z } from "${REPOSITORY}/node_modules/zod/index.js";

const plain = defineLocalTool({ name: "plain", description: "Plain.", input: z.object({ a: z.string() }), execute: () => 1 });
const own = definePack({ name: "own", title: "Own", tools: [plain], config: z.strictObject({}) });
Object.assign(PLANS, { own });
Object.assign(OPTIONAL_PACKS, { own: { load: async () => own, brings: () => ({}) } });
await runCommandLine(process.argv.slice(2));
`;

test("ringfence tools --all warns of a schema that was completed, and ringfence tools does not", async () => {
  using place = new Place();
  mkdirSync(join(place.path, "cli"));
  const [file, config] = [join(place.path, "cli", "main.ts"), join(place.path, "cli", "config.json")];
  writeFileSync(file, PROGRAM);
  writeFileSync(config, JSON.stringify({ roots: [place.root], packs: { own: {} } }));
  const command = [process.execPath, file, "tools", `--config=${config}`, `--state-dir=${place.stateDir}`];
  const all = await runExample([...command, "--all"]);
  expect([all.code, all.stdout]).toEqual([0, expect.stringContaining("plain")]);
  expect(all.stderr).toBe(
    "warn: plain: its input was not strict: other arguments are refused now; a had no description\n",
  );
  expect(await runExample(command)).toMatchObject({ code: 0, stderr: "" });
});
