/**
 * A line of any length is judged in the thread that serves everybody, so the time for it grows with the line and no faster.
 */
import { expect, test } from "bun:test";
import type * as shell from "../../src/shell/index.ts";
import { countSteps, expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { SURROUNDINGS } from "./read-cases.ts";

const LINES: readonly [name: string, lineOf: (size: number) => string, mostPerUnit?: number][] = [
  ["a firewall's options", (size) => `firewall-cmd ${"a".repeat(size)}`],
  ["options of a firewall's zone", (size) => `firewall-cmd ${"--zone=trusted ".repeat(size / 15)}`],
  ["blanks in a sed script", (size) => `sed -n '1${" ".repeat(size)}x' f`],
  ["patterns in a sed script", (size) => `sed -n '${"/a/,/b/p;".repeat(size / 9)}x' f`],
  ["copies of a file that the line made", (size) => `echo ls>a;${"cp a a;cp a b;cp b a;".repeat(size / 21)}sh a`, 520],
  ["files that are run again and again", (size) => `echo ls>a;${"sh a;".repeat(size / 5)}`, 500],
  ["a jq program", (size) => `jq '${"if . then ".repeat(size / 10)}' f`],
];

test.each(LINES)("the time to judge %s grows with their number and no faster", async (_, lineOf, mostPerUnit = 200) => {
  const { openShellReader } = await loadCounted<typeof shell>("src/shell/index.ts");
  const reader = await openShellReader();
  expect(reader.assess(lineOf(100), SURROUNDINGS).verdict).not.toBe("allow");
  expectGrowth({ size: 16_000, mostGrowth: 2.2, mostPerUnit }, (size) => {
    const line = lineOf(size);
    return () => reader.assess(line, SURROUNDINGS);
  });
});

// Each run of the file would double what is run next.
test.each([
  "echo 'echo ls >> f; sh f; sh f' > f; sh f",
  "echo 'sh f; sh f; sh f' > f; sh f",
  `echo ls>a;${"cp a a;".repeat(40)}sh a`,
])("a line that runs what it writes again and again is judged in few steps: %s", async (line) => {
  const { openShellReader } = await loadCounted<typeof shell>("src/shell/index.ts");
  const reader = await openShellReader();
  const steps = countSteps(() => reader.assess(line, SURROUNDINGS));
  expect(steps).toBeGreaterThan(0);
  expect(steps).toBeLessThan(1_000_000);
});
