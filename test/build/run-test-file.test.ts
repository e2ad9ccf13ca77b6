/** Running one test file: what it printed, what it skipped, and what counts as failed although nothing says so. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTestFile } from "../../scripts/gate/run-test-file.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-gate-")));
mkdirSync(join(root, "test"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(name: string, body: string, silenceMs?: number): ReturnType<typeof runTestFile> {
  const path = `test/${name}.test.ts`;
  writeFileSync(join(root, path), `import { expect, test } from "bun:test";\n${body}`);
  return await runTestFile(path, { root, env: {}, ...(silenceMs === undefined ? {} : { silenceMs }) });
}

test("a file that passes has counts, the titles of what it skipped, and its output for whoever asks", async () => {
  const result = await run(
    "green",
    `console.error("a host said this"); test("a", () => {}); test.skip("b (needs c)", () => {});`,
  );
  expect(result).toMatchObject({ passed: 1, failed: 0, skipped: 1, skippedTitles: ["b (needs c)"] });
  expect(result.output).toContain("a host said this");
  expect(result.output).not.toContain("(pass)");
});

test("a failure is counted and shown", async () => {
  const result = await run("red", `test("is red", () => expect(1).toBe(2)); test("is green", () => {});`);
  expect(result).toMatchObject({ passed: 1, failed: 1 });
  expect(result.output).toContain("(fail) is red");
});

test.each([
  ["exit", `test("a", () => process.exit(0));`],
  ["nothing", ""],
  ["broken", "const = 1;"],
  ["killed", `test("a", () => process.kill(process.pid, "SIGKILL"));`],
])("a file without a closing line has failed: %s", async (name, body) => {
  const result = await run(name, body);
  expect(result.failed).toBeGreaterThan(0);
  expect(result.passed).toBe(0);
});

test("a file in which no test ends any more is ended with all that it started", async () => {
  // Both sleep for ever; the limit is what is tested, and only a hang gets there.
  const result = await run(
    "silent",
    `test("a", () => {}); test("b", async () => { await Bun.spawn(["sleep", "infinity"]).exited; });`,
    2000,
  );
  expect(result.failed).toBe(1);
  expect(result.output).toContain("no test of this file has ended");
  expect(result.output).toContain("SIGKILL");
});
