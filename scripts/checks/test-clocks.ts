/**
 * Tests measure no time and sleep no number of milliseconds: a test that does is red on a slow machine, or green too early.
 * The time of day may be read, to date a file or a proposal.
 * `test/waits` has what to use instead. The conformance fixture may: its tools are made to take a while.
 */
import { blankOut, lineOf, type SourceFile } from "./source-code.ts";

/** Violations as `path:line: message`. */
export function checkTestClocks(file: SourceFile): string[] {
  if (!file.path.startsWith("test/") || ALLOWED.test(file.path)) return [];
  const code = blankOut(file.text, "comments and strings");
  const clocks = [...code.matchAll(CLOCKS)].map(
    (match) =>
      `${file.path}:${lineOf(code, match.index)}: Cannot use ${match[0]} in a test: ` +
      "wait for an event (test/waits), count what is done (test/steps), or measure in bench",
  );
  const limits = [...code.matchAll(OWN_LIMIT)].map(
    (match) =>
      `${file.path}:${lineOf(code, match.index) + 1}: Cannot give one test a limit of its own: a slow machine needs longer`,
  );
  return [...clocks, ...limits];
}

const ALLOWED = /^test\/(?:waits|conformance\/fixture)\//;
const CLOCKS =
  /\b(?:performance\s*\.\s*now|Bun\s*\.\s*(?:nanoseconds|sleepSync|sleep)|process\s*\.\s*(?:hrtime|cpuUsage)|set(?:Timeout|Interval)(?=\()|scheduler\s*\.\s*wait)/g;
/** The third argument of `test`. */
const OWN_LIMIT = /\n *\}, (?:[\d_]+|\{ timeout: [^}]*\})\);/g;
