/**
 * Four servers at once, each asked one small read after the other: what four clients on one machine cost each other. A
 * server that stays awake while it waits takes the time of its neighbours.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../quantiles.ts";
import { callsOf, ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const HOSTS = 4;
const ROUNDS = 5;
const CALLS = 1000;

export async function measureFourHosts(bench: Bench): Promise<Measurement[]> {
  using file = makeTextFile(bench.workspace, "small.ts", 3000);
  await using ours = await openHosts(bench.ours, file.path);
  await using reference = await openHosts(bench.reference, file.path);
  const alone = await alternate(
    ROUNDS,
    async () => await meanCallMs(ours, 1),
    async () => await meanCallMs(reference, 1),
  );
  const together = await alternate(
    ROUNDS,
    async () => await meanCallMs(ours),
    async () => await meanCallMs(reference),
  );
  const slower = (side: "ours" | "reference"): number[] => together[side].map((ms) => ms / median(alone[side]));
  return [
    {
      measure: `a read with ${HOSTS} servers at once`,
      unit: "ms",
      ...compare(together, `the mean call; median of ${ROUNDS} x ${CALLS} calls each`),
    },
    {
      measure: `a read with ${HOSTS} servers at once, in reads of one alone`,
      unit: "times",
      target: { kind: "ratio_at_most", value: 1 },
      ...compare({ ours: slower("ours"), reference: slower("reference") }, `median of ${ROUNDS}`),
    },
  ];
}

export interface Hosts extends AsyncDisposable {
  readonly all: readonly ReadingSession[];
}

/** Four processes of one server, warmed up. */
export async function openHosts(server: Server, path: string): Promise<Hosts> {
  const all: ReadingSession[] = [];
  for (let host = 0; host < HOSTS; host++) all.push(await ReadingSession.open(server, path));
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const session of all) await session[Symbol.asyncDispose]();
    },
  };
}

/** The mean call of so many sessions that run side by side. */
export async function meanCallMs({ all }: Hosts, hosts: number = HOSTS): Promise<number> {
  const calls = await Promise.all(all.slice(0, hosts).map(async (session) => await callsOf(session, CALLS)));
  const taken = calls.flat();
  return taken.reduce((sum, ms) => sum + ms, 0) / taken.length;
}
