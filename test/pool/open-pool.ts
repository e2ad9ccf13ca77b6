/**
 * A pool with real workers that misbehave on demand, for the tests of this folder, and the jobs that they know
 * (misbehaving-worker.ts). What they make stands in a folder of its own for each test.
 */
import { afterEach, beforeEach } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import { Pool, type JobRequest, type PoolOptions } from "../../src/pool/index.ts";
import { until } from "../waits/until.ts";

const ENTRY = new URL("./misbehaving-worker.ts", import.meta.url).href as `file://${string}`;
/** A day: no deadline, where a test is not about one. */
const NEVER_MS: number = 24 * 3_600_000;
const pools: Pool[] = [];
export const bugs: string[] = [];

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-pool-"));
});
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
  bugs.length = 0;
  rmSync(folder, { recursive: true });
});

const onBug = (stack: string): string => `bug_${bugs.push(stack)}`;

export function openPool(options: Partial<PoolOptions> = {}): Pool {
  const pool = new Pool({ entry: ENTRY, size: 2, config: "", repeatable: true, onBug, ...options });
  pools.push(pool);
  return pool;
}

export const job = (name: string, input = "0", more: Partial<JobRequest> = {}): JobRequest => ({
  name,
  input,
  timeoutMs: NEVER_MS,
  ...more,
});

/** The answer's payload, or the code of its failure. */
export async function endOf(pool: Pool, request: JobRequest): Promise<string> {
  try {
    return (await pool.run(request)).payload;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
}

/** What a job that spins makes when it has begun. */
export const mark = (name = "begun"): string => join(folder, name);

export async function begun(path: string): Promise<void> {
  await until("a job that has begun", () => existsSync(path));
}

export const share = (name: string, part: string, more: Partial<JobRequest> = {}): JobRequest =>
  job("share", JSON.stringify([name, part]), { long: true, ...more });
