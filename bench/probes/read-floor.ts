/**
 * `bun bench/probes/read-floor.ts [BINARY]`: a small read of ringfence beside that of a program that does only what no host
 * on this runtime can leave out (floor/main.ts), and of the reference: the first read, the first 300, warm, and 64 at once.
 * What lies between the first two is ours to make less; what the second takes is the runtime's and the machine's.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepareBench, type Server } from "../bench.ts";
import { median } from "../quantiles.ts";
import { callsOf, ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const ROUNDS = 9;
const FIRST_CALLS = 300;
const DEPTH = 64;
const BURST = 10_000;

interface Row {
  readonly firstMs: number;
  readonly earlyMs: number;
  readonly warmMs: number;
  readonly perSecond: number;
}

await using bench = await prepareBench({ binary: process.argv[2], seed: 1 });
using file = makeTextFile(bench.workspace, "small.ts", 3000);
const floor: Server = {
  name: "floor",
  command: [compileFloor(), join(bench.workspace, "record")],
  readTool: "read_file",
};
const servers = [bench.ours, floor, bench.reference];
const rows = new Map<string, Row[]>(servers.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const server of servers) rows.get(server.name)?.push(await measure(server));
for (const [name, all] of rows) {
  const of = (pick: (row: Row) => number): number => median(all.map(pick));
  console.log(
    `${name.padEnd(10)} first ${of(({ firstMs }) => firstMs).toFixed(1)} ms from its start, ` +
      `the first ${FIRST_CALLS} ${us(of(({ earlyMs }) => earlyMs))}, warm ${us(of(({ warmMs }) => warmMs))}, ` +
      `${DEPTH} at once ${of(({ perSecond }) => perSecond).toFixed(0)} a second`,
  );
}

async function measure(server: Server): Promise<Row> {
  const started = performance.now();
  await using session = await ReadingSession.openCold(server, file.path);
  const firstMs = performance.now() - started;
  const earlyMs = median(await callsOf(session, FIRST_CALLS));
  await callsOf(session, 2000);
  const warmMs = median(await callsOf(session, 1000));
  const { calls, ms } = await session.run(DEPTH, { calls: BURST });
  return { firstMs, earlyMs, warmMs, perSecond: (calls / ms) * 1000 };
}

function us(ms: number): string {
  return `${(ms * 1000).toFixed(0)} us`;
}

function compileFloor(): string {
  const folder = join(import.meta.dir, "floor");
  const out = join(bench.workspace, "floor");
  const args = [
    "build",
    join(folder, "main.ts"),
    join(folder, "worker.ts"),
    `--root=${folder}`,
    "--compile",
    "--minify",
  ];
  const { status, stderr } = spawnSync(process.execPath, [...args, "--format=esm", "--bytecode", `--outfile=${out}`]);
  if (status !== 0) throw new Error(`Cannot compile the floor: ${stderr.toString()}`);
  return out;
}
