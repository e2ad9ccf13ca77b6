/**
 * `bun bench/probes/read-floor.ts [BINARY]`: a small read of ringfence beside that of a program that does only what no host
 * on this runtime can leave out (floor/main.ts), of that program with one promise of ringfence after the other put into it
 * (floor/promises.ts), and of the reference. What lies between the last of these and ringfence is the host around the promises: the
 * fence, the order of calls, bounds, budgets, hooks. Each program is given the same calls by the same client.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prepareBench, type Server } from "../bench.ts";
import { meanCallMs, openHosts } from "../measures/four-hosts.ts";
import { median } from "../quantiles.ts";
import { callsOf, pingsOf, ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const ROUNDS = 9;
const FIRST_CALLS = 300;
const DEPTH = 64;
const FIRST_BURST = 1500;
const BURST = 20_000;
const BESIDE_ROUNDS = 5;
const PROMISES = ["reading", "record", "decision", "pool", "protocol"];

interface Row {
  readonly firstMs: number;
  readonly earlyMs: number;
  readonly warmMs: number;
  /** Warm reads in pings of the same process. */
  readonly inPings: number;
  readonly earlyPerSecond: number;
  readonly perSecond: number;
}

await using bench = await prepareBench({ binary: process.argv[2], seed: 1 });
using file = makeTextFile(bench.workspace, "small.ts", 3000);
const servers = [
  bench.reference,
  { name: "the least", command: [compile("main", "worker"), join(bench.workspace, "record")], readTool: "read_file" },
  ...withPromises(),
  bench.ours,
];
const rows = new Map<string, Row[]>(servers.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const server of servers) rows.get(server.name)?.push(await measure(server));
const beside = new Map<string, Beside[]>(servers.map(({ name }) => [name, []]));
for (let round = 0; round < BESIDE_ROUNDS; round++)
  for (const server of servers) beside.get(server.name)?.push(await besideOthers(server));
show();

function withPromises(): Server[] {
  const program = compile("promises", "reading-worker", "pool-worker");
  const root = bench.workspace;
  return PROMISES.map((name, at) => ({
    name: `and ${name}`,
    command: [program, root, PROMISES.slice(0, at + 1).join(",")],
    readTool: "read_file",
  }));
}

async function measure(server: Server): Promise<Row> {
  const started = performance.now();
  await using session = await ReadingSession.openCold(server, file.path);
  const firstMs = performance.now() - started;
  const earlyMs = median(await callsOf(session, FIRST_CALLS));
  await callsOf(session, 2000);
  const warmMs = median(await callsOf(session, 1000));
  // Those of a process that has answered some.
  await pingsOf(session, 2000);
  const inPings = warmMs / median(await pingsOf(session, 1000));
  return {
    firstMs,
    earlyMs,
    warmMs,
    inPings,
    earlyPerSecond: await earlyRate(server),
    perSecond: await rate(session, BURST),
  };
}

async function earlyRate(server: Server): Promise<number> {
  await using session = await ReadingSession.openCold(server, file.path);
  return await rate(session, FIRST_BURST);
}

async function rate(session: ReadingSession, most: number): Promise<number> {
  const { calls, ms } = await session.run(DEPTH, { calls: most });
  return (calls / ms) * 1000;
}

interface Beside {
  readonly aloneMs: number;
  readonly togetherMs: number;
}

/** The mean call of one process, and of four that are asked at once. */
async function besideOthers(server: Server): Promise<Beside> {
  await using hosts = await openHosts(server, file.path);
  return { aloneMs: await meanCallMs(hosts, 1), togetherMs: await meanCallMs(hosts) };
}

function show(): void {
  console.log(
    "In brackets: in times of the reference. From the start to the first answer; a call of the first 300; a warm call; the same in " +
      "pings of its process; the first 1,500 with 64 in flight; later ones; a call beside three other processes, in calls of one alone.",
  );
  for (const { name } of servers)
    console.log(
      name.padEnd(14) +
        inTimes(name, ({ firstMs }) => firstMs, "ms", 1) +
        inTimes(name, ({ earlyMs }) => earlyMs * 1000, "us") +
        inTimes(name, ({ warmMs }) => warmMs * 1000, "us") +
        `${middle(name, ({ inPings }) => inPings).toFixed(1)} pings`.padStart(11) +
        inTimes(name, ({ earlyPerSecond }) => earlyPerSecond, "/s") +
        inTimes(name, ({ perSecond }) => perSecond, "/s") +
        besideText(beside.get(name) ?? []),
    );
}

function besideText(rounds: readonly Beside[]): string {
  const together = median(rounds.map(({ togetherMs }) => togetherMs)) * 1000;
  const times = median(rounds.map(({ aloneMs, togetherMs }) => togetherMs / aloneMs));
  return `${together.toFixed(0)} us (${times.toFixed(1)} alone)`.padStart(22);
}

function middle(name: string, pick: (row: Row) => number): number {
  return median((rows.get(name) ?? []).map(pick));
}

function inTimes(name: string, pick: (row: Row) => number, unit: string, digits = 0): string {
  const [own, others] = [middle(name, pick), middle(bench.reference.name, pick)];
  return `${own.toFixed(digits)} ${unit} (${(own / others).toFixed(2)})`.padStart(18);
}

/** A program of floor/ and its workers, as one executable. */
function compile(main: string, ...workers: string[]): string {
  const folder = join(import.meta.dir, "floor");
  const out = join(bench.workspace, "programs", main);
  mkdirSync(join(bench.workspace, "programs"), { recursive: true });
  const sources = [main, ...workers].map((name) => join(folder, `${name}.ts`));
  const args = ["build", ...sources, `--root=${folder}`, "--compile", "--minify", "--format=esm", "--bytecode"];
  const { status, stderr } = spawnSync(process.execPath, [...args, `--outfile=${out}`]);
  if (status !== 0) throw new Error(`Cannot compile ${main}: ${stderr.toString()}`);
  return out;
}
