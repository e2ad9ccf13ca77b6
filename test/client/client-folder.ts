/**
 * The client as a program of its own finds it: installed as the package `ringfence` in a folder outside this repository, built
 * for Node, beside a workspace and a place for the state.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildClient } from "../../scripts/build/client.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { HANG_MS } from "../waits/until.ts";

export const RUNTIMES: readonly [name: string, command: string][] = [
  ["Node", "node"],
  ["Bun", process.execPath],
];

let built: Promise<Place> | undefined;

/** With the built client in `client`, until `releaseClient`. */
export async function builtClient(): Promise<Place> {
  built ??= (async () => {
    const place = new Place();
    await buildClient(REPOSITORY, join(place.path, "client"));
    return place;
  })();
  return await built;
}

/** After the tests of a file. */
export async function releaseClient(): Promise<void> {
  const place = await built;
  built = undefined;
  place?.[Symbol.dispose]();
}

export async function installClient(place: Place): Promise<void> {
  const folder = join(place.path, "node_modules", "ringfence");
  mkdirSync(join(folder, "dist"), { recursive: true });
  cpSync(join(REPOSITORY, "package.json"), join(folder, "package.json"));
  cpSync(join((await builtClient()).path, "client"), join(folder, "dist", "client"), { recursive: true });
  writeFileSync(join(place.path, "package.json"), '{ "type": "module" }');
}

export interface Ran {
  readonly code: number | null;
  readonly lines: readonly unknown[];
  readonly stderr: string;
}

/**
 * Runs a program that prints JSON lines with `show(...)`; `open(options)` connects to the binary on the root of the place.
 * With Bun it imports the sources, as a program does there, and with Node what was built.
 */
export async function runProgram(place: Place, command: string, body: string): Promise<Ran> {
  const isBun = command === process.execPath;
  if (!isBun) await installClient(place);
  const from = isBun ? join(REPOSITORY, "src", "client", "index.ts") : "ringfence/client";
  const options = {
    binary: await binaryPath(),
    roots: [place.root],
    stateDir: place.stateDir,
    baseline: "if_known",
    // A slow machine starts and ends a host slowly; only a hang reaches these.
    startTimeoutMs: HANG_MS,
    graceMs: HANG_MS,
  };
  const path = join(place.path, `program-${crypto.randomUUID()}.mjs`);
  writeFileSync(
    path,
    `import { connect, CallError, ConnectionError } from ${JSON.stringify(from)};
     const show = (...values) => console.log(JSON.stringify(values));
     const open = async (more) => await connect({ ...${JSON.stringify(options)}, ...more });
     const thrown = async (promise) => await promise.then(() => "nothing", (error) => error);
     ${body}`,
  );
  const child = Bun.spawn([command, path], {
    cwd: place.path,
    env: { PATH: process.env["PATH"], HOME: place.path },
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { code: child.exitCode, lines: lines.map((line) => JSON.parse(line) as unknown), stderr };
}
