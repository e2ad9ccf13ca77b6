/**
 * `bun run test:fuzz-wire [COUNT] [SEED]`: a million broken messages to compiled hosts, ten thousand to each, so that a seed
 * that finds something gives it again within seconds: `test:fuzz-wire 10000 SEED`. Long form of `test/binary/fuzz-wire.test.ts`,
 * where such a seed goes. What happens to one host that lives long is for `test:soak`.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { playWireFuzz } from "../test/fuzz/play-wire-fuzz.ts";
import { binaryPath } from "../test/binary/build-binary.ts";

const EACH = 10_000;
const TOLD_EVERY = 50_000;

const count = Number(process.argv[2] ?? 1_000_000);
const firstSeed = Number(process.argv[3] ?? 1);
const binary = await binaryPath();
const seeds = Array.from({ length: Math.ceil(count / EACH) }, (_, at) => firstSeed + at);
const started = performance.now();
let [sent, answers, failures] = [0, 0, 0];

await Promise.all(Array.from({ length: availableParallelism() }, lane));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${sent} messages, ${answers} lines back, ${failures} problems, ${seconds} s`);
process.exit(failures === 0 && sent >= count ? 0 : 1);

async function lane(): Promise<void> {
  for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
    const played = await play(seed);
    const before = sent;
    sent += played.sent;
    answers += played.answers;
    failures += played.problems.length;
    for (const problem of played.problems) console.log(`seed ${seed}: ${problem}`);
    if (Math.floor(before / TOLD_EVERY) < Math.floor(sent / TOLD_EVERY)) console.log(`${sent} sent`);
  }
}

async function play(seed: number): ReturnType<typeof playWireFuzz> {
  const place = mkdtempSync(join(tmpdir(), "ringfence-fuzz-"));
  try {
    const root = join(place, "root");
    mkdirSync(join(root, "b"), { recursive: true });
    await Bun.write(join(root, "a.txt"), "one\ntwo\n");
    await Bun.write(join(root, "b/c.txt"), "some\n");
    return await playWireFuzz({
      command: [binary, "serve", "--root", root, "--state-dir", join(place, "state")],
      env: { PATH: process.env["PATH"], HOME: place },
      count: Math.min(EACH, count),
      seed,
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
