/**
 * What lies in a directory that is taken as one, after the earlier changes of a set: how much it is, what a person is told of
 * it, and every name in it, for who decides about names.
 */
import type { TreeMembers } from "./part.ts";
import type { Sealing } from "./context.ts";
import type { Target } from "./target.ts";
import type { TreeSize } from "./losses.ts";
import { walkView } from "./walk-view.ts";

interface TreeFacts extends TreeSize {
  readonly size: { readonly size_before?: number };
  readonly tree: TreeMembers;
}

export function treeSize(target: Target, ctx: Sealing): TreeFacts {
  const known = { entries: 0, bytes: 0, special: [], hasOthers: false, tree: { below: [], shared: [] } };
  if (target.before.kind === "file") {
    const bytes = target.before.size;
    return { ...known, bytes, size: { size_before: bytes } };
  }
  if (target.before.kind !== "directory") return { ...known, size: {} };
  const me = BigInt(process.getuid?.() ?? 0);
  const special: string[] = [];
  const tree = { below: [] as string[], shared: [] as string[] };
  let [entries, bytes, hasOthers] = [0, 0, false];
  for (const { below, stat, ...entry } of walkView(ctx, target)) {
    entries++;
    bytes += entry.bytes;
    tree.below.push(below);
    if (stat?.isFile() && stat.nlink > 1n) tree.shared.push(`${stat.dev}:${stat.ino}`);
    if (stat && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) special.push(below);
    if (stat && stat.uid !== me) hasOthers = true;
  }
  return { entries, bytes, special, hasOthers, tree, size: { size_before: bytes } };
}
