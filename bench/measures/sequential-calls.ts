/**
 * One `read_file` of a 3 KB file after the other: what an agent's turn waits for.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const FILE_BYTES = 3000;
const ROUNDS = 7;
const CALLS = 3000;

export async function measureSequentialCalls(bench: Bench): Promise<Measurement[]> {
  using file = makeTextFile(bench.workspace, "small.ts", FILE_BYTES);
  await using ours = await ReadingSession.open(bench.ours, file.path);
  await using reference = await ReadingSession.open(bench.reference, file.path);
  const callMs = async (session: ReadingSession): Promise<number> => {
    const { calls, ms } = await session.run(1, { calls: CALLS });
    return ms / calls;
  };
  const samples = await alternate(
    ROUNDS,
    () => callMs(ours),
    () => callMs(reference),
  );
  return [
    {
      measure: "read_file 3 KB, one at a time",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 / 3 },
      ...compare(samples, `a call; median of ${ROUNDS} x ${CALLS} calls`),
    },
  ];
}
