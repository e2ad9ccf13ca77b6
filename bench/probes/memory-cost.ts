/**
 * A program of its own: what a memory of 50,000 entries costs, in 5,000 notes: `bun bench/probes/memory-cost.ts [BINARY]`, which
 * prints milliseconds and megabytes as JSON. First by words alone, then with vectors of 512 numbers from an address, then with
 * a static model of 29,528 pieces and 256 numbers. The processor time of a search, which the load of the machine hardly changes, is
 * that of the host alone.
 *
 * Budget: a search 60 ms in the middle, one changed note 50 ms more than a search, 64 MB of memory over a host that has searched
 * nothing. The first search makes the index and is told apart.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMemory } from "../process-memory.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";

const NOTES = 5000;
const ENTRIES = 10;
const ROUNDS = 40;
const DIMENSIONS = 512;
const [MODEL_PIECES, MODEL_DIMENSIONS] = [29_528, 256];
const [binary = join(import.meta.dir, "..", "..", "dist", "ringfence")] = process.argv.slice(2);

/** Words as common as in a language: the n-th is used about 1/n as often as the first. */
const WORDS = Array.from(
  { length: 8000 },
  (_, at) => `${"bcdfghklmnprstvw"[at % 16]}${"aeiou"[at % 5]}${at.toString(36)}`,
);
let seed = 1;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}
const word = (): string => WORDS[Math.floor(WORDS.length ** random()) - 1] ?? "a";
const sentence = (words: number): string => Array.from({ length: words }, word).join(" ");
const entry = (): string => `<!-- memory at="2026-11-23T00:00:00Z" call="bench:1" -->\n${sentence(30)}.\n`;

function vector(): number[] {
  return Array.from({ length: DIMENSIONS }, () => Number((random() - 0.5).toFixed(4)));
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { input } = (await request.json()) as { readonly input: readonly string[] };
    return Response.json({ data: input.map((_, index) => ({ index, embedding: vector() })) });
  },
});
const top = mkdtempSync(join(tmpdir(), "ringfence-memory-cost-"));
const notes = join(top, "state", "memory");
try {
  mkdirSync(join(top, "root"));
  for (let at = 0; at < NOTES; at++) writeNote(at, Array.from({ length: ENTRIES }, entry).join("\n"));
  const url = `http://127.0.0.1:${server.port}/v1/embeddings`;
  for (const [name, memory] of [
    ["words", {}],
    ["the vectors are made", { embedder: { url, model: "bench" } }],
    ["words and meaning", { embedder: { url, model: "bench" } }],
    ["a static model makes its vectors", { embedder: { file: layModel() } }],
    ["words and a static model", { embedder: { file: join(top, "model") } }],
  ] as const)
    console.log(JSON.stringify({ name, ...(await measure(memory)) }));
} finally {
  rmSync(top, { recursive: true, force: true });
  await server.stop(true);
}

function writeNote(at: number, text: string): void {
  const file = join(notes, `n${at % 50}`, `note${at}.md`);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(file, text);
}

/** As large as the small models of model2vec; its numbers mean nothing. */
function layModel(): string {
  const folder = join(top, "model");
  mkdirSync(folder);
  const pieces = Array.from({ length: MODEL_PIECES }, (_, at) => WORDS[at] ?? `##piece${at}`);
  const vocab = Object.fromEntries(pieces.map((piece, at) => [piece, at]));
  const tokenizer = { normalizer: { type: "BertNormalizer" }, model: { type: "WordPiece", vocab } };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  const table = Float32Array.from({ length: MODEL_PIECES * MODEL_DIMENSIONS }, () => random() - 0.5);
  const shape = [MODEL_PIECES, MODEL_DIMENSIONS];
  const head = JSON.stringify({ embeddings: { dtype: "F32", shape, data_offsets: [0, table.byteLength] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  writeFileSync(
    join(folder, "model.safetensors"),
    Buffer.concat([length, Buffer.from(head), Buffer.from(table.buffer)]),
  );
  return folder;
}

async function measure(memory: object): Promise<object> {
  const config = join(top, "config.json");
  writeFileSync(config, JSON.stringify({ packs: { memory }, network: {} }));
  await using client = await RawClient.open({
    name: "ringfence",
    command: [binary, "serve", "--root", join(top, "root"), "--state-dir", join(top, "state"), "--config", config],
  } as never);
  const ask = async (query: string): Promise<string> => {
    const answer = await client.request("tools/call", { name: "memory_search", arguments: { query } });
    return JSON.stringify(answer);
  };
  await client.request("tools/call", { name: "memory_list", arguments: { limit: 1 } });
  const before = readMemory(client.pid).rss;
  const firstMs = await timed(async () => await ask(sentence(4)));
  // Vectors come behind the answers, and a question of which the model knows no word does not say how many are missing.
  while ((await ask(sentence(4))).includes("no vector yet")) await Bun.sleep(200);
  const filled = readMemory(client.pid).rss;
  const cpuBefore = processorMs(client.pid);
  const [searches, changes]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) searches.push(await timed(async () => await ask(sentence(4))));
  const cpuSearched = processorMs(client.pid);
  for (let round = 0; round < ROUNDS; round++) {
    writeNote(round, `${Array.from({ length: ENTRIES }, entry).join("\n")}\nchanged ${round}\n`);
    changes.push(await timed(async () => await ask(sentence(4))));
  }
  const after = readMemory(client.pid).rss;
  const cpuChanged = processorMs(client.pid);
  const searchMs = median(searches);
  return {
    firstMs: Math.round(firstMs),
    leastMs: Number(Math.min(...searches).toFixed(1)),
    searchMs: Number(searchMs.toFixed(1)),
    changedMs: Number((median(changes) - searchMs).toFixed(1)),
    searchCpuMs: (cpuSearched - cpuBefore) / ROUNDS,
    changedCpuMs: (cpuChanged - cpuSearched - (cpuSearched - cpuBefore)) / ROUNDS,
    filledMb: Math.round(filled - before),
    moreMb: Math.round(after - before),
  };
}

/** The time of all threads of a process, in steps of 10 ms: `utime` and `stime` of proc(5). */
function processorMs(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [utime = 0, stime = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (utime + stime) * 10;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
