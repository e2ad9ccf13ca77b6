/**
 * A program of its own: what a command costs over a bare spawn, with its fence and without, and what 100 MB of output cost
 * against `cat` through a pipe. Compiles a host of its own and prints milliseconds as JSON: `bun bench/probes/run-cost.ts`.
 *
 * Budgets: 25 ms over a bare spawn with the fence, 3 ms without; 1.3 times `cat`.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawClient } from "../raw-client.ts";
import { median } from "../quantiles.ts";

const CALLS = 60;
const ROUNDS = 5;
const BYTES = 100_000_000;
const WRITE = `yes 'a line of some text that goes on for a while' | head -c ${BYTES}`;

const repository = join(import.meta.dir, "..", "..");
const top = mkdtempSync(join(tmpdir(), "ringfence-run-cost-"));
try {
  mkdirSync(join(top, "root"));
  const host = join(top, "host");
  const entry = join(repository, "test", "fixtures", "programs", "host.ts");
  const build = [
    process.execPath,
    join(repository, "scripts", "build.ts"),
    `--entry=${entry}`,
    `--out=${host}`,
  ];
  if (!Bun.spawnSync(build, { cwd: repository }).success) throw new Error("Cannot build the host");
  const bare = await medianOf(CALLS, async () => void (await Bun.spawn(["/bin/true"]).exited));
  const cat = await medianOf(
    ROUNDS,
    async () => void (await Bun.spawn(["/bin/sh", "-c", `${WRITE} | cat > /dev/null`]).exited),
  );
  for (const fence of ["off", "auto"]) {
    const { call, big } = await measure(host, fence);
    const over = Number((call - bare).toFixed(2));
    console.log(
      JSON.stringify({ fence, bareMs: bare, callMs: call, overMs: over, bigMs: big, timesCat: big / cat }),
    );
  }
} finally {
  rmSync(top, { recursive: true, force: true });
}

async function measure(host: string, fence: string): Promise<{ call: number; big: number }> {
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
  await using client = await RawClient.open({
    name: "ringfence",
    command: [host, JSON.stringify(options)],
    readTool: "read_file",
  });
  const run = async (name: string): Promise<void> =>
    void (await client.request("tools/call", { name, arguments: {} }));
  await run("cmd_true");
  return {
    call: await medianOf(CALLS, async () => await run("cmd_true")),
    big: await medianOf(ROUNDS, async () => await run("cmd_big")),
  };
}

async function medianOf(times: number, work: () => Promise<void>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < times; round++) {
    const start = performance.now();
    await work();
    samples.push(performance.now() - start);
  }
  return Number(median(samples).toFixed(2));
}
