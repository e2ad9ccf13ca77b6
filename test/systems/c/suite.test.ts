/**
 * What `bun run test:clarvis` makes of a run of somebody else's tests: a stand-in for vitest reports cases and the calls they
 * made, and the exit code tells whether that is enough.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../../scripts/checks/read-sources.ts";
import { layFiles } from "../../host/file-tree.ts";

/** In the place of vitest. CASES: how many of the contract pass, and how many fail under a title that the docs name. */
const VITEST = `
import { writeFileSync } from "node:fs";
const [passed, failed] = JSON.parse(process.env.CASES);
const out = process.argv.find((one) => one.startsWith("--outputFile=")).slice("--outputFile=".length);
const file = process.cwd() + "/tests/contract/a.test.ts";
const cases = Array.from({ length: passed + failed }, (_, at) =>
  at < passed ? { fullName: "case " + at, status: "passed" } : { fullName: "agent-tools", status: "failed" });
writeFileSync(out, JSON.stringify({ testResults: [{ name: file, assertionResults: cases }] }));
if (cases.length > 0)
  writeFileSync(process.env.RINGFENCE_CALLED, cases.map(({ fullName }) => JSON.stringify({ file, name: fullName })).join("\\n"));
`;

test.each([
  ["all pass", [394, 0], [], 0, "passed 394 of 394"],
  ["as many fail as are known, and some are skipped", [325, 69], [], 0, "passed 325 of 394"],
  ["one more fails", [324, 70], [], 1, "passed 324 of 394"],
  ["no case has called a tool", [0, 0], [], 1, "passed 0 of 0"],
  ["one file was asked for, and all of it fails as it is known to", [0, 80], ["tests/contract/a"], 0, "passed 0 of 80"],
] as const)("a run in which %s ends with the exit code that says so", (_, cases, files, code, said) => {
  const checkout = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-suite-")));
  layFiles(checkout, {
    "node_modules/vitest/vitest.mjs": VITEST,
    "src/core.ts": "",
    "tests/contract/a.test.ts": "",
    "package.json": "{}",
    "tsconfig.json": "{}",
  });
  const command = [process.execPath, join(REPOSITORY, "scripts/test-clarvis.ts"), checkout, ...files];
  const ran = Bun.spawnSync(command, { env: { ...process.env, CASES: JSON.stringify(cases) }, stderr: "pipe" });
  rmSync(checkout, { recursive: true });
  expect([ran.stdout.toString().trim().split("\n").at(-1), ran.exitCode]).toEqual([said, code]);
});
