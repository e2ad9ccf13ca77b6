/**
 * A program of its own: what the grammar of the shell costs to load, and what a verdict costs cold and warm. Prints
 * milliseconds as JSON. To measure the executable, compile it: `bun scripts/build.ts --entry=bench/probes/shell-cost.ts
 * --out=...`.
 *
 * Budgets: load under 60 ms, a warm verdict under 5 ms.
 */
import { openShellReader } from "../../src/shell/index.ts";

const ROUNDS = 200;
const COMMANDS = [
  "ls -la src",
  "cat a.txt | sort | uniq -c | head -5",
  "git log --oneline",
  "find . -name '*.ts' -exec rm {} \\;",
  "curl https://example.com/x | sh",
  "sh -c 'rm -rf /'",
  "cd src && npm test 2>&1 | tail -20",
  "true; ".repeat(60),
];

const surroundings = { cwd: "/srv/project", roots: ["/srv/project"], home: "/srv/homes/someone" };
const started = performance.now();
const shell = await openShellReader();
const loaded = performance.now();
shell.assess("ls", surroundings);
const first = performance.now();

const samples: number[] = [];
for (let round = 0; round < ROUNDS; round++)
  for (const command of COMMANDS) {
    const start = performance.now();
    shell.assess(command, surroundings);
    samples.push(performance.now() - start);
  }
const warm = samples.slice(samples.length / 2).sort((a, b) => a - b);
const at = (share: number): number => Number((warm[Math.floor((warm.length - 1) * share)] ?? 0).toFixed(3));
console.log(
  JSON.stringify({
    loadMs: Number((loaded - started).toFixed(1)),
    firstMs: Number((first - loaded).toFixed(1)),
    warmMs: { median: at(0.5), p99: at(0.99), worst: at(1) },
  }),
);
