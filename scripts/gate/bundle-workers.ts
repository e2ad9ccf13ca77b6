/**
 * The workers and the launcher as few files instead of hundreds, for the hosts of tests. Every test that opens a host starts some of
 * them, and from the sources each start reads and compiles the same sources again: most of the time of such a test goes there.
 * `test/bundled-workers.ts` has the program start them from here. A test that is run by hand starts the sources.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** @returns the folder, which is made anew and has `read.js`, `launcher.js` and the others */
export async function bundleWorkers(root: string): Promise<string> {
  const folder = join(root, "dist", "workers");
  rmSync(folder, { recursive: true, force: true });
  const workers = join(root, "workers");
  const built = await Bun.build({
    entrypoints: readdirSync(workers).map((name) => join(workers, name)),
    outdir: folder,
    // What is no code, such as engines of expressions, is found from wherever the program runs.
    publicPath: `${folder}/`,
    target: "bun",
    format: "esm",
    splitting: true,
  });
  if (!built.success) throw new Error(`Cannot bundle the workers:\n${built.logs.map(String).join("\n")}`);
  return folder;
}
