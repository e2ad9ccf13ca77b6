/**
 * The compiled binary for tests that run it: the one in RINGFENCE_BINARY (the gate builds it first), or `dist/ringfence`,
 * built anew when a source is newer. Built at most once in a test run.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

/** The absolute path of an executable that is as new as the sources. */
export async function binaryPath(): Promise<string> {
  built ??= findOrBuild();
  return await built;
}

let built: Promise<string> | undefined;

async function findOrBuild(): Promise<string> {
  const given = process.env["RINGFENCE_BINARY"];
  if (given !== undefined && existsSync(given)) return given;
  const path = join(REPOSITORY, "dist", process.platform === "win32" ? "ringfence.exe" : "ringfence");
  if (existsSync(path) && statSync(path).mtimeMs > newestSourceMs()) return path;
  const build = Bun.spawn([process.execPath, join(REPOSITORY, "scripts", "build.ts")], {
    cwd: REPOSITORY,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([build.stdout.text(), build.stderr.text()]);
  if ((await build.exited) !== 0) throw new Error(`Cannot build the binary for the tests:\n${stdout}${stderr}`);
  return path;
}

function newestSourceMs(): number {
  const patterns = ["src/**/*", "workers/*.ts", "scripts/build.ts", "scripts/build/*.ts", "package*.json"];
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(REPOSITORY)]);
  return Math.max(...files.map((file) => statSync(join(REPOSITORY, file)).mtimeMs));
}
