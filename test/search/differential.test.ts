/**
 * Promise 5 against ripgrep itself: random queries on random trees give the same files, lines, columns, counts and
 * texts. `bun run test:fuzz-search` asks fifty times as many.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";

const FUZZ = join(import.meta.dir, "../../scripts/fuzz-search.ts");

test("2,000 random pairs of a query and a tree: ripgrep's answers", () => {
  const ran = Bun.spawnSync([process.execPath, FUZZ, "--seed=20261121", "--pairs=2000"]);
  expect(ran.stdout.toString() + ran.stderr.toString()).toBe("2000 pairs, 0 seeds with differences\n");
  expect(ran.exitCode).toBe(0);
}, 120_000);
