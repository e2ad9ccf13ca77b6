/**
 * `bun run bench`: builds the binary, measures it side by side with the reference server, prints the table and keeps it
 * under bench/runs. The exit code is 0 unless something is broken; `--strict` makes a missed target exit code 1.
 *
 * Usual mistake: importing from src. What is measured is the binary, with nothing but pipes between it and this program.
 */
import { parseArgs } from "node:util";
import { prepareBench, type Bench } from "./bench.ts";
import { keepRun } from "./keep-run.ts";
import { describeMachine } from "./machine.ts";
import type { Measurement } from "./measurement.ts";
import { measureBigWork } from "./measures/big-work.ts";
import { measureCallsInFlight } from "./measures/calls-in-flight.ts";
import { measureCommit } from "./measures/commit.ts";
import { measureFirstCalls } from "./measures/first-calls.ts";
import { measureFourHosts } from "./measures/four-hosts.ts";
import { measureIdleMemory } from "./measures/idle-memory.ts";
import { measureOpenCost } from "./measures/open-cost.ts";
import { measurePing } from "./measures/ping.ts";
import { measureSequentialCalls } from "./measures/sequential-calls.ts";
import { measureStart } from "./measures/start.ts";
import { SEARCH_MEASURES } from "./search/search-measures.ts";
import { formatTable, isMissed } from "./table.ts";

type Measure = (bench: Bench) => Promise<Measurement[]>;

const SERVER_MEASURES: Readonly<Record<string, Measure>> = {
  start: measureStart,
  open: measureOpenCost,
  "first-calls": measureFirstCalls,
  sequential: measureSequentialCalls,
  "in-flight": measureCallsInFlight,
  "four-hosts": measureFourHosts,
  idle: measureIdleMemory,
  "big-work": measureBigWork,
  ping: measurePing,
  commit: measureCommit,
};

const MEASURES: Readonly<Record<string, Measure>> = { ...SERVER_MEASURES, ...SEARCH_MEASURES };

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    binary: { type: "string" },
    strict: { type: "boolean", default: false },
    tree: { type: "string", default: process.env["RINGFENCE_BENCH_TREE"] },
    seed: { type: "string", default: "1" },
    "no-keep": { type: "boolean", default: false },
  },
});

await main();

async function main(): Promise<void> {
  const names = namesOf(flags.only, flags.tree !== undefined);
  const unknown = names.filter((name) => !(name in MEASURES));
  if (unknown.length > 0)
    throw new Error(`Cannot measure "${unknown.join(", ")}": choose from ${Object.keys(MEASURES).join(", ")}`);
  // Before the build: a commit or an edit made while this runs is not what is measured.
  const machine = describeMachine();
  await using bench = await prepareBench({ binary: flags.binary, tree: flags.tree, seed: Number(flags.seed) });
  const rows: Measurement[] = [];
  for (const name of names) {
    console.error(`measuring: ${name}`);
    rows.push(...((await MEASURES[name]?.(bench)) ?? []));
  }
  const table = formatTable(rows);
  console.log(`\n${table}\n`);
  const isWhole = flags.only === undefined && flags.binary === undefined;
  if (isWhole && !flags["no-keep"]) console.log(`kept as ${keepRun(machine, rows, table)}`);
  if (flags.strict && rows.some(isMissed)) process.exitCode = 1;
}

/** `search` stands for all that need a tree; without a tree everything is everything else. */
function namesOf(only: string | undefined, hasTree: boolean): string[] {
  if (only !== undefined)
    return only.split(",").flatMap((name) => (name === "search" ? Object.keys(SEARCH_MEASURES) : [name]));
  if (!hasTree) console.error("not measured: search (it needs a --tree, see bench/search/README.md)");
  return Object.keys(hasTree ? MEASURES : SERVER_MEASURES);
}
