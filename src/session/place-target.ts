/**
 * A caller's path as rules are matched against it: below the root that holds it by its words. What it leads to is known
 * where it is opened, and decided there once more; nothing is looked at here, so nothing outside can be told apart.
 */
import { posix } from "node:path";
import { realPathOf } from "../base/index.ts";
import { isPath, type TargetPlace, type PlacedTarget, type Target } from "../policy/index.ts";
import type { RootSpec } from "../scope/index.ts";

export type PlacePath = (path: string) => TargetPlace;

/** What is no path is where it is. */
export function placeTarget<T extends Target>(target: T, place: PlacePath): T & PlacedTarget {
  return isPath<Target>(target) ? { ...target, ...place(target.path) } : target;
}

export function createPlacePath(roots: readonly RootSpec[]): PlacePath {
  const rootOf = new Map(
    roots.flatMap(({ path }) => [path, realPathOf(path)].map((base) => [base, realPathOf(path)] as const)),
  );
  const [first = "/"] = rootOf.keys();
  // Of nested roots the innermost one holds a path.
  const places = [...rootOf]
    .map(([base, root]) => ({ base, below: base.endsWith("/") ? base : `${base}/`, root }))
    .sort((a, b) => b.base.length - a.base.length);
  // Several steps of a call ask for the same path.
  let last: { readonly path: string; readonly place: TargetPlace } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, place: placeOf(path) };
    return last.place;
  };

  function placeOf(path: string): TargetPlace {
    const absolute = posix.resolve(first, path);
    const held = places.find(({ base, below }) => absolute === base || absolute.startsWith(below));
    return held ? { rel: absolute.slice(held.below.length), absolute, root: held.root } : {};
  }
}
