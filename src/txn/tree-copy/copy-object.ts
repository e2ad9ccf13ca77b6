/**
 * Copies what lies in a root to a fresh name, by handle: nothing on the way to any of its entries can be swapped for a
 * link, and an entry under a deny rule makes the whole copy fail.
 */
import { lstatSync } from "node:fs";
import type { Place, Scope } from "../../scope/index.ts";
import { copyEntries, type CopyOptions, type SourceEntry } from "./copy-tree.ts";
import { walkTree } from "./walk-tree.ts";

export type { CopyOptions } from "./copy-tree.ts";

/** `destination` must not exist; on failure nothing is left of it. */
export function copyObject(
  scope: Scope,
  { entry, at }: Place,
  destination: string | Buffer,
  options: CopyOptions,
): void {
  const stat = lstatSync(entry, { bigint: true });
  function* inside(): Generator<SourceEntry> {
    for (const { at: below, ...found } of walkTree(scope, at, options.cancel)) {
      using place = scope.place(below, "copy");
      yield { below: found.below, stat: found.stat, entry: place.entry };
    }
  }
  copyEntries({ entry, stat, inside }, destination, options);
}
