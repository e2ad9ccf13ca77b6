/**
 * How long a ping waits while workers are busy: whether anything blocks the main thread. Pings are sent by the clock and
 * not after the last answer, so that one long stall counts as the many late answers that it is. The same on an idle
 * host shows how much of it is the machine and this client.
 */
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { makeSparseFile, makeTree } from "../workload.ts";

const PINGS = 2500;
const EVERY_MS = 2;
const TREE_FILES = 20_000;
const FIRST_WORK_ID = 1_000_000;

export async function measurePing({ ours, workspace }: Bench): Promise<Measurement[]> {
  using file = makeSparseFile(workspace, "zeros", 2 * 1024 * 1024 * 1024);
  using tree = makeTree(workspace, "tree", TREE_FILES);
  const hash = { name: "hash_file", arguments: { path: file.path } };
  // Matches nothing and has no literal to look for first, so every line of every file goes through the engine.
  const grep = { name: "grep", arguments: { path: tree.path, pattern: "[a-z]+_[0-9]{7}[a-z]" } };
  return [
    ...rows("idle", await pingDuring(ours), undefined),
    ...rows("while hashing 2 GB", await pingDuring(ours, hash), 10),
    ...rows("while searching 20,000 files", await pingDuring(ours, grep), 10),
  ];
}

interface Pings {
  readonly latencies: readonly number[];
  /** Calls of the work that were answered meanwhile. */
  readonly workDone: number;
}

async function pingDuring(server: Server, work?: object): Promise<Pings> {
  await using client = await RawClient.open(server);
  const sentAt: number[] = [];
  const latencies: number[] = [];
  let workId = FIRST_WORK_ID;
  const startWork = (): void => {
    if (work !== undefined) client.write(`${requestLine(++workId, "tools/call", work)}\n`);
  };
  startWork();
  // The first call of a session loads the tools and starts a worker; that is the business of another measure.
  await Bun.sleep(200);
  const begun = performance.now();
  const timer = setInterval(() => {
    while (sentAt.length < PINGS && performance.now() - begun >= sentAt.length * EVERY_MS) {
      const id = sentAt.push(performance.now()) - 1;
      client.write(`${requestLine(id, "ping")}\n`);
    }
  }, 1);
  while (latencies.length < PINGS) {
    const line = await client.readLine();
    const now = performance.now();
    const answer = JSON.parse(line) as { id: number; error?: unknown; result?: { isError?: boolean } };
    if (answer.error !== undefined || answer.result?.isError === true)
      throw new Error(`Cannot trust the run: ${line.slice(0, 300)}`);
    if (answer.id === workId) startWork();
    else latencies.push(now - (sentAt[answer.id] ?? Number.NaN));
  }
  clearInterval(timer);
  return { latencies, workDone: Math.max(0, workId - FIRST_WORK_ID - 1) };
}

function requestLine(id: number, method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function rows(when: string, { latencies, workDone }: Pings, p99AtMostMs: number | undefined): Measurement[] {
  const work = p99AtMostMs === undefined ? "" : `; work answered ${workDone} times meanwhile`;
  const row = (name: string, share: number): Measurement => ({
    measure: `ping ${when}, ${name}`,
    unit: "ms",
    ours: quantile(latencies, share),
    ...(name === "p99" && p99AtMostMs !== undefined
      ? { target: { kind: "at_most", value: p99AtMostMs } }
      : {}),
    detail: `${latencies.length} pings, one every ${EVERY_MS} ms${work}`,
  });
  return [row("p50", 0.5), row("p99", 0.99), row("max", 1)];
}
