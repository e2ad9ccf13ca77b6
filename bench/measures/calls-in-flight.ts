/**
 * `read_file` of a 3 KB file with 64 calls in flight: how much a server does when it is asked for much at once.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const FILE_BYTES = 3000;
const DEPTH = 64;
const ROUNDS = 5;
/** Long enough for garbage collection to be a part of it, on both sides. */
const RUN_MS = 3000;

export async function measureCallsInFlight(bench: Bench): Promise<Measurement[]> {
  using file = makeTextFile(bench.workspace, "small.ts", FILE_BYTES);
  await using ours = await ReadingSession.open(bench.ours, file.path);
  await using reference = await ReadingSession.open(bench.reference, file.path);
  const rate = async (session: ReadingSession): Promise<number> => {
    const { calls, ms } = await session.run(DEPTH, { ms: RUN_MS });
    return (calls / ms) * 1000;
  };
  const samples = await alternate(
    ROUNDS,
    () => rate(ours),
    () => rate(reference),
  );
  return [
    {
      measure: `read_file 3 KB, ${DEPTH} in flight`,
      unit: "calls/s",
      target: { kind: "ratio_at_least", value: 5 },
      ...compare(samples, `median of ${ROUNDS} x ${RUN_MS / 1000} s`),
    },
  ];
}
