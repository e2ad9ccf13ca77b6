/**
 * From spawning the server to its answer to `initialize`: what a person waits for when a client starts.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";

const ROUNDS = 21;

export async function measureStart({ ours, reference }: Bench): Promise<Measurement[]> {
  // Once each before, so that both programs are in the page cache.
  await startMs(ours);
  await startMs(reference);
  const samples = await alternate(
    ROUNDS,
    () => startMs(ours),
    () => startMs(reference),
  );
  const p90 = quantile(samples.ours, 0.9).toFixed(1);
  return [
    {
      measure: "spawn to answered initialize",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 / 12 },
      ...compare(samples, `median of ${ROUNDS}; ours p90 ${p90} ms`),
    },
  ];
}

async function startMs(server: Server): Promise<number> {
  const started = performance.now();
  await using client = new RawClient(server);
  await client.initialize();
  return performance.now() - started;
}
