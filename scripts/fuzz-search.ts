/**
 * `bun run test:fuzz-search`: 100,000 random pairs of a query and a tree, asked of this engine and of ripgrep. Ends with
 * the number of differences; each is printed with the seed that gives it again (`--seed=N --pairs=M`). A chunk of 250 pairs
 * has one seed, so `--pairs=5000 --seed=100` is seeds 100 to 119.
 *
 * Where ripgrep alone says something (`isAlone`), the difference is told and listed at the end, and is no failure.
 *
 * Every chunk runs in a process of its own: the regex engine keeps some of the memory of every pattern it compiled.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { differencesOfChunk, type ChunkAnswer } from "../test/search/differential-chunk.ts";

const CHUNK_PAIRS = 250;

const { values: flags } = parseArgs({
  options: {
    pairs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    chunk: { type: "boolean", default: false },
  },
});

if (flags.chunk) console.log(JSON.stringify(await differencesOfChunk(Number(flags.seed), Number(flags.pairs))));
else process.exitCode = await main();

async function main(): Promise<number> {
  const pairs = Number(flags.pairs);
  const perChunk = Math.min(CHUNK_PAIRS, pairs);
  const seeds = Array.from({ length: Math.ceil(pairs / CHUNK_PAIRS) }, (_, at) => Number(flags.seed) + at);
  const ripgrepsOwn: string[] = [];
  let done = 0;
  let failed = 0;
  const lane = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const answer = await runChunk(seed, perChunk);
      ripgrepsOwn.push(...answer.ripgrepsOwn.map((text) => `seed ${seed}, ${perChunk} pairs:\n${text}`));
      if (answer.differences.length > 0) {
        failed++;
        console.log(`seed ${seed}, ${perChunk} pairs:\n${answer.differences.join("\n")}`);
      }
      done += perChunk;
      if (done % 10_000 === 0) console.log(`${done} pairs`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  if (ripgrepsOwn.length > 0) {
    console.log(`${ripgrepsOwn.length} differences of ripgrep's own, where PCRE2 says what the host says:`);
    for (const text of ripgrepsOwn) console.log(text);
  }
  console.log(`${done} pairs, ${failed} seeds with differences`);
  return failed === 0 && done >= pairs ? 0 : 1;
}

async function runChunk(seed: number, pairs: number): Promise<ChunkAnswer> {
  const child = Bun.spawn([process.execPath, import.meta.path, "--chunk", `--seed=${seed}`, `--pairs=${pairs}`], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0 && said === "") return JSON.parse(out) as ChunkAnswer;
  return { differences: [out + said], ripgrepsOwn: [] };
}
