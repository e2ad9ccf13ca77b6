/**
 * Where an object is, or where it would be if it were made: what does not exist yet is named below its deepest ancestor
 * that does. The ancestor is opened like everything else, so links on the way cannot lead out.
 *
 * Usual mistake: to take a link that leads nowhere for a free name. A write would follow it, out of the roots.
 */
import { lstatSync } from "node:fs";
import { Failure } from "../base/index.ts";
import type { Located } from "./backend.ts";
import { deepestThere, denied, notFound } from "./scope-failure.ts";
import type { Scope } from "./scope.ts";

/**
 * @throws Failure as for what exists; `not_found` for a link that leads nowhere, for a name below a file, and for `..`
 *   behind what does not exist
 */
export function resolveNew(scope: Scope, at: Located, verb: string): Located {
  try {
    return scope.resolve(at, verb);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    const names = at.rel.split("/");
    if (at.rel === "" || names.includes("..")) throw thrown;
    return wouldBe(scope, at, names, verb);
  }
}

function wouldBe(scope: Scope, at: Located, names: readonly string[], verb: string): Located {
  const above = (depth: number): Located => ({ ...at, rel: names.slice(0, depth).join("/") });
  const depth = deepestThere(names.length - 1, (level) => {
    using directory = scope.tryDirectory(above(level));
    return directory !== undefined;
  });
  using place = scope.place({ ...above(depth + 1), mustBeDirectory: false }, verb);
  if (lstatSync(place.entry, { throwIfNoEntry: false }))
    throw notFound(scope, at, verb, "what has its name there cannot be followed");
  const missing = names.slice(depth + 1).reduce((parent, name) => scope.child(parent, name), place.at);
  // The words that were asked for were compared with the rules before; these are those that the links lead to.
  if (scope.denies(missing)) throw denied(at, verb, false);
  return { ...missing, asked: at.asked };
}
