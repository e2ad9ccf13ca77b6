/**
 * `bun run test:soak [MINUTES]`: 64 calls in flight for ten minutes against the compiled host: reads, searches, proposals
 * that are rejected, failures, cancelled calls, in both eras. Every call is answered once; after a minute of warming up,
 * memory stays within 10 % and no descriptor or thread is left behind. Linux only, which tells both.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../test/binary/build-binary.ts";
import { residentBytes } from "../test/binary/serve-process.ts";
import { LineSplitter } from "./start/line-splitter.ts";

const IN_FLIGHT = 64;
const MINUTE_MS = 60_000;
const SAMPLE_MS = 5000;
/** How far memory may grow beyond what it was after warming up. */
const MAX_GROWTH = 1.1;
const MB = 1024 * 1024;
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

interface Sample {
  readonly bytes: number;
  readonly descriptors: number;
}

const minutes = Number(process.argv[2] ?? 10);
const place = mkdtempSync(join(tmpdir(), "ringfence-soak-"));
const root = join(place, "root");
mkdirSync(join(root, "b"), { recursive: true });
writeFileSync(join(root, "a.txt"), "some words\n".repeat(1000));
for (let index = 0; index < 200; index++) writeFileSync(join(root, `b/${index}.txt`), `file ${index}\n`);

const child = Bun.spawn([await binaryPath(), "serve", "--root", root, "--state-dir", join(place, "state")], {
  env: { PATH: process.env["PATH"], HOME: place },
  stdin: "pipe",
  stdout: "pipe",
  stderr: "inherit",
});
const waiting = new Set<number>();
let last = 0;
let answered = 0;
let unknown = 0;
const end = performance.now() + minutes * MINUTE_MS;
const samples: Sample[] = [];

void readAnswers();
for (let index = 0; index < IN_FLIGHT; index++) send();
void child.stdin.flush();
while (performance.now() < end) {
  await Bun.sleep(SAMPLE_MS);
  samples.push(sample());
}
await settle();
const problems = judge();
await child.stdin.end();
if ((await child.exited) !== 0) problems.push("it did not end with 0");
rmSync(place, { recursive: true, force: true });
for (const problem of problems) console.log(problem);
console.log(`${answered} answers in ${minutes} minutes, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function send(): void {
  const id = ++last;
  waiting.add(id);
  const [name, given] = callOf(id);
  const params = { name, arguments: given, ...(id % 2 === 0 ? { _meta: MODERN } : {}) };
  void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
}

function callOf(id: number): [name: string, given: object] {
  switch (id % 8) {
    case 0:
      return ["grep", { pattern: "file 1\\d", path: "b" }];
    case 1:
      return ["list_directory", { path: "b" }];
    case 2:
      return ["read_file", { path: "none.txt" }];
    case 3:
      return ["hash_file", { path: "a.txt" }];
    case 4:
      // The same each time, so that the store of proposals does not grow for ever.
      return ["write_file", { path: "a.txt", content: `${id % 100}\n` }];
    default:
      return ["read_file", { path: "a.txt", limit: 200 }];
  }
}

async function readAnswers(): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of child.stdout) {
    for (const line of splitter.push(chunk)) {
      const { id } = JSON.parse(line) as { readonly id: number };
      if (waiting.delete(id)) answered++;
      else unknown++;
      if (performance.now() < end) send();
    }
    void child.stdin.flush();
  }
}

async function settle(): Promise<void> {
  for (let waited = 0; waiting.size > 0 && waited < MINUTE_MS; waited += SAMPLE_MS / 50)
    await Bun.sleep(SAMPLE_MS / 50);
}

function sample(): Sample {
  const descriptors = readdirSync(`/proc/${child.pid}/fd`).length;
  return { bytes: residentBytes(child.pid), descriptors };
}

/** The last quarter against the second, by their means: a single sample tells when garbage was collected. */
function judge(): string[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [before, after] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const [first, lastMean] = [mean(before, "bytes"), mean(after, "bytes")];
  console.log(`memory ${(first / MB).toFixed(1)} MB, then ${(lastMean / MB).toFixed(1)} MB`);
  console.log(`descriptors ${mean(before, "descriptors")}, then ${mean(after, "descriptors")}`);
  return [
    ...(lastMean > first * MAX_GROWTH ? ["memory grows"] : []),
    ...(mean(after, "descriptors") > mean(before, "descriptors") + 1 ? ["descriptors are left behind"] : []),
    ...(waiting.size > 0 ? [`${waiting.size} calls were not answered`] : []),
    ...(unknown > 0 ? [`${unknown} answers were not asked for`] : []),
  ];
}

function mean(part: readonly Sample[], key: keyof Sample): number {
  return part.reduce((sum, one) => sum + one[key], 0) / part.length;
}
