/**
 * Opening and closing a file through the scope's handle, against a plain open of its absolute path: what containment
 * costs at the lowest level. Measured inside one process, because on the wire the difference would drown.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { compare } from "../alternate.ts";
import type { Measurement, Samples } from "../measurement.ts";

const PROBE = join(import.meta.dir, "..", "probes", "open-cost.ts");

export function measureOpenCost(): Promise<Measurement[]> {
  const probe = spawnSync(process.execPath, [PROBE], { encoding: "utf8" });
  if (probe.status !== 0) throw new Error(`Cannot measure the cost of an open: ${probe.stderr}`);
  const samples = JSON.parse(probe.stdout) as Samples;
  return Promise.resolve([
    {
      measure: "open and close by handle, against a plain open",
      unit: "us",
      target: { kind: "ratio_at_most", value: 1.2 },
      ...compare(samples, `median of ${samples.ours.length} x 20,000, warm`),
    },
  ]);
}
