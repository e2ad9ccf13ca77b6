/**
 * Some hundred random pairs of a query and a tree, from one seed. Trees are shared by ten queries, because making one
 * costs as much as searching it.
 */
import fc from "fast-check";
import { differencesOf } from "./differential-compare.ts";
import { randomQuery } from "./differential-queries.ts";
import { randomTree } from "./differential-trees.ts";

const QUERIES_PER_TREE = 10;

/** The differences of the first tree that shows any, with the files that they are about; none when all agree. */
export async function differencesOfChunk(seed: number, pairs: number): Promise<string[]> {
  const cases = fc.tuple(
    randomTree,
    fc.array(randomQuery, { minLength: QUERIES_PER_TREE, maxLength: QUERIES_PER_TREE }),
  );
  for (const [tree, queries] of fc.sample(cases, { seed, numRuns: Math.ceil(pairs / QUERIES_PER_TREE) })) {
    const differences = await differencesOf(tree, queries);
    if (differences.length > 0) return differences;
  }
  return [];
}
