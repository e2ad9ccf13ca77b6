/**
 * Keeps a run under bench/runs: JSON for comparing, Markdown for reading. A second run of the same commit and day takes
 * the place of the first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Machine } from "./machine.ts";
import { isMet, ratioOf, type Measurement } from "./measurement.ts";

/** Where it was written, without the ending. */
export function keepRun(machine: Machine, rows: readonly Measurement[], table: string): string {
  const folder = join(import.meta.dir, "runs");
  mkdirSync(folder, { recursive: true });
  const base = join(folder, runName(machine));
  const measurements = rows.map((row) => ({ ...row, ratio: ratioOf(row), isMet: isMet(row) }));
  writeFileSync(`${base}.json`, `${JSON.stringify({ machine, measurements }, null, 2)}\n`);
  writeFileSync(`${base}.md`, describeRun(machine, table));
  format([`${base}.json`, `${base}.md`]);
  return relative(process.cwd(), base);
}

/** `-dirty` when the sources were not those of the commit. */
export function runName(machine: Machine): string {
  return `${machine.date.slice(0, 10)}-${machine.commit}${machine.isDirty ? "-dirty" : ""}`;
}

/** The gate checks the format of everything in bench, of kept runs too. */
function format(paths: readonly string[]): void {
  const root = dirname(import.meta.dir);
  const oxfmt = join(root, "node_modules", "oxfmt", "bin", "oxfmt");
  const result = spawnSync(process.execPath, [oxfmt, ...paths], { cwd: root, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`Cannot format the run: ${result.stderr}`);
}

function describeRun(machine: Machine, table: string): string {
  const where = `${machine.cpu}, ${machine.cores} cores, ${machine.memoryMb} MB, ${machine.kernel}`;
  return `# ${runName(machine)}

${where}; Bun ${machine.bun}, Node ${machine.node}; ${machine.date}

${table}
`;
}
