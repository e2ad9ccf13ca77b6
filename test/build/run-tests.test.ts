/** Running all files: one that fails beside others is tried once more by itself, and what fails then has failed. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests, type TestTotals } from "../../scripts/gate/run-tests.ts";

const HEAD = `import { existsSync, writeFileSync } from "node:fs"; import { expect, test } from "bun:test";\n`;
const RED = `test("is red", () => expect(1).toBe(2));`;
/** Passes from the second time on. */
const unsteady = (mark: string): string =>
  `test("is unsteady", () => { const was = existsSync("${mark}"); writeFileSync("${mark}", ""); expect(was).toBe(true); });`;

interface Ran {
  readonly totals: TestTotals;
  readonly printed: string;
}

async function run(files: Readonly<Record<string, string>>): Promise<Ran> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-gate-")));
  try {
    mkdirSync(join(root, "test"));
    for (const [name, body] of Object.entries(files)) writeFileSync(join(root, `test/${name}.test.ts`), HEAD + body);
    let printed = "";
    const totals = await runTests({ root, env: {} }, ["fast"], { write: (text) => (printed += text) });
    return { totals, printed };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test("a file that passes by itself counts once and is named as unsteady", async () => {
  const { totals, printed } = await run({ green: `test("is green", () => {});`, shaky: unsteady("a") });
  expect(totals).toMatchObject({ files: 2, passed: 2, failed: 0, unsteady: ["test/shaky.test.ts"] });
  expect(printed).toContain("(fail) is unsteady");
});

test("a file that fails by itself too has failed", async () => {
  const { totals, printed } = await run({ red: RED, shaky: unsteady("a") });
  expect(printed.split("(fail) is red")).toHaveLength(3);
  expect(totals).toMatchObject({
    passed: 1,
    failed: 1,
    unsteady: ["test/shaky.test.ts"],
  });
});

test("files that fail in numbers are not tried again", async () => {
  const { totals } = await run(Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, unsteady(name)])));
  expect(totals).toMatchObject({ passed: 0, failed: 4, unsteady: [] });
});
