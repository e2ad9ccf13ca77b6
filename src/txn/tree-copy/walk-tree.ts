/**
 * A directory tree, entry by entry and by handle, for copying, deleting and fingerprinting. Iterative, because a tree
 * may be deeper than any stack; links are entries, never followed; denied entries make the whole operation fail, because
 * moving them out of the rule's reach would get around it.
 */
import { lstatSync, type BigIntStats } from "node:fs";
import { type Cancel, createSha256, Failure, limits, throwIfStopped } from "../../base/index.ts";
import { fsName, quotable, readDirectory, type Located, type Scope } from "../../scope/index.ts";

export interface TreeEntry {
  readonly at: Located;
  /** Path below the top of the tree. */
  readonly below: string;
  readonly stat: BigIntStats;
}

/** Every entry below `top`, a directory before what it holds, siblings by name. @throws Failure `too_large`, `denied` */
export function* walkTree(scope: Scope, top: Located, cancel: Cancel): Generator<TreeEntry> {
  const pending: { at: Located; below: string }[] = [{ at: top, below: "" }];
  let count = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    throwIfStopped(cancel, "the walk of a tree");
    const entries = listSorted(scope, next.at);
    for (const entry of entries) {
      if (++count > limits.MAX_TREE_ENTRIES)
        throw new Failure(
          "too_large",
          `Cannot take the tree "${quotable(scope.show(top))}" as one: it has more than ${limits.MAX_TREE_ENTRIES} entries`,
        );
      const below = next.below === "" ? entry.name : `${next.below}/${entry.name}`;
      yield { at: entry.at, below, stat: entry.stat };
      if (entry.stat.isDirectory()) pending.push({ at: entry.at, below });
    }
  }
}

/** One hash over names, types, sizes and times: a tree that was touched since has another. */
export function fingerprintTree(
  scope: Scope,
  top: Located,
  cancel: Cancel,
): { hash: string; entries: number; bytes: number } {
  const hash = createSha256();
  let entries = 0;
  let bytes = 0;
  for (const { below, stat } of walkTree(scope, top, cancel)) {
    entries++;
    if (stat.isFile()) bytes += Number(stat.size);
    const size = stat.isDirectory() ? 0n : stat.size;
    hash.update(`${below}\0${stat.mode}\0${size}\0${stat.isDirectory() ? 0n : stat.mtimeNs}\n`);
  }
  return { hash: hash.digest("hex"), entries, bytes };
}

function listSorted(scope: Scope, at: Located): { name: string; at: Located; stat: BigIntStats }[] {
  using directory = scope.openDirectory(at, "walk", "refuse");
  const found: { name: string; at: Located; stat: BigIntStats }[] = [];
  for (const { name } of readDirectory(directory)) {
    const child = scope.child(at, name);
    if (scope.denies(child))
      throw new Failure(
        "denied",
        `Cannot take the tree "${quotable(scope.show(at))}" as one: a deny rule covers something in it`,
      );
    const stat = lstatSync(fsName(`${directory.path}/${name}`), { bigint: true, throwIfNoEntry: false });
    if (stat) found.push({ name, at: child, stat });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
