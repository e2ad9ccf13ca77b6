/**
 * Some hundred random pairs of a query and a tree, from one seed. Trees are shared by ten queries, because making one
 * costs as much as searching it.
 */
import { fc } from "../property.ts";
import { differencesOf } from "./differential-compare.ts";
import { randomQuery } from "./differential-queries.ts";
import { randomTree } from "./differential-trees.ts";

const QUERIES_PER_TREE = 10;

export interface ChunkAnswer {
  /** Differences in the first tree that shows any; they are taken for faults of our engine. */
  readonly differences: readonly string[];
  /** In which ripgrep errs. They end nothing: what comes behind them is compared too. */
  readonly ripgrepsOwn: readonly string[];
}

export async function differencesOfChunk(seed: number, pairs: number): Promise<ChunkAnswer> {
  const cases = fc.tuple(
    randomTree,
    fc.array(randomQuery, { minLength: QUERIES_PER_TREE, maxLength: QUERIES_PER_TREE }),
  );
  const ripgrepsOwn: string[] = [];
  for (const [tree, queries] of fc.sample(cases, { seed, numRuns: Math.ceil(pairs / QUERIES_PER_TREE) })) {
    const found = await differencesOf(tree, queries);
    ripgrepsOwn.push(...found.filter((one) => one.isRipgrepsOwn).map(({ text }) => text));
    const differences = found.filter((one) => !one.isRipgrepsOwn).map(({ text }) => text);
    if (differences.length > 0) return { differences, ripgrepsOwn };
  }
  return { differences: [], ripgrepsOwn };
}
