/**
 * One run of `bun build --compile` with the flags that close the runtime. The flags are the promise of the binary:
 * no file of the folder it is started in (`.env`, `bunfig.toml`, `tsconfig.json`, `package.json`) is read, no code comes
 * from strings or from disk, and no native add-on is loaded.
 *
 * Usual mistakes: `--bytecode` without `--format=esm` refuses top-level await; a worker that is not an entry point is
 * looked for in the current directory of the user; `--no-orphans` has the kernel kill a host when the thread that started
 * it ends, which clients that start servers from a pool of threads let happen after seconds.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFilters } from "../../src/fence/filter-programs.ts";
import { bundlePage, type PageAssets } from "../../src/page/bundle-page.ts";
import { patchRuntime } from "./patch-runtime.ts";
import { readRuntime } from "./runtimes.ts";
import type { Target } from "./targets.ts";

/** What the sources see as `__RINGFENCE_BUILD__`. */
export interface BuildStamp {
  readonly version: string;
  /** Short hash, or "unknown" outside a git repository. */
  readonly commit: string;
  readonly target: string;
}

export interface Compilation {
  readonly root: string;
  /** The program first, then every worker; `workers/read.ts` becomes `/$bunfs/root/workers/read.js`. */
  readonly entries: readonly string[];
  readonly out: string;
  readonly target: Target;
  readonly stamp: BuildStamp;
  /** Files that say in which order functions are first used, the most important first (`record-order.ts`). Default: as they stand. */
  readonly order?: readonly string[];
  /** Whether the program writes such a file; never one that is shipped. */
  readonly recordsOrder?: boolean;
}

/** Compiles to `out`, replacing it in one step: a test that starts the old one while this runs gets the old one. */
export async function compile(job: Compilation): Promise<void> {
  const folder = join(job.root, ".cache", "build", `${process.pid}-${job.target.name}`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(dirname(job.out), { recursive: true });
  try {
    const runtime = await readRuntime(job.root, job.target);
    patchRuntime(runtime, job.target.cpu, job.recordsOrder === true ? "BUN_BYTECODE_" : undefined);
    const runtimePath = join(folder, `runtime${job.target.suffix}`);
    writeFileSync(runtimePath, runtime, { mode: 0o755 });
    // The name of the file is the name of the program inside the binary, so it is the final one.
    const built = join(folder, basename(job.out));
    runBun(job, runtimePath, built, await bundlePage());
    renameSync(built, job.out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runBun(job: Compilation, runtimePath: string, built: string, page: PageAssets): void {
  const args = [
    "build",
    ...job.entries,
    "--compile",
    // Fixes where a worker lies inside the binary: without it, at a place that depends on the other entry points.
    `--root=${job.root}`,
    `--target=${job.target.bunTarget}`,
    `--compile-executable-path=${runtimePath}`,
    `--outfile=${built}`,
    ...HARDENED_FLAGS,
    ...(job.order ?? []).map((file) => `--bytecode-order=${file}`),
    // Bun writes the value that the build was started with into the program: a build inside a test would differ.
    '--define=process.env.NODE_ENV="production"',
    `--define=__RINGFENCE_BUILD__=${JSON.stringify(job.stamp)}`,
    // A program that runs from source makes the filters of system calls and bundles the page itself, by the same recipes. The bundler
    // leaves that code out where it can compare a plain value, which the objects below are not.
    "--define=__RINGFENCE_IS_BUILT__=true",
    `--define=__RINGFENCE_FILTERS__=${JSON.stringify(makeFilters(job.target.cpu))}`,
    `--define=__RINGFENCE_PAGE__=${JSON.stringify(page)}`,
  ];
  const result = spawnSync(process.execPath, args, {
    cwd: job.root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.status === 0) return;
  throw new Error(`Cannot compile ${job.entries[0]}:\n${result.stdout}${result.stderr}`);
}

const HARDENED_FLAGS: readonly string[] = [
  "--minify",
  // What a start does not need stays unread: 5.6 ms to the first answer instead of 8.6 ms.
  "--splitting",
  // A chunk costs a start as much as reading several KB of another: 219 of them instead of 264.
  "--min-chunk-size=65536",
  "--format=esm",
  "--sourcemap=none",
  // Measured with zod and the other dependencies in the bundle: start 11.9 ms instead of 24.5 ms, for 2 MB more.
  "--bytecode",
  // Who stays says when its start is over: `endStartPolicy`. In turn, fenced: start 24.6 -> 22.5 ms, first read 42.2 -> 39.7 ms.
  "--compile-jit-policy=16",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
  "--compile-exec-argv=--disallow-code-generation-from-strings=strict --no-addons --no-ffi-cc",
];
