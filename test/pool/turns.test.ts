/**
 * Whose turn it is, on a clock that only the test moves: the order of pieces and of ends, never a time.
 */
import { describe, expect, test } from "bun:test";
import type { JobTurn } from "../../src/base/index.ts";
import { Turns, type TurnJob } from "../../src/pool/turns.ts";
import { settled } from "../waits/until.ts";

const [SHORT, SEARCH, BULK] = [0, 1, 2];

interface TestJob extends TurnJob {
  readonly name: string;
}

/** A thread whose jobs say what they do. */
class TestThread {
  nowMs = 0;
  isMail = false;
  /** The names of the jobs, one for each piece that was done. */
  readonly pieces: string[] = [];
  readonly ends: string[] = [];
  /** Each time that no job could go on: those that waited for what is done elsewhere. */
  readonly rests: number[] = [];
  #rested: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Between two turns, as a message would come. */
  onMail: () => void = () => {};
  readonly turns: Turns<TestJob> = new Turns<TestJob>({
    clock: () => this.nowMs,
    hasMail: () => this.isMail,
    readMail: async () => {
      await Promise.resolve();
      this.onMail();
    },
    onTurn: () => undefined,
    onRest: (away) => {
      this.rests.push(away);
      this.#rested.resolve();
    },
  });

  /** @param pieces of two milliseconds each */
  job(name: string, rank: number, pieces: number, more: Partial<TestJob> = {}): TestJob {
    return {
      name,
      rank,
      isStopped: () => false,
      work: async (turn) => {
        for (let at = 0; at < pieces; at++) await this.piece(name, turn);
        this.ends.push(name);
      },
      ...more,
    };
  }

  async piece(name: string, turn: JobTurn): Promise<void> {
    this.pieces.push(name);
    this.nowMs += 2;
    await turn.pause();
  }

