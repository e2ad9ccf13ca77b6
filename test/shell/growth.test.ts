/**
 * A line of any length is judged in the thread that serves everybody, so the time for it grows with the line and no faster.
 */
import { expect, test } from "bun:test";
import type * as shell from "../../src/shell/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { SURROUNDINGS } from "./read-cases.ts";

const LINES: readonly [name: string, lineOf: (size: number) => string][] = [
  ["a firewall's options", (size) => `firewall-cmd ${"a".repeat(size)}`],
  ["options of a firewall's zone", (size) => `firewall-cmd ${"--zone=trusted ".repeat(size / 15)}`],
  ["blanks in a sed script", (size) => `sed -n '1${" ".repeat(size)}x' f`],
  ["patterns in a sed script", (size) => `sed -n '${"/a/,/b/p;".repeat(size / 9)}x' f`],
  ["a jq program", (size) => `jq '${"if . then ".repeat(size / 10)}' f`],
];

test.each(LINES)("the time to judge %s grows with their number and no faster", async (_, lineOf) => {
  const { openShellReader } = await loadCounted<typeof shell>("src/shell/index.ts");
  const reader = await openShellReader();
  expect(reader.assess(lineOf(100), SURROUNDINGS).verdict).not.toBe("allow");
  expectGrowth({ size: 16_000, mostGrowth: 2.2, mostPerUnit: 200 }, (size) => {
    const line = lineOf(size);
    return () => reader.assess(line, SURROUNDINGS);
  });
});
