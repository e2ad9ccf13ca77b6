/**
 * A program of its own: what a command costs over a bare spawn, with its fence and without, and what 100 MB of output cost
 * against `cat` through a pipe. Compiles a host of its own and prints milliseconds as JSON: `bun bench/probes/run-cost.ts`.
 *
 * Budgets: 20 ms over a bare spawn with the fence; 1.6 times `cat`.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawClient } from "../raw-client.ts";
import { median } from "../quantiles.ts";

const CALLS = 60;
const ROUNDS = 15;
const BYTES = 100_000_000;
const WRITE = `yes 'a line of some text that goes on for a while' | head -c ${BYTES}`;

const repository = join(import.meta.dir, "..", "..");
const top = mkdtempSync(join(tmpdir(), "ringfence-run-cost-"));
try {
  mkdirSync(join(top, "root"));
  const host = join(top, "host");
  const entry = join(repository, "test", "fixtures", "programs", "host.ts");
  const build = [process.execPath, join(repository, "scripts", "build.ts"), `--entry=${entry}`, `--out=${host}`];
  if (!Bun.spawnSync(build, { cwd: repository }).success) throw new Error("Cannot build the host");
  await using off = await open(host, "off");
  await using auto = await open(host, "auto");
  const cat = async (): Promise<void> => void (await Bun.spawn(["/bin/sh", "-c", `${WRITE} | cat > /dev/null`]).exited);
  // In turn, because the machine is not the same from one moment to the next.
  const big = await mediansOf(ROUNDS, [
    cat,
    async () => await run(off, "cmd_big"),
    async () => await run(auto, "cmd_big"),
  ]);
  const small = await mediansOf(CALLS, [
    async () => void (await Bun.spawn(["/bin/true"]).exited),
    async () => await run(off, "cmd_true"),
    async () => await run(auto, "cmd_true"),
  ]);
  for (const [at, fence] of [
    [1, "off"],
    [2, "auto"],
  ] as const) {
    const [bare = 0, call = 0] = [small[0], small[at]];
    const [bareBig = 0, callBig = 0] = [big[0], big[at]];
    const over = Number((call - bare).toFixed(2));
    const times = Number((callBig / bareBig).toFixed(2));
    console.log(
      JSON.stringify({
        fence,
        bareMs: bare,
        callMs: call,
        overMs: over,
        catMs: bareBig,
        bigMs: callBig,
        timesCat: times,
      }),
    );
  }
} finally {
  rmSync(top, { recursive: true, force: true });
}

async function run(client: RawClient, name: string): Promise<void> {
  await client.request("tools/call", { name, arguments: {} });
}

async function open(host: string, fence: string): Promise<RawClient> {
  const options = {
    roots: [join(top, "root")],
    stateDir: join(top, `state-${fence}`),
    mode: "bypass",
    fence,
    commands: {
      true: { description: "x", program: "/bin/true", changes: false },
      big: { description: "x", program: "/bin/sh", args: ["-c", WRITE], changes: false },
    },
  };
  const client = await RawClient.open({
    name: "ringfence",
    command: [host, JSON.stringify(options)],
    readTool: "read_file",
  });
  await client.request("tools/call", { name: "cmd_true", arguments: {} });
  return client;
}

async function mediansOf(rounds: number, works: readonly (() => Promise<void>)[]): Promise<number[]> {
  const samples = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      samples[index]?.push(performance.now() - start);
    }
  return samples.map((times) => Number(median(times).toFixed(2)));
}
