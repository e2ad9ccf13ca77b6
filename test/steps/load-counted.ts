/**
 * A module of the project and everything it imports, packages too, once more and with counters in it. It is a bundle of
 * its own: what other tests import is as it was.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { insertCounters } from "./insert-counters.ts";
import { installCounter } from "./step-counter.ts";

const ROOT = join(import.meta.dir, "../..");
const loaded = new Map<string, Promise<unknown>>();

/** @param path from the root of the project */
export async function loadCounted<Module>(path: string): Promise<Module> {
  const known = loaded.get(path) ?? load(path);
  loaded.set(path, known);
  // The type is that of the same file.
  return (await known) as Module;
}

async function load(path: string): Promise<unknown> {
  installCounter();
  const outdir = mkdtempSync(join(tmpdir(), "ringfence-steps-"));
  try {
    const { outputs } = await Bun.build({
      entrypoints: [resolve(ROOT, path)],
      outdir,
      target: "bun",
      plugins: [
        {
          name: "counters",
          setup: (build) => {
            // A module imports it to have its path; the copy in the bundle would be gone when it is read.
            build.onLoad({ filter: /\.wasm$/ }, ({ path: wasm }) => ({
              contents: `export default ${JSON.stringify(wasm)}`,
              loader: "js",
            }));
            build.onLoad({ filter: /\.[mc]?[jt]s$/ }, (file) => ({
              contents: insertCounters(file.path, readFileSync(file.path, "utf8")),
              loader: file.path.endsWith("ts") ? "ts" : "js",
            }));
          },
        },
      ],
    });
    const [entry] = outputs.filter(({ kind }) => kind === "entry-point");
    return await import(entry?.path ?? "");
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
