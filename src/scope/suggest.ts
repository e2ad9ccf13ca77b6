/**
 * "Did you mean": the nearest existing names in the deepest directory of a missing path that does exist. They are only
 * named, never opened instead, and nothing that is denied or outside is ever named.
 */
import { readdirSync } from "node:fs";
import { nearestNames } from "../text/index.ts";
import { deepestThere } from "./deepest-there.ts";
import { fsName, nameFromBytes } from "../sys/index.ts";
import type { Located } from "./located.ts";
import type { Scope } from "./scope.ts";

const MAX_SUGGESTIONS = 3;
/** Names looked at: a hint is not worth more than a few milliseconds. */
const MAX_NAMES = 5000;

export function suggestPaths(scope: Scope, at: Located): string[] {
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

function listNames(scope: Scope, at: Located): string[] | undefined {
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
