/**
 * `bun run test:conformance`: the official conformance suite against the fixture on our protocol core, over stdin and
 * stdout through a bridge: every scored scenario of both revisions, and those of the tasks extension. The last line is
 * `N passed, N failed`, in scenarios.
 *
 * Invariant: a scenario that was not run is a failure; how many there are is pinned here. Scenarios that judge only HTTP
 * headers, which a process on stdin has none of, are run and not counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBridge } from "../test/conformance/bridge.ts";

const ROOT = join(import.meta.dir, "..");
const SUITE = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const FIXTURE = join(ROOT, "test/conformance/fixture/main.ts");
/** By revision: how many scenarios must pass; the second has 37 scored ones, 10 of tasks, and JSON Schema 2020-12. */
const REVISIONS: Readonly<Record<string, number>> = { "2025-11-25": 30 + 1, "2026-07-28": 37 + 10 + 1 };
/** Not scored: they judge headers, reconnection and sessions of HTTP. */
const HTTP_ONLY: readonly string[] = [
  "http-header-validation",
  "http-custom-header-server-validation",
  "server-sse-polling",
  "server-session-lifecycle",
];
/** The suite itself skips its only check. */
const EMPTY: readonly string[] = ["tasks-status-notifications"];
/** Only a suite that hangs takes this long. */
const LIMIT_MS: number = 15 * 60_000;

interface Scenario {
  readonly name: string;
  readonly isOk: boolean;
}

const results: { passed: number; failed: number }[] = [];
for (const [revision, count] of Object.entries(REVISIONS)) results.push(await runRevision(revision, count));
const total = (what: "passed" | "failed"): number => results.reduce((sum, one) => sum + one[what], 0);
console.log(`${total("passed")} passed, ${total("failed")} failed`);
process.exit(total("failed") === 0 ? 0 : 1);

async function runRevision(revision: string, count: number): Promise<{ passed: number; failed: number }> {
  await using bridge = openBridge([process.execPath, FIXTURE]);
  const output = await runSuite(revision, bridge.url);
  const scenarios = readSummary(output).filter(({ name }) => !HTTP_ONLY.includes(name));
  const passed = scenarios.filter(({ isOk }) => isOk).length;
  const problems = [
    ...scenarios.filter(({ isOk }) => !isOk).map(({ name }) => `the scenario ${name} failed`),
    ...(scenarios.length === count ? [] : [`${scenarios.length} scenarios ran instead of ${count}`]),
    ...bridge.broken.map((line) => `a line on stdout is not JSON: ${line.slice(0, 200)}`),
  ];
  const said = bridge.said.join("");
  console.log(`${revision}: ${passed} of ${count} scenarios pass`);
  if (problems.length > 0) console.log(`${output}\n${said}\n${problems.join("\n")}`);
  return { passed, failed: problems.length };
}

async function runSuite(revision: string, url: string): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "ringfence-conformance-"));
  try {
    const child = Bun.spawn([process.execPath, SUITE, "server", "--url", url, "--requirements", revision, "-o", out], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: LIMIT_MS,
    });
    const [text, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return `${text}\n${errors}`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Lines such as `✓ tools-list: 4 passed, 0 failed`. */
function readSummary(output: string): Scenario[] {
  const summary = output.slice(Math.max(output.indexOf("=== SUMMARY ==="), 0));
  return [...summary.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(([, name = "", passed, failed]) => ({
    name,
    isOk: failed === "0" && (passed !== "0" || EMPTY.includes(name)),
  }));
}
