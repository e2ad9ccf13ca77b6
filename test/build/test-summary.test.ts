/**
 * Reading the closing lines of the test runner, with its literal output.
 */
import { expect, test } from "bun:test";
import { summarize } from "../../scripts/gate/test-summary.ts";

test("counts of a run with everything", () => {
  const output =
    "(pass) x\n\n 7 pass\n 1 skip\n 1 todo\n 2 fail\n 1 error\n 2 snapshots, 8 expect() calls\nRan 11 tests across 1 file. [10.00ms]\n";
  expect(summarize(output)).toEqual({ passed: 7, failed: 3, skipped: 2, isComplete: true });
});

test("a run that was ended has no closing line and is not complete", () => {
  expect(summarize("bun test v1.4.5\n 7 pass\n 0 fail\n")).toEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
    isComplete: false,
  });
});

test("no tests at all is not complete", () => {
  expect(summarize(" 0 pass\n 0 fail\nRan 0 tests across 0 files. [1.00ms]\n").isComplete).toBe(false);
});

test("lines that a test printed do not count", () => {
  const output =
    " 99 pass\nsomething\n\n\n\n\n\n\n\n\n 1 pass\n 0 fail\n 1 expect() calls\nRan 1 test across 1 file. [1.00ms]\n";
  expect(summarize(output)).toMatchObject({ passed: 1, failed: 0, isComplete: true });
});
