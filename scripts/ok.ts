/**
 * The gate: `bun run ok` or `npm test`. Format, types, lint, unused code, docs, the binary, the tests; one line each,
 * the output of those that failed, and as the last line `N passed, N failed`.
 *
 * Invariant: it passes only when every step did and the test runner printed its closing line with at least one test: a
 * `process.exit(0)` inside a test ends `bun test` with exit code 0 and no summary. A failed step counts as one failure,
 * so the last line never says 0 failed when the exit code is not 0. Needs no terminal and no stdin.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runStep, type Step, type StepResult } from "./gate/run-step.ts";
import { summarize } from "./gate/test-summary.ts";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "ringfence.exe" : "ringfence");
const FOLDERS = ["src", "workers", "test", "scripts", "bench", "examples"].filter((name) =>
  existsSync(join(ROOT, name)),
);
const MINUTE_MS = 60_000;

const QUICK: readonly Step[] = [
  {
    name: "format",
    args: ["node_modules/oxfmt/bin/oxfmt", "--check", "--no-error-on-unmatched-pattern", ...FOLDERS],
  },
  { name: "types", args: ["node_modules/typescript/bin/tsc", "-p", "."] },
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
  { name: "conformance", args: ["scripts/conformance.ts"] },
];

const TESTS: Step = {
  name: "test",
  args: ["test", "--only-failures", "--timeout=480000", "./test"],
  env: { RINGFENCE_BINARY: BINARY },
  isLive: true,
  limitMs: 14 * MINUTE_MS,
};

process.exitCode = await main();

async function main(): Promise<number> {
  // Two at a time: the type checker and the linter use more than one thread themselves.
  const results = [...(await runAll(QUICK, 2)), await runStep(ROOT, TESTS)];
  const tests = results.at(-1);
  const summary = summarize(tests?.output ?? "");
  if (!summary.isComplete) {
    console.log(
      "test: the closing line `Ran N tests across M files.` is missing or N is 0: something ended the run",
    );
  }
  const failedSteps = results.filter((result) => !result.isOk && (result !== tests || summary.failed === 0));
  const failed = summary.failed + Math.max(failedSteps.length, summary.isComplete ? 0 : 1);
  const skipped = summary.skipped === 0 ? "" : `, ${summary.skipped} skipped`;
  console.log(`${summary.passed} passed, ${failed} failed${skipped}`);
  return failed === 0 ? 0 : 1;
}

async function runAll(steps: readonly Step[], atOnce: number): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const queue = [...steps];
  const lane = async (): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift())
      results.push(await runStep(ROOT, step));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
