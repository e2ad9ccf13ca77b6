/**
 * From spawning the server to its answer to `initialize`: what a person waits for when a client starts. With the kernel
 * fence, as it is by default, and without; what the fence adds is the difference of the two, round by round.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { median, quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";

const ROUNDS = 21;

export async function measureStart({ ours, reference }: Bench): Promise<Measurement[]> {
  const unfenced = { ...ours, command: [...ours.command, "--fence=off"] };
  // Once each before, so that all programs are in the page cache.
  for (const server of [ours, unfenced, reference]) await startMs(server);
  const fencedMs: number[] = [];
  const samples = await alternate(
    ROUNDS,
    async () => {
      fencedMs.push(await startMs(ours));
      return await startMs(unfenced);
    },
    async () => await startMs(reference),
  );
  const added = fencedMs.map((ms, at) => ms - (samples.ours[at] ?? Number.NaN));
  const shown = (ms: readonly number[]): string => `median of ${ROUNDS}; ours p90 ${quantile(ms, 0.9).toFixed(1)} ms`;
  return [
    {
      measure: "spawn to answered initialize, no fence",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 / 12 },
      ...compare(samples, shown(samples.ours)),
    },
    {
      measure: "spawn to answered initialize, fenced",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 / 9 },
      ...compare({ ours: fencedMs, reference: samples.reference }, shown(fencedMs)),
    },
    {
      measure: "what the fence adds to it",
      unit: "ms",
      ours: median(added),
      target: { kind: "at_most", value: 20 },
      detail: `median of ${ROUNDS} differences; p90 ${quantile(added, 0.9).toFixed(1)} ms`,
    },
  ];
}

async function startMs(server: Server): Promise<number> {
  const started = performance.now();
  await using client = new RawClient(server);
  await client.initialize();
  return performance.now() - started;
}
