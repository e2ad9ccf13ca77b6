/**
 * `bun bench/probes/pack-start.ts [BINARY]`: from the start of a host without a fence to its answer to `initialize`, with a
 * configuration that switches nothing on, with one pack, with the four that reach other machines, and with all eight. All in a work
 * tree of git, where the launcher sleeps beside every host, so what is told apart is the packs alone. In turn, because the machine is
 * not the same from one moment to the next.
 *
 * Budget: 1 ms more with those four.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareBench } from "../bench.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";

const ROUNDS = 31;
const NETWORK = { reach: ["docs.example:443"] };
const PACKS: Readonly<Record<string, object>> = {
  memory: {},
  media: {},
  web: { network: NETWORK },
  browser: { program: "/usr/bin/chromium-headless-shell", network: NETWORK },
  objects: { stores: { art: { endpoint: "https://s3.example", region: "us-east-1", buckets: ["builds"] } } },
  k8s: { contexts: { stage: { server: "https://api.example:6443", namespace: "payments" } } },
  git: {},
  sessions: {},
};
const { web, objects, k8s, browser } = PACKS;
const CONFIGURATIONS: Readonly<Record<string, object>> = {
  none: {},
  ...Object.fromEntries(Object.entries(PACKS).map(([name, settings]) => [name, { packs: { [name]: settings } }])),
  reaching: { packs: { web, objects, k8s, browser } },
  all: { packs: PACKS },
};

await using bench = await prepareBench({ binary: process.argv[2], seed: 1 });
if (Bun.spawnSync(["git", "init", "-q", bench.workspace]).exitCode !== 0) throw new Error("Cannot measure without git");
const samples = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++)
  for (const [name, configuration] of Object.entries(CONFIGURATIONS)) {
    const file = join(bench.workspace, "..", `${name}.json`);
    writeFileSync(file, JSON.stringify(configuration));
    const ms = await startWith(file);
    // The first round brings the program into the memory of the machine.
    if (round > 0) samples.set(name, [...(samples.get(name) ?? []), ms]);
  }
const least = median(samples.get("none") ?? []);
for (const [name, all] of samples)
  console.log(`${name.padEnd(8)} ${median(all).toFixed(1)} ms, ${(median(all) - least).toFixed(1)} more`);

async function startWith(file: string): Promise<number> {
  const command = [...bench.ours.command, "--fence=off", "--config", file];
  const started = performance.now();
  await using client = new RawClient({ ...bench.ours, command });
  await client.initialize();
  return performance.now() - started;
}