  /** Begins them. @returns until no job can go on */
  async run(...jobs: readonly TestJob[]): Promise<void> {
    this.#rested = Promise.withResolvers();
    this.turns.enter(jobs);
    await settled("the rest of the thread", this.#rested.promise);
  }

  countOf(name: string): number {
    return this.pieces.filter((piece) => piece === name).length;
  }
}

test("jobs that end within their first turn are done in the order in which they came, whatever their rank", async () => {
  const thread = new TestThread();
  await thread.run(thread.job("a", BULK, 2), thread.job("b", SHORT, 1), thread.job("c", SEARCH, 1));
  expect(thread.pieces.join("")).toBe("aabc");
});

test("a job pauses only when others wait and it has had its time", async () => {
  const thread = new TestThread();
  const paused: boolean[] = [];
  const alone = thread.job("alone", BULK, 0, {
    async work(turn) {
      thread.nowMs += 1000;
      paused.push(turn.pause() !== undefined);
      thread.isMail = true;
      const next = turn.pause();
      paused.push(next !== undefined);
      await next;
      paused.push(turn.pause() !== undefined);
    },
  });
  await thread.run(alone);
  expect(paused).toEqual([false, true, false]);
});

test.each([1, 4, 64])("beside %d endless jobs a search gets two thirds of the time", async (count) => {
  const thread = new TestThread();
  const searched = { isOver: false };
  const endless = Array.from({ length: count }, (_, at) =>
    thread.job(`endless ${at}`, BULK, 0, {
      async work(turn) {
        while (!searched.isOver) await thread.piece("endless", turn);
      },
    }),
  );
  const search = thread.job("search", SEARCH, 0, {
    async work(turn) {
      for (let at = 0; at < 30; at++) await thread.piece("search", turn);
      searched.isOver = true;
    },
  });
  let begun = 0;
  thread.isMail = true;
  thread.onMail = () => {
    // Each has been begun, and has had its first turns.
    if (++begun === count * 3) thread.turns.enter([search]);
  };
  await thread.run(...endless);
  const from = thread.pieces.indexOf("search");
  const beside = thread.pieces.slice(from, thread.pieces.lastIndexOf("search"));
  expect(beside.length).toBeLessThanOrEqual(30 * 1.5 + 3);
  // Nor does it wait long for its first turn.
  expect(from).toBeLessThanOrEqual(count * 9 + 6);
});

test("beside one endless job of a lighter rank a search gets a third of the time", async () => {
  const thread = new TestThread();
  const searched = { isOver: false };
  const endless = thread.job("endless", SHORT, 0, {
    async work(turn) {
      // The bound ends the test where the search is never begun.
      for (let at = 0; at < 1000 && !searched.isOver; at++) await thread.piece("endless", turn);
    },
  });
  const search = thread.job("search", SEARCH, 0, {
    async work(turn) {
      for (let at = 0; at < 30; at++) await thread.piece("search", turn);
      searched.isOver = true;
    },
  });
  thread.isMail = true;
  await thread.run(endless, search);
  expect(thread.pieces.lastIndexOf("search")).toBeLessThanOrEqual(30 * 3 + 15);
});

test("long jobs of one rank share the time fairly", async () => {
  const thread = new TestThread();
  const names = Array.from({ length: 7 }, (_, at) => `h${at}`);
  await thread.run(...names.map((name) => thread.job(name, BULK, 60)));
  const half = thread.pieces.slice(0, 7 * 30);
  const counts = names.map((name) => half.filter((piece) => piece === name).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(6);
  expect(new Set(thread.ends)).toEqual(new Set(names));
});

test("a new long job goes before those of its rank that have had more", async () => {
  const thread = new TestThread();
  thread.isMail = true;
  let mails = 0;
  thread.onMail = () => {
    if (++mails === 60) thread.turns.enter([thread.job("new", BULK, 30)]);
  };
  await thread.run(...["a", "b", "c", "d"].map((name) => thread.job(name, BULK, 300)));
  const from = thread.pieces.indexOf("new");
  expect(thread.pieces.lastIndexOf("new") - from).toBeLessThanOrEqual(30 * 1.5 + 3);
});

test("one that comes while another has long been alone goes first", async () => {
  const thread = new TestThread();
  thread.onMail = () => {
    thread.isMail = false;
    thread.turns.enter([thread.job("search", SEARCH, 1)]);
  };
  const alone = thread.job("alone", BULK, 0, {
    async work(turn) {
      for (let at = 0; at < 100; at++) {
        thread.isMail = at === 90;
        await thread.piece("alone", turn);
      }
    },
  });
  await thread.run(alone);
  expect(thread.pieces[91]).toBe("search");
});

test("however many quick jobs come, a bulk job comes to its end, with a third of the time", async () => {
  const thread = new TestThread();
  let quick = 0;
  const next = (): TestJob =>
    thread.job("quick", SHORT, 1, {
      async work() {
        quick++;
        thread.pieces.push("quick");
        thread.nowMs += 2;
        // The one after it is there before it ends.
        if (!thread.ends.includes("bulk") && quick < 1000) thread.turns.enter([next()]);
      },
    });
  await thread.run(thread.job("bulk", BULK, 60), next(), next(), next());
  expect(thread.ends).toEqual(["bulk"]);
  expect(quick).toBeGreaterThan(60);
  expect(quick).toBeLessThan(60 * 3);
});

test("while a job waits for what is done elsewhere the others go on, and then it does", async () => {
  const thread = new TestThread();
  const elsewhere = Promise.withResolvers<number>();
  const order: string[] = [];
  const away = thread.job("away", SEARCH, 0, {
    async work(turn) {
      order.push("leaves");
      const got = await turn.away(elsewhere.promise);
      order.push(`got ${got}`);
    },
  });
  const other = thread.job("other", SEARCH, 0, {
    async work(turn) {
      for (let at = 0; at < 10; at++) {
        order.push("other");
        thread.nowMs += 2;
        await turn.pause();
      }
    },
  });
  thread.onMail = () => elsewhere.resolve(7);
  await thread.run(away, other);
  expect(order[0]).toBe("leaves");
  expect(order.filter((what) => what === "other")).toHaveLength(10);
  expect(order).toContain("got 7");
  expect(order.at(-1)).toBe("other");
});

test("when all jobs are away the thread rests, and it wakes by itself", async () => {
  const thread = new TestThread();
  const elsewhere = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const failing = Promise.reject(new Error("elsewhere"));
  const job = thread.job("away", SEARCH, 0, {
    async work(turn) {
      await turn.away(elsewhere.promise);
      const thrown: unknown = await turn.away(failing).catch((error: unknown) => error);
      thread.ends.push(String(thrown));
      ended.resolve();
    },
  });
  await thread.run(job);
  expect(thread.rests).toEqual([1]);
  elsewhere.resolve();
  await settled("the job", ended.promise);
  expect(thread.ends).toEqual(["Error: elsewhere"]);
});

describe("one that was told to stop", () => {
  test("a job that was told to stop goes before those that have waited longer", async () => {
    const thread = new TestThread();
    const stop = { isSaid: false, atPiece: 0 };
    const stoppable = thread.job("stopped", BULK, 0, {
      isStopped: () => stop.isSaid,
      async work(turn) {
        while (!stop.isSaid) await thread.piece("stopped", turn);
        thread.ends.push(`stopped after ${thread.pieces.length - stop.atPiece}`);
      },
    });
    const others = Array.from({ length: 30 }, (_, at) => thread.job(`other ${at}`, SEARCH, 60));
    others[0] = thread.job("stopper", SEARCH, 0, {
      async work(turn) {
        for (let at = 0; at < 60; at++) {
          if (at === 30) Object.assign(stop, { isSaid: true, atPiece: thread.pieces.length });
          await thread.piece("stopper", turn);
        }
      },
    });
    await thread.run(stoppable, ...others);
    const after = Number(
      thread.ends
        .find((end) => end.startsWith("stopped"))
        ?.split(" ")
        .at(-1),
    );
    expect(after).toBeLessThanOrEqual(12);
  });
});
