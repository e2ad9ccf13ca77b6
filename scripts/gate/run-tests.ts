/**
 * All test files of the given lanes, in as many processes at once as there are cores; the files that need the machine
 * for themselves come last, one at a time. What a file printed is shown only when it failed.
 *
 * A file that failed beside others is run once more by itself, because a test that waits for real processes may fail only
 * on a busy machine. What it printed the first time is shown, and it is named as unsteady at the end: that is a fault to
 * mend, and no reason to throw a change away. Every seed is fixed, so a fault that a property test finds fails both times.
 *
 * Invariant: every file that was planned has a result, and one without the closing line of the test runner has failed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { runTestFile, type FileResult, type TestRun } from "./run-test-file.ts";
import { showProgress, type Progress, type ProgressSink } from "./show-progress.ts";
import { laneOf, type Lane } from "./test-lanes.ts";

export interface TestTotals {
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** `test/a.test.ts: the title of the test`; a title ends with what is missing. */
  readonly skippedTitles: readonly string[];
  /** Files that failed beside others and passed by themselves, below the repository. */
  readonly unsteady: readonly string[];
}

/** More files that fail together have one reason, and it is not a busy machine. */
const MOST_TRIED_AGAIN = 3;

/** The longest first, so that no core waits for a long one at the end. */
const ORDER: readonly Lane[] = ["long", "fast"];

export async function runTests(run: TestRun, lanes: readonly Lane[], out?: ProgressSink): Promise<TestTotals> {
  const planned = findTestFiles(run.root).filter((path) => lanes.includes(laneOf(path)));
  const times = readTimes(run.root);
  const results: FileResult[] = [];
  using progress = showProgress(planned, times, out);
  const together = planned.filter((path) => laneOf(path) !== "alone");
  const cost = (path: string): number => times[path] ?? (ORDER.indexOf(laneOf(path)) === 0 ? Infinity : 0);
  const queue = together.sort((a, b) => cost(b) - cost(a) || a.localeCompare(b));
  const lane = async (paths: string[]): Promise<void> => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift())
      results.push(await runOne(path, run, progress));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, async () => await lane(queue)));
  const unsteady = await tryAgain(results, run, progress);
  await lane(planned.filter((path) => laneOf(path) === "alone"));
  writeTimes(run.root, { ...times, ...Object.fromEntries(results.map(({ path, ms }) => [path, ms])) });
  return { ...total(results), unsteady };
}

/** Puts the second result in the place of a failed first one. @returns the files that passed then */
async function tryAgain(results: FileResult[], run: TestRun, progress: Progress): Promise<readonly string[]> {
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > MOST_TRIED_AGAIN) return [];
  const unsteady: string[] = [];
  for (const first of failed) {
    const second = await runTestFile(first.path, run);
    results[results.indexOf(first)] = second;
    if (second.failed === 0) unsteady.push(first.path);
    sayFailed(second, progress);
  }
  return unsteady;
}

/** Below the repository, sorted. */
export function findTestFiles(root: string): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].map((path) => path.replaceAll("\\", "/")).sort();
}

async function runOne(path: string, run: TestRun, progress: Progress): Promise<FileResult> {
  const result = await runTestFile(path, run);
  progress.ended(path);
  sayFailed(result, progress);
  return result;
}

function sayFailed({ path, failed, output }: FileResult, progress: Progress): void {
  if (failed > 0) progress.say(`FAIL ${path}\n${output.trimEnd()}`);
}

function total(results: readonly FileResult[]): Omit<TestTotals, "unsteady"> {
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
