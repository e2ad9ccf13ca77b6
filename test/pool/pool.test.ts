/**
 * The pool with real workers that misbehave: whatever one does, every job is answered, and only its own job fails.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settled, until } from "../waits/until.ts";
import { begun, bugs, endOf, job, mark, openPool, share } from "./open-pool.ts";

describe("a part for another worker", () => {
  test("a part for another worker is done there, and comes back to the job that asked", async () => {
    expect(await endOf(openPool(), share("echo", "7"))).toBe('"7"');
  });

  test("a part for another worker comes back as nothing when there is no other worker", async () => {
    expect(await endOf(openPool({ size: 1 }), share("echo", "7"))).toBe('"nobody"');
  });

  test("a part for another worker fails as itself, and a worker that it ends costs only the job that asked", async () => {
    const pool = openPool();
    expect(await endOf(pool, share("fail", "0"))).toBe("not_found");
    expect(await endOf(pool, share("exit", "3"))).toBe("internal");
    expect(await endOf(pool, share("echo", "8"))).toBe('"8"');
  });

  test("a part for another worker is stopped with the job that asked", async () => {
    const stop = new AbortController();
    const pool = openPool();
    const end = endOf(pool, share("spin", mark(), { signal: stop.signal }));
    await begun(mark());
    stop.abort();
    expect(await settled("the end of the job", end)).toBe("cancelled");
    expect(await endOf(pool, job("echo", "1"))).toBe("1");
    expect(pool.active).toBe(0);
  });
});

test("a module that one worker has compiled is there for the others, and for those that come later", async () => {
  const pool = openPool();
  // Both are there.
  await pool.run(share("echo", "7"));
  const module = fileURLToPath(new URL("../../src/text/scan.wasm", import.meta.url));
  const compiled = (await pool.run(job("compile", module))).payload;
  expect(Number(compiled)).toBeGreaterThan(0);
  // There is no such file: it need not be read again.
  expect(await endOf(pool, share("compile", "/none"))).toBe(JSON.stringify(compiled));
  expect(await endOf(pool, job("exit", "3"))).toBe("internal");
  expect(await endOf(pool, share("compile", "/none"))).toBe(JSON.stringify(compiled));
  expect(await endOf(pool, job("compile", "/none"))).toBe(compiled);
});

test("a worker that is worn answers what it has, and another takes its place", async () => {
  const pool = openPool({ size: 1 });
  expect(await Promise.all([pool.run(job("wear", "1")), pool.run(job("echo", "2"))])).toEqual([
    { payload: "1", facts: '{"done":1}' },
    { payload: "2", facts: '{"done":2}' },
  ]);
  expect(await pool.run(job("echo", "3"))).toEqual({ payload: "3", facts: '{"done":1}' });
});

describe("answers", () => {
  test("answers come with payload and facts as they were made", async () => {
    const input = JSON.stringify({ text: "tab\t newline\n \u2028 ü 😀", deep: [[1]] });
    expect(await openPool().run(job("echo", input))).toEqual({ payload: input, facts: '{"done":1}' });
  });

  test("the answers of a thousand jobs each find their own", async () => {
    const pool = openPool();
    const all = Array.from({ length: 1000 }, (_, index) => endOf(pool, job("echo", String(index))));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)));
    expect(pool.active).toBe(0);
  });

  test("answers can be failures and bugs, and a bug's stack goes to its listener", async () => {
    const pool = openPool();
    expect(await endOf(pool, job("fail"))).toBe("not_found");
    expect(await endOf(pool, job("throw"))).toBe("internal");
    expect(bugs[0]).toContain("TypeError: a bug");
    expect(await endOf(pool, job("echo", "1"))).toBe("1");
  });

  test("an answer says why a worker could not be made ready", async () => {
    const pool = openPool({ config: "broken" });
    expect(await endOf(pool, job("echo"))).toBe("denied");
    expect(await endOf(pool, job("echo"))).toBe("denied");
  });
});

describe("a crash", () => {
  test("a crash fails only the job that was running, and the others are run by another worker", async () => {
    const pool = openPool({ size: 1 });
    const ends = [job("echo", "1"), job("exit", "7"), job("echo", "2"), job("echo", "3")];
    expect(await Promise.all(ends.map((one) => endOf(pool, one)))).toEqual(["1", "internal", "2", "3"]);
    expect(bugs).toHaveLength(1);
    expect(bugs[0]).toContain("worker lost");
  });

  test("a crash fails the waiting jobs too where a job must not be run twice", async () => {
    const pool = openPool({ size: 1, repeatable: false });
    const ends = [job("exit", "1"), job("echo", "2")].map((one) => endOf(pool, one));
    expect(await Promise.all(ends)).toEqual(["internal", "internal"]);
    expect(await endOf(pool, job("echo", "3"))).toBe("3");
  });

  test("one after the other does not end the pool", async () => {
    const pool = openPool();
    for (let round = 0; round < 5; round++) expect(await endOf(pool, job("exit"))).toBe("internal");
    expect(await endOf(pool, job("echo", "9"))).toBe("9");
  });
});

describe("a deadline", () => {
  test("ends work that asks", async () => {
    const pool = openPool({ size: 1 });
    expect((await pool.run(job("echo"))).facts).toBe('{"done":1}');
    expect(await endOf(pool, job("spin", "", { timeoutMs: 100 }))).toBe("timed_out");
    // The worker is still the one that it was: nobody had to replace it.
    expect((await pool.run(job("echo"))).facts).toBe('{"done":2}');
  });

  test("a deadline replaces a worker that does not stop, and frees those who wait behind it", async () => {
    const pool = openPool({ size: 1 });
    const stuck = endOf(pool, job("hang", "", { timeoutMs: 100 }));
    const behind = endOf(pool, job("echo", "1"));
    expect(await stuck).toBe("timed_out");
    expect(await behind).toBe("1");
  });

  test("a deadline holds for a job that never got a worker", async () => {
    const pool = openPool({ size: 1 });
    const stop = new AbortController();
    const blocking = endOf(pool, job("spin", "", { long: true, signal: stop.signal }));
    expect(await endOf(pool, job("echo", "1", { long: true, timeoutMs: 50 }))).toBe("timed_out");
    expect(pool.active).toBe(1);
    stop.abort();
    expect(await blocking).toBe("cancelled");
  });
});

describe("cancelling", () => {
  test("stops running work by its flag and queued work at once", async () => {
    const pool = openPool({ size: 1 });
    const [running, queued] = [new AbortController(), new AbortController()];
    const first = endOf(pool, job("spin", mark(), { signal: running.signal }));
    const second = endOf(pool, job("spin", mark("second"), { signal: queued.signal }));
    await begun(mark());
    queued.abort();
    running.abort();
    expect(await Promise.all([first, second])).toEqual(["cancelled", "cancelled"]);
    expect(existsSync(mark("second"))).toBe(false);
    expect(await endOf(pool, job("echo", "1"))).toBe("1");
  });

  test("cancelling one job leaves its neighbours alone, whichever flag they got", async () => {
    const pool = openPool({ size: 1 });
    for (let round = 0; round < 30; round++) {
      const stop = new AbortController();
      const spin = mark(`spin-${round}`);
      const ends = [
        endOf(pool, job("echo", "1")),
        endOf(pool, job("spin", spin, { signal: stop.signal })),
        endOf(pool, job("echo", "2")),
      ];
      // While it runs, and now and then while it waits.
      if (round % 3 > 0) await begun(spin);
      stop.abort();
      expect(await Promise.all(ends)).toEqual(["1", "cancelled", "2"]);
    }
  });

  test("before the start means that nothing is run", async () => {
    expect(await endOf(openPool(), job("exit", "1", { signal: AbortSignal.abort() }))).toBe("cancelled");
  });
});

test("the host is told before jobs go to a worker, once for those of one tick", async () => {
  const told: boolean[] = [];
  const pool = openPool({ size: 1, beforePost: () => told.push(existsSync(mark())) });
  const stop = new AbortController();
  const ends = [endOf(pool, job("spin", mark(), { signal: stop.signal })), endOf(pool, job("echo", "2"))];
  await begun(mark());
  expect(told).toEqual([false]);
  stop.abort();
  expect(await Promise.all(ends)).toEqual(["cancelled", "2"]);
});

test("a worker that was warmed is there for the first job, and is the only one", async () => {
  const workers = mark("workers");
  const pool = openPool({ config: workers });
  pool.warm();
  pool.warm();
  await until("a worker before there is a job", () => existsSync(workers));
  const answers = [await pool.run(job("echo")), await pool.run(job("echo"))];
  expect(readFileSync(workers, "utf8")).toBe("a worker\n");
  // One worker counts its jobs; a second one would begin anew.
  expect(answers.map(({ facts }) => facts)).toEqual(['{"done":1}', '{"done":2}']);
  pool.close();
  pool.warm();
  expect(await endOf(pool, job("echo"))).toBe("cancelled");
});

test("long jobs leave a worker for short ones", async () => {
  const pool = openPool({ size: 2 });
  const stop = new AbortController();
  const longs = [1, 2, 3].map(() => endOf(pool, job("spin", "", { long: true, signal: stop.signal })));
  const shorts = Array.from({ length: 20 }, (_, index) => endOf(pool, job("echo", String(index))));
  expect(await Promise.all(shorts)).toHaveLength(20);
  expect(pool.active).toBe(3);
  stop.abort();
  expect(await Promise.all(longs)).toEqual(["cancelled", "cancelled", "cancelled"]);
});

test("progress goes to the job that made it, and none of a job that is over within 200 ms", async () => {
  const pool = openPool({ size: 1 });
  const none: number[] = [];
  // The worker is there, so that it works for all of its 100 ms, however slow it is.
  await pool.run(job("echo"));
  const short = { timeoutMs: 100, onProgress: ({ done }: { done: number }) => void none.push(done) };
  expect(await endOf(pool, job("spin", "", short))).toBe("timed_out");
  const seen: number[] = [];
  const stop = new AbortController();
  const onProgress = ({ done }: { done: number }): void => void seen.push(done);
  const end = endOf(pool, job("spin", "", { signal: stop.signal, onProgress }));
  await until("two reports", () => seen.length > 1);
  stop.abort();
  expect(await end).toBe("cancelled");
  expect(none).toEqual([]);
});

test("a closed pool answers what it has and takes no more", async () => {
  const pool = openPool({ size: 1 });
  const ends = [job("spin", mark()), job("spin"), job("echo")].map((one) => endOf(pool, one));
  await begun(mark());
  pool.close();
  expect(await Promise.all(ends)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(await endOf(pool, job("echo"))).toBe("cancelled");
});

test("closeWhenIdle() lets jobs finish, running and queued, and takes no more", async () => {
  const pool = openPool({ size: 1 });
  const ends = Array.from({ length: 100 }, (_, index) => endOf(pool, job("echo", String(index))));
  pool.closeWhenIdle();
  expect(await endOf(pool, job("echo"))).toBe("cancelled");
  expect(await Promise.all(ends)).toEqual(ends.map((_, index) => String(index)));
  expect(pool.active).toBe(0);
});
