/**
 * Long jobs take turns in the workers that they share: whoever comes is answered while others have no end. All of it by
 * the order of events, never by time.
 */
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import type { JobRequest, Pool } from "../../src/pool/index.ts";
import { settled } from "../waits/until.ts";
import { begun, bugs, endOf, job, mark, openPool, share } from "./open-pool.ts";

/** Endless ones that give way. */
async function endless(pool: Pool, count: number, more: Partial<JobRequest> = {}): Promise<Endless[]> {
  const all = Array.from({ length: count }, (_, at) => {
    const stop = new AbortController();
    const path = mark(`endless-${at}`);
    return {
      stop,
      path,
      end: endOf(pool, job("endless", path, { long: "bulk", signal: stop.signal, ...more })),
    };
  });
  for (const { path } of all.slice(0, MOST_BEGUN)) await begun(path);
  return all;
}

interface Endless {
  readonly stop: AbortController;
  readonly path: string;
  readonly end: Promise<string>;
}

/** Jobs of the bulk lane that one worker has begun at once. */
const MOST_BEGUN = 128;

async function endAll(all: readonly Endless[]): Promise<void> {
  for (const { stop } of all) stop.abort();
  for (const { end } of all) expect(await settled("the end of an endless job", end)).toBe("cancelled");
}

const ways = [1, 2, 3].flatMap((size) => [1, 4, 64].map((count) => [size, count] as const));
test.each(ways)("a pool of %d workers answers others beside %d endless jobs", async (size, count) => {
  const pool = openPool({ size });
  const all = await endless(pool, count);
  for (const long of [true, "bulk", false] as const)
    expect(await settled("an answer", endOf(pool, job("echo", "1", { long })))).toBe("1");
  expect(await settled("an answer with a part", endOf(pool, share("echo", "7")))).toBe(size === 1 ? '"nobody"' : '"7"');
  expect(pool.active).toBe(count);
  await endAll(all);
  expect(pool.active).toBe(0);
});

test("more of them than are begun at once keep no search waiting, and are cancelled where they wait", async () => {
  const pool = openPool();
  const all = await endless(pool, MOST_BEGUN + 8);
  expect(await settled("a search", endOf(pool, share("echo", "7")))).toBe('"7"');
  expect(all.filter(({ path }) => existsSync(path))).toHaveLength(MOST_BEGUN);
  await endAll(all.slice(-8));
  // A place that becomes free is taken.
  const late = mark("late");
  const stop = new AbortController();
  const end = endOf(pool, job("endless", late, { long: "bulk", signal: stop.signal }));
  await endAll(all.slice(0, 1));
  await begun(late);
  await endAll([{ stop, path: late, end }, ...all.slice(1, -8)]);
});

test("each is cancelled by itself, also while it waits for its turn or for a part elsewhere", async () => {
  const pool = openPool();
  const all = await endless(pool, 5);
  const stop = new AbortController();
  const away = endOf(pool, share("spin", mark("part"), { signal: stop.signal }));
  await begun(mark("part"));
  await endAll(all.slice(2, 3));
  expect(pool.active).toBe(6);
  stop.abort();
  expect(await settled("the end of the one that waits elsewhere", away)).toBe("cancelled");
  await endAll(all.filter((_, at) => at !== 2));
});

test("each has its own deadline, and a job that does not give way holds no deadline back", async () => {
  const pool = openPool();
  const all = await endless(pool, 4);
  expect(await endOf(pool, job("endless", "", { long: "bulk", timeoutMs: 100 }))).toBe("timed_out");
  expect(pool.active).toBe(4);
  const stop = new AbortController();
  const stubborn = endOf(pool, job("spin", mark("spin"), { long: true, signal: stop.signal }));
  await begun(mark("spin"));
  expect(await endOf(pool, job("echo", "1", { long: true, timeoutMs: 100 }))).toBe("timed_out");
  stop.abort();
  expect(await stubborn).toBe("cancelled");
  await endAll(all);
});

test("the end of their worker fails the one whose turn it was; the others are begun again", async () => {
  const pool = openPool();
  const all = await endless(pool, 3);
  for (const { path } of all) rmSync(path);
  expect(await settled("the one that ends it", endOf(pool, job("exit", "3", { long: true })))).toBe("internal");
  for (const { path } of all) await begun(path);
  expect(bugs).toHaveLength(1);
  await endAll(all);
});

test("a worker that is worn keeps those that it has, and new ones go to another", async () => {
  const pool = openPool();
  const all = await endless(pool, 2);
  const long = { long: true };
  expect((await pool.run(job("wear", "1", long))).facts).toBe('{"done":1}');
  expect((await pool.run(job("echo", "2", long))).facts).toBe('{"done":1}');
  expect((await pool.run(job("echo", "3", long))).facts).toBe('{"done":2}');
  expect(pool.active).toBe(2);
  await endAll(all);
});
