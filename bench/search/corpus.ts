/**
 * The tree that is searched, and a server that reaches it. Nothing is written into it.
 *
 * One file of the Linux sources is named as a private key, which no tool may see; the server is told that it is none, so
 * that all programs see the same files.
 */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withRoot, type Bench, type Server } from "../bench.ts";

export interface Corpus {
  readonly tree: string;
  readonly server: Server;
}

const NO_SECRETS: readonly string[] = ["tools/testing/selftests/sgx/sign_key.pem"];

/** @throws Error without a tree, or when git's ignore files would not hold in it */
export function openCorpus({ ours, tree, workspace }: Bench): Corpus {
  if (tree === undefined)
    throw new Error(
      "Cannot measure searches: give a tree by --tree or RINGFENCE_BENCH_TREE (see bench/search/README.md)",
    );
  if (!existsSync(join(tree, ".git")))
    throw new Error(`Cannot measure searches: run "git init" in ${tree}, or .gitignore files do not count`);
  const config = join(dirname(workspace), "search.json");
  writeFileSync(config, JSON.stringify({ secrets: { except: NO_SECRETS } }));
  const { command, ...rest } = withRoot(ours, tree);
  return { tree, server: { ...rest, command: [...command, "--config", config] } };
}
