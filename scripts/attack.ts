/**
 * `bun run test:attack [ROUNDS] [SEED]`: the long form of `test/attack`. Every round plays all tries in an order of its
 * own, with folders whose names are odd, paths spelt in other ways and command lines quoted in other ways; what must
 * never happen is the same. The seed of each round is printed, and a line that broke something goes into the data.
 *
 * A round with its seed is the same again: `bun run test:attack 1 SEED`.
 */
import { fc } from "../test/property.ts";
import { hasLandlock } from "../test/binary/has-landlock.ts";
import { playTries, type Variation } from "../test/attack/play-tries.ts";
import { isPlayed, readConfigurations, readTries } from "../test/attack/read-tries.ts";

const rounds = Number(process.argv[2] ?? 20);
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000);

const FOLDERS = [
  "plain",
  "two words",
  "ümlaut",
  "e\u0301",
  "日本",
  "UPPER",
  "it's",
  "a,b",
  "x=y",
  "#hash",
  "%41",
  "[b]",
  "-dash",
];
const SPELLINGS: readonly Variation["spell"][] = [
  (folder) => folder,
  (folder) => `./${folder}`,
  (folder, root) => `${root}/${folder}`,
  (folder) => `././/${folder}`,
  (folder) => `${folder}/../${folder}`,
  (folder, root) => `${root}//./${folder}`,
];
/** Each leaves to bash what the line says; one that it cannot keep is merely another line that must do no harm. */
const LINES: readonly Variation["line"][] = [
  (line) => line,
  (line) => `  ${line}  `,
  (line) => line.replace(/^\w/, "\\$&"),
  (line) => line.replace(/^(\w+)/, "'$1'"),
  (line) => line.replace(/^(\w)(\w*)/, '$1""$2'),
  (line) => line.replaceAll(" ", "\t"),
  (line) => `true && ${line}`,
  (line) => `{ ${line}; }`,
  (line) => `${line} # a remark`,
  (line) => `(${line})`,
  (line) => `! ${line}`,
  (line) => `command ${line}`,
  (line) => `LC_ALL=C ${line}`,
  (line) => `time ${line}`,
  (line) => `${line} | cat`,
  (line) => `${line} 2>/dev/null`,
  (line) => `echo a\n${line}`,
];

process.exitCode = await main();

async function main(): Promise<number> {
  let problems = 0;
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const broken = await playRound(seed);
    problems += broken.length;
    console.log(`seed ${seed}: ${broken.length} problems`);
    for (const line of broken) console.log(`  ${line}`);
  }
  return problems === 0 ? 0 : 1;
}

async function playRound(seed: number): Promise<string[]> {
  const tries = readTries().filter(isPlayed);
  const picked = <T>(from: readonly T[], at: number): T => pick(from, seed * 7919 + at);
  const broken: string[] = [];
  for (const [at, [name, configuration]] of Object.entries(readConfigurations()).entries()) {
    if (configuration.needs === "fence" && !hasLandlock()) continue;
    const own = tries.filter((one) => one.configuration === name);
    const [order] = fc.sample(fc.shuffledSubarray(own, { minLength: own.length }), {
      seed: seed + at,
      numRuns: 1,
    });
    const folders = "shell" in configuration.config ? FOLDERS.filter((one) => !/[ ']/.test(one)) : FOLDERS;
    const variation: Variation = {
      folderOf: (index) => `${picked(folders, at * 1000 + index)}${index}`,
      spell: (folder, root) => picked(SPELLINGS, at * 1000 + folder.length * 31)(folder, root),
      line: (line) => picked(LINES, at * 1000 + line.length)(line),
    };
    const found = await playTries(configuration, order ?? own, variation);
    broken.push(...found.map((line) => `${name}: ${line}`));
  }
  return broken;
}

function pick<T>(from: readonly T[], seed: number): T {
  const [one] = fc.sample(fc.constantFrom(...from), { seed, numRuns: 1 });
  if (one === undefined) throw new Error("Cannot pick from nothing");
  return one;
}
