/**
 * What a conversation feels: the first read after a start, the next three hundred, one after the other, and many at once
 * while nothing has been compiled yet; then the same of a process that has run for a while, beside its ping. Each round is
 * a fresh process of both servers.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench, Server } from "../bench.ts";
import type { Measurement, Samples } from "../measurement.ts";
import { median, quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { callsOf, pingsOf, ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const FILE_BYTES = 3000;
const ROUNDS = 15;
const FIRST_CALLS = 300;
const DEPTH = 64;
const FIRST_BURST = 1500;
const WARM_CALLS = 2000;
const PINGS = 1000;
/** No model answers sooner. */
const MODEL_MS = 300;

export async function measureFirstCalls(bench: Bench): Promise<Measurement[]> {
  using file = makeTextFile(bench.workspace, "small.ts", FILE_BYTES);
  const begin = async (server: Server): Promise<Begun> => await measureBeginning(server, file.path);
  await begin(bench.ours);
  const [ours, reference]: [Begun[], Begun[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await begin(bench.ours));
    reference.push(await begin(bench.reference));
  }
  const samplesOf = (pick: (begun: Begun) => number): Samples => ({
    ours: ours.map(pick),
    reference: reference.map(pick),
  });
  const how = `median of ${ROUNDS} processes`;
  return [
    {
      measure: "spawn to the first read's answer",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 / 6 },
      ...compare(
        samplesOf(({ toFirstMs }) => toFirstMs),
        how,
      ),
    },
    {
      measure: `the first ${FIRST_CALLS} reads of 3 KB, the median call`,
      unit: "ms",
      target: { kind: "ratio_at_most", value: 0.6 },
      ...compare(
        samplesOf(({ calls }) => median(calls)),
        `${how}; ours p90 ${quantile(
          ours.flatMap(({ calls }) => calls),
          0.9,
        ).toFixed(2)} ms`,
      ),
    },
    {
      measure: `the first ${FIRST_CALLS} reads of 3 KB, together`,
      unit: "ms",
      ...compare(
        samplesOf(({ calls }) => calls.reduce((sum, ms) => sum + ms, 0)),
        how,
      ),
    },
    await measureAfterList(bench, file.path),
    await measureFirstBurst(bench, file.path),
    ...(await measureWarm(bench, file.path)),
  ];
}

interface Begun {
  readonly toFirstMs: number;
  readonly calls: readonly number[];
}

async function measureBeginning(server: Server, path: string): Promise<Begun> {
  const started = performance.now();
  await using session = await ReadingSession.openCold(server, path);
  const toFirstMs = performance.now() - started;
  return { toFirstMs, calls: await callsOf(session, FIRST_CALLS) };
}

/** As agents do it: they list the tools when they start, and call one when a model has answered. */
async function measureAfterList({ ours, reference }: Bench, path: string): Promise<Measurement> {
  const firstMs = async (server: Server): Promise<number> => {
    await using client = await RawClient.open(server);
    await client.request("tools/list");
    await Bun.sleep(MODEL_MS);
    const started = performance.now();
    await client.request("tools/call", { name: server.readTool, arguments: { path } });
    return performance.now() - started;
  };
  const samples = await alternate(
    ROUNDS,
    async () => await firstMs(ours),
    async () => await firstMs(reference),
  );
  return {
    measure: `the first read, ${MODEL_MS} ms after tools/list`,
    unit: "ms",
    ...compare(samples, `median of ${ROUNDS} processes`),
  };
}

async function measureFirstBurst({ ours, reference }: Bench, path: string): Promise<Measurement> {
  const rate = async (server: Server): Promise<number> => {
    await using session = await ReadingSession.openCold(server, path);
    const { calls, ms } = await session.run(DEPTH, { calls: FIRST_BURST });
    return (calls / ms) * 1000;
  };
  const samples = await alternate(
    ROUNDS,
    async () => await rate(ours),
    async () => await rate(reference),
  );
  return {
    measure: `the first ${FIRST_BURST.toLocaleString("en-US")} reads of 3 KB, ${DEPTH} in flight`,
    unit: "calls/s",
    target: { kind: "ratio_at_least", value: 3 },
    ...compare(samples, `median of ${ROUNDS} processes`),
  };
}

/** The ping and the reads of one process of ours, in turn with the reads of the reference. */
async function measureWarm(bench: Bench, path: string): Promise<Measurement[]> {
  await using ours = await ReadingSession.open(bench.ours, path);
  await using reference = await ReadingSession.open(bench.reference, path);
  const pings: number[] = [];
  const samples = await alternate(
    ROUNDS,
    async () => {
      pings.push(median(await pingsOf(ours, PINGS)));
      return median(await callsOf(ours, WARM_CALLS));
    },
    async () => median(await callsOf(reference, WARM_CALLS)),
  );
  const inPings = samples.ours.map((ms, at) => ms / (pings[at] ?? Number.NaN));
  return [
    {
      measure: "a warm read of 3 KB, the median call",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 0.4 },
      ...compare(samples, `median of ${ROUNDS} x ${WARM_CALLS} calls`),
    },
    {
      measure: "a warm read in pings of the same process",
      unit: "times",
      ours: median(inPings),
      target: { kind: "at_most", value: 2 },
      detail: `a ping takes ${(median(pings) * 1000).toFixed(0)} us`,
    },
  ];
}
