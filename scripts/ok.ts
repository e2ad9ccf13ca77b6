/**
 * The gate. `bun run ok`: format, types, lint, unused code, docs, the executable, and the fast tests, in under two minutes
 * on two cores. `npm test` (`--all`): every test and the conformance suite too. One line for each step, the output of those
 * that failed, and as the last line `N passed, N failed`.
 *
 * Invariant: it passes only when every step did and every test file ended with the closing line of the test runner: a
 * `process.exit(0)` inside a test ends `bun test` with exit code 0 and no summary. A failed step counts as one failure,
 * so the last line never says 0 failed when the exit code is not 0. Needs no terminal and no stdin.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleWorkers } from "./gate/bundle-workers.ts";
import { endAllGroups } from "./gate/process-groups.ts";
import { runStep, type Step, type StepResult } from "./gate/run-step.ts";
import { runTests, type TestTotals } from "./gate/run-tests.ts";
import { formatTime } from "./gate/show-progress.ts";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "ringfence.exe" : "ringfence");
const FOLDERS = ["src", "workers", "test", "scripts", "bench", "examples"].filter((name) =>
  existsSync(join(ROOT, name)),
);
const IS_ALL = process.argv.includes("--all");

const QUICK: readonly Step[] = [
  {
    name: "format",
    args: ["node_modules/oxfmt/bin/oxfmt", "--check", "--no-error-on-unmatched-pattern", ...FOLDERS],
  },
  { name: "types", args: ["node_modules/typescript/bin/tsc", "-p", "."] },
  { name: "page types", args: ["node_modules/typescript/bin/tsc", "-p", "src/page/browser"] },
  {
    name: "lint",
    args: [
      "node_modules/oxlint/bin/oxlint",
      "--type-aware",
      "--deny-warnings",
      "--report-unused-disable-directives",
      ...FOLDERS,
    ],
  },
  { name: "unused", args: ["node_modules/knip/bin/knip-bun.js", "--no-config-hints"] },
  { name: "docs", args: ["scripts/docs.ts", "--check"] },
  { name: "build", args: ["scripts/build.ts"] },
];
const LONG: readonly Step[] = [{ name: "conformance", args: ["scripts/conformance.ts"] }];

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    endAllGroups();
    process.exit(1);
  });
}
process.exitCode = await main();

async function main(): Promise<number> {
  // Two at a time: the type checker and the linter use more than one thread themselves.
  const steps = await runAll(IS_ALL ? [...QUICK, ...LONG] : QUICK, 2);
  const started = performance.now();
  const run = { root: ROOT, env: { RINGFENCE_BINARY: BINARY, RINGFENCE_TEST_WORKERS: await bundleWorkers(ROOT) } };
  const tests = await runTests(run, IS_ALL ? ["long", "fast", "alone"] : ["fast"]);
  const spent = formatTime(performance.now() - started);
  console.log(`${tests.failed === 0 ? "ok  " : "FAIL"} test     ${spent}`);
  const failed = tests.failed + steps.filter(({ isOk }) => !isOk).length;
  showTotals(tests, failed);
  return failed === 0 ? 0 : 1;
}

function showTotals(totals: TestTotals, allFailed: number): void {
  const { files, passed, failed, skipped, skippedTitles, unsteady } = totals;
  for (const title of skippedTitles) console.log(`skipped  ${title}`);
  for (const path of unsteady) console.log(`unsteady ${path}: it failed beside other files and passed by itself`);
  console.log(`Ran ${passed + failed + skipped} tests across ${files} files.`);
  console.log(`${passed} passed, ${allFailed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
}

async function runAll(steps: readonly Step[], atOnce: number): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const queue = [...steps];
  const lane = async (): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) results.push(await runStep(ROOT, step));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
