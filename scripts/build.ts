/**
 * Builds the executable: `bun run build [-- --target=all|NAME,NAME] [--entry=FILE --out=FILE]`.
 *
 * Without options: `dist/ringfence` for this machine and `dist/client`, the JavaScript of `ringfence/client`; no network.
 * With `--target`: `dist/ringfence-NAME[.exe]` for each, `dist/SHA256SUMS` and the parts list `dist/ringfence.cdx.json`.
 * `--entry` and `--out` compile a host of one's own (see examples/custom-host) with the same workers, flags and patched
 * runtime.
 *
 * Usual mistake: `bun build --compile` by hand. It gives a binary that runs code from the folder it is started in.
 */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildClient } from "./build/client.ts";
import { checksumLines } from "./build/checksums.ts";
import { compile, type BuildStamp } from "./build/compile.ts";
import { readLock, readManifest } from "./build/lock-file.ts";
import { recordOrder } from "./build/record-order.ts";
import { makeSbom } from "./build/sbom.ts";
import { nativeTarget, parseTargets, type Target } from "./build/targets.ts";

const ROOT = dirname(import.meta.dir);

try {
  await main();
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { target: { type: "string" }, entry: { type: "string" }, out: { type: "string" } },
  });
  const entry = resolve(values.entry ?? join(ROOT, "src", "main.ts"));
  if (!existsSync(entry)) throw new Error(`Cannot build ${entry}: there is no such file`);
  const out = resolve(values.out ?? join(ROOT, "dist", "ringfence"));
  if (values.entry === undefined) await buildClient(ROOT, join(dirname(out), "client"));
  const folder = join(ROOT, ".cache", "build", `${process.pid}-order`);
  try {
    const own = { root: ROOT, entries: [join(ROOT, "src", "main.ts"), ...workerEntries()] };
    const order = await recordOrder({ ...own, target: nativeTarget(), stamp: stampOf(nativeTarget()) }, folder);
    if (values.target === undefined) await build(entry, `${out}${nativeTarget().suffix}`, nativeTarget(), order);
    else await buildAll(entry, out, parseTargets(values.target), order);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buildAll(
  entry: string,
  out: string,
  targets: readonly Target[],
  order: readonly string[],
): Promise<void> {
  const files: string[] = [];
  for (const target of targets) {
    const file = `${out}-${target.name}${target.suffix}`;
    await build(entry, file, target, order);
    files.push(file);
  }
  await describe(dirname(out), `${out}.cdx.json`, targets, files);
}

async function build(entry: string, out: string, target: Target, order: readonly string[]): Promise<void> {
  const started = performance.now();
  await compile({ root: ROOT, entries: [entry, ...workerEntries()], out, target, stamp: stampOf(target), order });
  const size = (statSync(out).size / 1e6).toFixed(1);
  console.log(`${relative(process.cwd(), out)}  ${size} MB  ${Math.round(performance.now() - started)} ms`);
}

function stampOf(target: Target): BuildStamp {
  return { version: readManifest(ROOT).version, commit: readCommit(), target: target.name };
}

async function describe(
  folder: string,
  bom: string,
  targets: readonly Target[],
  files: readonly string[],
): Promise<void> {
  const sbom = makeSbom(readManifest(ROOT), readLock(ROOT), targets);
  writeFileSync(bom, `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), await checksumLines([...files, bom]));
}

/**
 * Each worker is an entry point of its own; one that is missing here would be looked for on the user's disk. `launcher.ts` is none: it
 * starts the launcher of a host that runs from source, and an executable starts itself.
 */
function workerEntries(): string[] {
  const files = [...new Bun.Glob("workers/*.ts").scanSync(ROOT)].filter((path) => basename(path) !== "launcher.ts");
  return files.sort().map((path) => join(ROOT, path));
}

function readCommit(): string {
  const result = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : "unknown";
}
