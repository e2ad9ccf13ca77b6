/**
 * A program of its own: of what the time of a search is made that has a process to itself, all in turn:
 * `bun bench/probes/cold-cost.ts TREE`, with `dist/ringfence` built. Prints medians in milliseconds and how many times
 * ripgrep's each is.
 *
 * What a process of one call cannot be faster than is the sum of its start and of the search in a host that has done it
 * before: the first comes from the rows of one file, the second from the row of the host.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { countWithRipgrep, run } from "../search/native.ts";
import { RARE_LITERAL } from "../search/queries.ts";

const ROUNDS = 21;
/** After these a host has compiled what it compiles. */
const WARM_UPS = 10;

const [tree] = process.argv.slice(2);
if (tree === undefined) throw new Error("Cannot measure: give the tree as bench/search/README.md has it");
const repository = join(import.meta.dir, "..", "..");
const ringfence = join(repository, "dist", "ringfence");
const { pattern } = RARE_LITERAL.args;
const folder = mkdtempSync(join(tmpdir(), "ringfence-cold-cost-"));
try {
  const bare = join(folder, "bare");
  const entry = join(import.meta.dir, "bare-search.ts");
  await run([
    process.execPath,
    "build",
    "--compile",
    "--minify",
    "--bytecode",
    "--format=esm",
    `--outfile=${bare}`,
    entry,
  ]);
  const one = join(folder, "one");
  await Bun.write(join(one, "file"), `${pattern}\n`);
  await using host = await RawClient.open({
    name: "ringfence",
    command: [ringfence, "serve", `--root=${tree}`],
    readTool: "read_file",
  });
  const inHost = async (): Promise<number> => {
    const started = performance.now();
    await host.request("tools/call", { name: "grep", arguments: { path: tree, pattern, output: "count" } });
    return performance.now() - started;
  };
  const called = (top: string, fence: string) => {
    const args = [`pattern=${pattern}`, `path=${top}`, "output=count", `--root=${top}`, `--fence=${fence}`];
    return spawned([ringfence, "call", "grep", ...args]);
  };
  const rows: Record<string, () => Promise<number>> = {
    ripgrep: spawned(countWithRipgrep(RARE_LITERAL, tree)),
    "bare program, no rules and no scope": spawned([bare, pattern, tree]),
    "call grep, one file, no fence": called(one, "off"),
    "call grep, one file": called(one, "auto"),
    "grep in a host that has done it before": inHost,
    "call grep, no fence": called(tree, "off"),
    "call grep": called(tree, "auto"),
  };
  for (let at = 0; at < WARM_UPS; at++) await inHost();
  const samples = new Map(Object.keys(rows).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(rows)) samples.get(name)?.push(await work());
  const reference = median(samples.get("ripgrep") ?? []);
  for (const [name, times] of samples) {
    const ms = median(times);
    console.log(`${name.padEnd(40)}${ms.toFixed(0).padStart(6)} ms${(ms / reference).toFixed(2).padStart(7)}x`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function spawned(command: readonly string[]): () => Promise<number> {
  return async () => (await run(command)).ms;
}
