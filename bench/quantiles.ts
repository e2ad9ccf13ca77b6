/**
 * Order statistics of samples. Medians and not means: on a machine that others use, a mean measures the others.
 */

/** The middle value, or the mean of the two in the middle. @throws RangeError without samples */
export function median(samples: readonly number[]): number {
  const sorted = sortSamples(samples);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return (low + high) / 2;
}

/** The smallest sample that at least this share of all samples does not exceed (nearest rank). @throws RangeError */
export function quantile(samples: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`Cannot take the quantile ${share}: it must be 0 to 1`);
  const sorted = sortSamples(samples);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function sortSamples(samples: readonly number[]): number[] {
  if (samples.length === 0) throw new RangeError("Cannot take a quantile: there are no samples");
  return [...samples].sort((a, b) => a - b);
}
