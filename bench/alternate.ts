/**
 * Two things in turn, A B A B: whatever else the machine does meanwhile then falls on both.
 */
import type { Samples } from "./measurement.ts";
import { median } from "./quantiles.ts";
import { formatRatio } from "./table.ts";

export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<Samples> {
  const samples = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    samples.ours.push(await ours());
    samples.reference.push(await reference());
  }
  return samples;
}

/** What a comparison says of its samples: the medians, and between which ratios the pairs lay. */
export function compare(
  samples: Samples,
  detail: string,
): {
  readonly ours: number;
  readonly reference: number;
  readonly samples: Samples;
  readonly detail: string;
} {
  const ratios = samples.ours.map((ours, at) => ours / (samples.reference[at] ?? Number.NaN));
  const range = `${formatRatio(Math.min(...ratios))} to ${formatRatio(Math.max(...ratios))}`;
  return {
    ours: median(samples.ours),
    reference: median(samples.reference),
    samples,
    detail: `${detail}; pairs ${range}`,
  };
}
