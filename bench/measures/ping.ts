/**
 * How long a ping waits while workers are busy: whether anything blocks the main thread. Pings are sent by the clock and
 * not after the last answer, so that one long stall counts as the many late answers that it is. The same on an idle
 * host shows how much of it is the machine and this client.
 */
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { quantile } from "../quantiles.ts";
import { RawClient, requestLine } from "../raw-client.ts";
import { makeSparseFile, makeTree } from "../workload.ts";

const PINGS = 2500;
const EVERY_MS = 2;
const TREE_FILES = 20_000;
const FIRST_WORK_ID = 1_000_000;

export async function measurePing({ ours, workspace }: Bench): Promise<Measurement[]> {
  using file = makeSparseFile(workspace, "zeros", 2 * 1024 * 1024 * 1024);
  using tree = makeTree(workspace, "tree", TREE_FILES);
  const hash: Work = {
    params: { name: "hash_file", arguments: { path: file.path } },
    answer: /[0-9a-f]{64}/,
  };
  // Matches nothing and has no literal to look for first, so every file goes through the engine.
  const pattern = "[a-z]+[0-9]{7}[a-z]";
  const grep: Work = {
    params: { name: "grep", arguments: { path: tree.path, pattern } },
    answer: /0 matches in 20,?000 files/,
  };
  return [
    ...rows("idle", await pingDuring(ours), undefined),
    ...rows("while hashing 2 GB", await pingDuring(ours, hash), 10),
    ...rows("while searching 20,000 files", await pingDuring(ours, grep), 10),
  ];
}

export interface Work {
  readonly params: object;
  /** What its answer must hold, so that a call that failed at once is not taken for load. */
  readonly answer: RegExp;
}

export interface Pings {
  readonly latencies: readonly number[];
  /** Calls of the work that were begun, one after the other; all but the last ended between pings. */
  readonly workCalls: number;
}

export async function pingDuring(server: Server, work?: Work): Promise<Pings> {
  await using client = await RawClient.open(server);
  const sentAt: number[] = [];
  const latencies: number[] = [];
  let workCalls = 0;
  const startWork = (): void => {
    if (work !== undefined) client.write(requestLine(FIRST_WORK_ID + workCalls++, "tools/call", work.params));
  };
  startWork();
  // The first call of a session loads the tools and starts a worker; that is the business of another measure.
  await Bun.sleep(200);
  const begun = performance.now();
  const timer = setInterval(() => {
    while (sentAt.length < PINGS && performance.now() - begun >= sentAt.length * EVERY_MS) {
      const id = sentAt.push(performance.now()) - 1;
      client.write(requestLine(id, "ping"));
    }
  }, 1);
  let isWorking = work !== undefined;
  while (latencies.length < PINGS || isWorking) {
    const line = await client.readLine();
    const now = performance.now();
    const { id } = JSON.parse(line) as { id: number };
    if (id < FIRST_WORK_ID) {
      latencies.push(now - (sentAt[id] ?? Number.NaN));
      continue;
    }
    if (work?.answer.test(line) !== true) throw new Error(`Cannot trust the run: ${line.slice(0, 300)}`);
    isWorking = latencies.length < PINGS;
    if (isWorking) startWork();
  }
  clearInterval(timer);
  return { latencies, workCalls };
}

function rows(when: string, { latencies, workCalls }: Pings, p99AtMostMs: number | undefined): Measurement[] {
  const work = p99AtMostMs === undefined ? "" : `; calls of work: ${workCalls}`;
  const row = (name: string, share: number): Measurement => ({
    measure: `ping ${when}, ${name}`,
    unit: "ms",
    ours: quantile(latencies, share),
    ...(name === "p99" && p99AtMostMs !== undefined ? { target: { kind: "at_most", value: p99AtMostMs } } : {}),
    detail: `${latencies.length} pings, one every ${EVERY_MS} ms${work}`,
  });
  return [row("p50", 0.5), row("p99", 0.99), row("max", 1)];
}
