/**
 * What big work adds to the memory of a server at its peak, over what it needs after its first call. That the work was
 * done is checked each time: bytes read, entries listed, bytes hashed.
 */
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { CAN_READ_MEMORY, readMemory, readPeak, resetPeak } from "../process-memory.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { callTool, pagesOf } from "../tool-call.ts";
import { makeEntries, makeSparseFile, makeTextFile } from "../workload.ts";

const GB = 1024 * 1024 * 1024;
const ENTRIES = 100_000;
const SETTLE_MS = 700;
const MAX_ADDED_MB = 64;
/** Processes for each; when the garbage is collected differs from one to the next. */
const ROUNDS = 3;

export async function measureBigWork(bench: Bench): Promise<Measurement[]> {
  if (!CAN_READ_MEMORY) return [];
  return [...(await readInRanges(bench)), await listMany(bench), await hashBig(bench)];
}

async function readInRanges({ ours, workspace }: Bench): Promise<Measurement[]> {
  using file = makeTextFile(workspace, "big.txt", GB);
  const bytes = await added(ours, workspace, async (client) => {
    let read = 0;
    const first = { path: file.path, encoding: "base64", limit: 1024 * 1024 };
    for await (const page of pagesOf(client, "read_file", first)) read += Buffer.byteLength(page, "base64");
    expectSame("bytes read", read, GB);
  });
  const lines = await added(ours, workspace, async (client) => {
    // Each call counts its way to the line, so a few places, up to the end and from there.
    for (const offset of [1, 1_000_000, 4_000_000, 8_000_000, 12_000_000, -1_000_000, -2000]) {
      const texts = await callTool(client, "read_file", { path: file.path, offset, limit: 2000 });
      expectSame(`lines at ${offset}`, texts.at(-1)?.trimEnd().split("\n").length, 2000);
    }
  });
  return [row("added by reading 1 GB in byte ranges", bytes), row("added by reading 1 GB at 7 places by line", lines)];
}

async function listMany({ ours, reference, workspace }: Bench): Promise<Measurement> {
  using folder = makeEntries(workspace, "many", ENTRIES);
  const list = async (client: RawClient): Promise<void> => {
    const names = new Set<string>();
    for await (const page of pagesOf(client, "list_directory", { path: folder.path, limit: 1000 }))
      for (const line of page.split("\n")) names.add(line);
    expectSame("entries listed", names.size, ENTRIES);
  };
  const theirs = await added(reference, workspace, list);
  return {
    ...row("added by listing 100,000 entries", await added(ours, workspace, list)),
    reference: median(theirs.map(({ mb }) => mb)),
  };
}

async function hashBig({ ours, workspace }: Bench): Promise<Measurement> {
  using file = makeSparseFile(workspace, "zeros", 2 * GB);
  const peak = await added(ours, workspace, async (client) => {
    const [text = ""] = await callTool(client, "hash_file", { path: file.path });
    // sha256 of 2 GiB of zeros.
    expectSame("hash", text.split(" ")[0], "a7c744c13cc101ed66c29f672f92455547889cc586ce6d44fe76ae824958ea51");
  });
  return row("added by hashing 2 GB", peak);
}

export interface Peak {
  readonly mb: number;
  readonly seconds: number;
}

/** Does the work in several fresh processes; `folder` is one that the server may read. */
export async function added(
  server: Server,
  folder: string,
  work: (client: RawClient) => Promise<void>,
): Promise<Peak[]> {
  using first = makeTextFile(folder, "first.ts", 3000);
  const peaks: Peak[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using client = await RawClient.open(server);
    await callTool(client, server.readTool, { path: first.path });
    await Bun.sleep(SETTLE_MS);
    const before = readMemory(client.pid).rss;
    resetPeak(client.pid);
    const started = performance.now();
    await work(client);
    const seconds = (performance.now() - started) / 1000;
    peaks.push({ mb: readPeak(client.pid) - before, seconds });
  }
  return peaks;
}

function row(measure: string, peaks: readonly Peak[]): Measurement {
  return addedRow(measure, peaks, MAX_ADDED_MB);
}

export function addedRow(measure: string, peaks: readonly Peak[], atMostMb: number): Measurement {
  const seconds = median(peaks.map((peak) => peak.seconds)).toFixed(1);
  const levels = peaks.map((peak) => peak.mb);
  const detail = `peak RSS; median of ${ROUNDS} processes, highest ${Math.max(...levels).toFixed(0)} MB; takes ${seconds} s`;
  const target = { kind: "at_most", value: atMostMb } as const;
  return { measure, unit: "MB", ours: median(levels), target, detail };
}

function expectSame(what: string, found: number | string | undefined, wanted: number | string): void {
  if (found !== wanted) throw new Error(`Cannot trust the run: ${what}: ${found} instead of ${wanted}`);
}
