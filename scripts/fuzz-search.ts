/**
 * `bun run test:fuzz-search`: 100,000 random pairs of a query and a tree, asked of this engine and of ripgrep. Ends with
 * the number of differences; each is printed with the seed that gives it again (`--seed=N --pairs=M`).
 *
 * Every chunk runs in a process of its own: the regex engine keeps some of the memory of every pattern it compiled.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { differencesOfChunk } from "../test/search/differential-chunk.ts";

const CHUNK_PAIRS = 250;

const { values: flags } = parseArgs({
  options: {
    pairs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    chunk: { type: "boolean", default: false },
  },
});

process.exitCode = flags.chunk ? await checkChunk() : await main();

async function main(): Promise<number> {
  const pairs = Number(flags.pairs);
  const seeds = Array.from({ length: Math.ceil(pairs / CHUNK_PAIRS) }, (_, at) => Number(flags.seed) + at);
  let done = 0;
  let failed = 0;
  const lane = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const isSound = await runChunk(seed, Math.min(CHUNK_PAIRS, pairs));
      if (!isSound) failed++;
      done += Math.min(CHUNK_PAIRS, pairs);
      if (done % 10_000 === 0) console.log(`${done} pairs`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  console.log(`${done} pairs, ${failed} seeds with differences`);
  return failed === 0 && done >= pairs ? 0 : 1;
}

async function runChunk(seed: number, pairs: number): Promise<boolean> {
  const child = Bun.spawn(
    [process.execPath, import.meta.path, "--chunk", `--seed=${seed}`, `--pairs=${pairs}`],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const [out, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return true;
  console.log(`seed ${seed}, ${pairs} pairs:\n${out}${said}`);
  return false;
}

async function checkChunk(): Promise<number> {
  const differences = await differencesOfChunk(Number(flags.seed), Number(flags.pairs));
  for (const difference of differences) console.log(difference);
  return differences.length === 0 ? 0 : 1;
}
