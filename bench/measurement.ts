/**
 * What a measure hands to the table: one number for ringfence, maybe one for the reference, maybe a target.
 * Units: MB are 1,048,576 bytes, as the kernel counts memory.
 */
export interface Measurement {
  readonly measure: string;
  readonly unit: "us" | "ms" | "calls/s" | "MB" | "times" | "%";
  readonly ours: number;
  /** Absent when the reference has no such thing, for example a hash. */
  readonly reference?: number;
  readonly target?: Target;
  /** How it was measured, where the name does not say it: counts, spread, durations. */
  readonly detail?: string;
  /** What the numbers are medians of, in the order of measuring; pairs when both were measured. */
  readonly samples?: Samples;
}

export interface Samples {
  readonly ours: readonly number[];
  readonly reference: readonly number[];
}

export type Target =
  /** ours divided by the reference, for what should be small. */
  | { readonly kind: "ratio_at_most"; readonly value: number }
  /** ours divided by the reference, for what should be large. */
  | { readonly kind: "ratio_at_least"; readonly value: number }
  /** In the unit of the measurement. */
  | { readonly kind: "at_most"; readonly value: number };

export function ratioOf(row: Measurement): number | undefined {
  return row.reference === undefined ? undefined : row.ours / row.reference;
}

/** Undefined without a target, and when a target is a ratio and there is nothing to compare with. */
export function isMet(row: Measurement): boolean | undefined {
  const { target } = row;
  if (target === undefined) return undefined;
  if (target.kind === "at_most") return row.ours <= target.value;
  const ratio = ratioOf(row);
  if (ratio === undefined) return undefined;
  return target.kind === "ratio_at_most" ? ratio <= target.value : ratio >= target.value;
}
