/**
 * Reads the closing lines of `bun test` 1.4:
 *
 *      7 pass
 *      1 skip
 *      0 fail
 *     Ran 9 tests across 1 file. [10.00ms]
 *
 * Invariant: complete only with the `Ran` line and at least one test. Counts are taken from the lines right before it,
 * because a test may print lines of the same shape.
 */
export function summarize(output: string): TestSummary {
  const lines = output.split("\n");
  const last = lines.findLastIndex((line) => CLOSING.test(line));
  const ran = Number(CLOSING.exec(lines[last] ?? "")?.[1] ?? 0);
  const counts = new Map<string, number>();
  for (let at = last - 1; at >= Math.max(0, last - MOST_COUNT_LINES); at -= 1) {
    const match = COUNT.exec(lines[at] ?? "");
    if (match?.[1] !== undefined && match[2] !== undefined && !counts.has(match[2])) {
      counts.set(match[2], Number(match[1]));
    }
  }
  return {
    passed: counts.get("pass") ?? 0,
    failed: (counts.get("fail") ?? 0) + (counts.get("error") ?? 0),
    skipped: (counts.get("skip") ?? 0) + (counts.get("todo") ?? 0),
    isComplete: ran > 0,
  };
}

export interface TestSummary {
  readonly passed: number;
  /** Failed tests, and errors outside of tests. */
  readonly failed: number;
  readonly skipped: number;
  readonly isComplete: boolean;
}

const CLOSING = /^Ran (\d+) tests? across \d+ files?\./;
const COUNT = /^ ?(\d+) (pass|fail|skip|todo|error)s?$/;
/** seed, pass, skip, todo, filtered, fail, error, snapshots, expect() calls. */
const MOST_COUNT_LINES = 10;
