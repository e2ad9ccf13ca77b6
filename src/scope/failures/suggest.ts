/**
 * "Did you mean": the nearest existing names in the deepest directory of a missing path that does exist. They are only
 * named, never opened instead, and nothing that is denied or outside is ever named.
 */
import type { OpenRoot } from "../backends/backend.ts";
import { readdirSync } from "node:fs";
import { fsName, nameFromBytes } from "../../sys/index.ts";
import { nearestNames } from "../../text/index.ts";
import type { Located, OpenDirectory } from "../located.ts";

/** What a failure asks of the scope that it came from. */
export interface ScopeOfFailure {
  readonly isGone: (root: OpenRoot) => boolean;
  readonly tryDirectory: (at: Located) => OpenDirectory | undefined;
  readonly denies: (at: Located) => boolean;
  readonly child: (at: Located, name: string) => Located;
  readonly show: (at: Located) => string;
}

const MAX_SUGGESTIONS = 3;
/** Names looked at: a hint is not worth more than a few milliseconds. */
const MAX_NAMES = 5000;

export function suggestPaths(scope: ScopeOfFailure, at: Located): string[] {
  const names = at.rel.split("/");
  if (names.includes("..")) return [];
  const parentAt = (depth: number): Located => ({
    ...at,
    rel: names.slice(0, depth).join("/"),
    mustBeDirectory: false,
  });
  const depth = deepestThere(names.length - 1, (level) => {
    using directory = scope.tryDirectory(parentAt(level));
    return directory !== undefined;
  });
  const parent = parentAt(depth);
  const found = listNames(scope, parent) ?? [];
  const wanted = names[depth] ?? "";
  return nearestNames(wanted, found, MAX_SUGGESTIONS).map((name) => scope.show(scope.child(parent, name)));
}

function listNames(scope: ScopeOfFailure, at: Located): string[] | undefined {
  // A plain refusal, not `openDirectory`: its failure would come back here for suggestions.
  const opened = scope.tryDirectory(at);
  if (!opened) return undefined;
  using directory = opened;
  try {
    // What is denied is told by the directory's own path, not by the one that may lead through a link.
    return readdirSync(fsName(directory.path), { encoding: "buffer" })
      .slice(0, MAX_NAMES)
      .map(nameFromBytes)
      .filter((name) => !scope.denies(scope.child(directory.at, name)));
  } catch {
    return undefined;
  }
}

/**
 * How deep a path exists, in few looks: where a directory is missing all below it is missing too. A path may have two
 * thousand levels, and a look at each of them from each of them takes minutes. The level above the end comes first, because
 * that is nearly always it.
 *
 * @param isThere asked of 1 to `levels`. @returns the deepest level that is there, 0 for none
 */
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
