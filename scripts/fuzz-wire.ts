/**
 * `bun run test:fuzz-wire [COUNT] [SEED]`: a million broken messages to the compiled host. Long form of
 * `test/binary/fuzz-wire.test.ts`; a seed that found something goes there.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playWireFuzz } from "../test/fuzz/play-wire-fuzz.ts";
import { binaryPath } from "../test/binary/build-binary.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
const EVERY = 50_000;

const place = mkdtempSync(join(tmpdir(), "ringfence-fuzz-"));
const root = join(place, "root");
mkdirSync(join(root, "b"), { recursive: true });
await Bun.write(join(root, "a.txt"), "one\ntwo\n");
await Bun.write(join(root, "b/c.txt"), "some\n");
const started = performance.now();
const { sent, answers, problems } = await playWireFuzz({
  command: [await binaryPath(), "serve", "--root", root, "--state-dir", join(place, "state")],
  env: { PATH: process.env["PATH"], HOME: place },
  count,
  seed,
  onBatch: (done) => {
    if (done % EVERY === 0) console.log(`${done} sent`);
  },
});
rmSync(place, { recursive: true, force: true });
for (const problem of problems) console.log(problem);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${sent} messages, ${answers} lines back, ${problems.length} problems, ${seconds} s`);
process.exit(problems.length === 0 ? 0 : 1);
