/**
 * How deep a path exists, in few looks: where a directory is missing all below it is missing too. A path may have two
 * thousand levels, and a look at each of them from each of them takes minutes.
 *
 * The level above the end comes first, because that is nearly always it.
 */

/** @param isThere asked of 1 to `levels`. @returns the deepest level that is there, 0 for none */
export function deepestThere(levels: number, isThere: (level: number) => boolean): number {
  if (levels === 0 || isThere(levels)) return levels;
  let [there, missing] = [0, levels];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (isThere(middle)) there = middle;
    else missing = middle;
  }
  return there;
}
