/**
 * What every search costs the process that runs it: memory over idle at its peak, and how long a ping waits meanwhile.
 */
import type { Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { added, addedRow } from "../measures/big-work.ts";
import { pingDuring, type Pings } from "../measures/ping.ts";
import { CAN_READ_MEMORY } from "../process-memory.ts";
import { quantile } from "../quantiles.ts";
import { callTool } from "../tool-call.ts";
import { makeEntries, makeSparseFile } from "../workload.ts";
import { openCorpus } from "./corpus.ts";
import { QUERIES } from "./queries.ts";

const MAX_ADDED_MB = 150;
const PING_P99_MS = 10;
const HASHED_BYTES: number = 2 * 1024 * 1024 * 1024;

interface Load {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
}

export async function measureSearchMemory(bench: Bench): Promise<Measurement[]> {
  if (!CAN_READ_MEMORY) return [];
  const rows: Measurement[] = [];
  await underEach(bench, async ({ name, tool, args }) => {
    const peaks = await added(openCorpus(bench).server, bench.workspace, async (client) => {
      await callTool(client, tool, args);
    });
    rows.push(addedRow(`added by ${name}`, peaks, MAX_ADDED_MB));
  });
  return rows;
}

export async function measureSearchPing(bench: Bench): Promise<Measurement[]> {
  const { server } = openCorpus(bench);
  // Without work: what the machine itself does to a ping at this time.
  const rows = [pingRow("nothing runs", await pingDuring(server), undefined)];
  await underEach(bench, async ({ name, tool, args }) => {
    const work = { params: { name: tool, arguments: args }, answer: /^(?!.*"isError":true).*"result"/s };
    rows.push(pingRow(name, await pingDuring(server, work), PING_P99_MS));
  });
  return rows;
}

function pingRow(name: string, { latencies, workCalls }: Pings, atMost: number | undefined): Measurement {
  return {
    measure: `ping while ${name}, p99`,
    unit: "ms",
    ours: quantile(latencies, 0.99),
    ...(atMost === undefined ? {} : { target: { kind: "at_most", value: atMost } }),
    detail: `p50 ${quantile(latencies, 0.5).toFixed(2)} ms, max ${Math.max(...latencies).toFixed(1)} ms; calls of work: ${workCalls}`,
  };
}

async function underEach(bench: Bench, measure: (load: Load) => Promise<void>): Promise<void> {
  const { tree } = openCorpus(bench);
  using file = makeSparseFile(bench.workspace, "zeros", HASHED_BYTES);
  using folder = makeEntries(bench.workspace, "many", 100_000);
  const greps = QUERIES.map(({ name, args }) => ({
    name: `grep ${name}`,
    tool: "grep",
    args: { ...args, path: tree, output: "count", limit: 1000 },
  }));
  const others: Load[] = [
    { name: "grep of a common word", tool: "grep", args: { pattern: "return", path: tree } },
    { name: "glob **/*.c", tool: "glob", args: { pattern: "**/*.c", path: tree } },
    { name: "glob **/*", tool: "glob", args: { pattern: "**/*", path: tree } },
    { name: "disk_usage", tool: "disk_usage", args: { path: tree } },
    { name: "list of 100,000 entries", tool: "list_directory", args: { path: folder.path } },
    { name: "hash_file of 2 GB", tool: "hash_file", args: { path: file.path } },
  ];
  for (const load of [...greps, ...others]) await measure(load);
}
