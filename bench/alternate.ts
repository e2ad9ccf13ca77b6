/**
 * Two things in turn, A B A B: whatever else the machine does meanwhile then falls on both.
 */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ readonly ours: number[]; readonly reference: number[] }> {
  const samples = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    samples.ours.push(await ours());
    samples.reference.push(await reference());
  }
  return samples;
}
