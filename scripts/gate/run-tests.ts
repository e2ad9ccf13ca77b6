/**
 * All test files of the given lanes, in as many processes at once as there are cores; the files that need the machine
 * for themselves come last, one at a time. What a file printed is shown only when it failed.
 *
 * Invariant: every file that was planned has a result, and one without the closing line of the test runner has failed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { runTestFile, type FileResult, type TestRun } from "./run-test-file.ts";
import { showProgress, type Progress } from "./show-progress.ts";
import { laneOf, type Lane } from "./test-lanes.ts";

export interface TestTotals {
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** `test/a.test.ts: the title of the test`; a title ends with what is missing. */
  readonly skippedTitles: readonly string[];
}

/** The longest first, so that no core waits for a long one at the end. */
const ORDER: readonly Lane[] = ["long", "fast"];

export async function runTests(run: TestRun, lanes: readonly Lane[]): Promise<TestTotals> {
  const planned = findTestFiles(run.root).filter((path) => lanes.includes(laneOf(path)));
  const times = readTimes(run.root);
  const results: FileResult[] = [];
  using progress = showProgress(planned, times);
  const together = planned.filter((path) => laneOf(path) !== "alone");
  const cost = (path: string): number => times[path] ?? (ORDER.indexOf(laneOf(path)) === 0 ? Infinity : 0);
  const queue = together.sort((a, b) => cost(b) - cost(a) || a.localeCompare(b));
  const lane = async (paths: string[]): Promise<void> => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift())
      results.push(await runOne(path, run, progress));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, async () => await lane(queue)));
  await lane(planned.filter((path) => laneOf(path) === "alone"));
  writeTimes(run.root, { ...times, ...Object.fromEntries(results.map(({ path, ms }) => [path, ms])) });
  return total(results);
}

/** Below the repository, sorted. */
export function findTestFiles(root: string): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].map((path) => path.replaceAll("\\", "/")).sort();
}

async function runOne(path: string, run: TestRun, progress: Progress): Promise<FileResult> {
  const result = await runTestFile(path, run);
  progress.ended(path);
  if (result.failed > 0) progress.say(`FAIL ${path}\n${result.output.trimEnd()}`);
  return result;
}

function total(results: readonly FileResult[]): TestTotals {
  const sum = (of: (result: FileResult) => number): number => results.reduce((all, one) => all + of(one), 0);
  return {
    files: results.length,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    skippedTitles: results
      .flatMap(({ path, skippedTitles }) => skippedTitles.map((title) => `${path}: ${title}`))
      .sort(),
  };
}

/** How long each file took on this machine, in milliseconds. It decides the order and the time left, nothing else. */
function readTimes(root: string): Readonly<Record<string, number>> {
  const path = timesPath(root);
  try {
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, number>) : {};
  } catch {
    return {};
  }
}

function writeTimes(root: string, times: Readonly<Record<string, number>>): void {
  const rounded = Object.entries(times).map(([path, ms]) => [path, Math.round(ms)] as const);
  mkdirSync(dirname(timesPath(root)), { recursive: true });
  writeFileSync(timesPath(root), `${JSON.stringify(Object.fromEntries(rounded), undefined, 1)}\n`);
}

function timesPath(root: string): string {
  return join(root, "node_modules", ".cache", "ringfence-test-times.json");
}
