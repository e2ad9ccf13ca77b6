/**
 * The tree that is searched, and a server that reaches it. Nothing is written into it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withRoot, type Bench, type Server } from "../bench.ts";

export interface Corpus {
  readonly tree: string;
  readonly server: Server;
}

/** @throws Error without a tree, or when git's ignore files would not hold in it */
export function openCorpus({ ours, tree }: Bench): Corpus {
  if (tree === undefined)
    throw new Error(
      "Cannot measure searches: give a tree by --tree or RINGFENCE_BENCH_TREE (see bench/search/README.md)",
    );
  if (!existsSync(join(tree, ".git")))
    throw new Error(`Cannot measure searches: run "git init" in ${tree}, or .gitignore files do not count`);
  return { tree, server: withRoot(ours, tree) };
}
