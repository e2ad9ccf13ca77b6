/** Writing: order, joining, a slow sink, a broken sink, and the end. */
import { describe, expect, test } from "bun:test";
import { Writer, type LineSink } from "../../src/wire/index.ts";
import { turn } from "./turn.ts";

/** A sink that takes one chunk each time `take` is called, as a full pipe does. */
function slowSink(): LineSink & { chunks: string[]; take: () => void; fail: () => void } {
  const chunks: string[] = [];
  let pending: PromiseWithResolvers<number> | undefined;
  return {
    chunks,
    write(text: string): Promise<number> {
      if (pending !== undefined) throw new Error("written to before the last write ended");
      chunks.push(text);
      pending = Promise.withResolvers<number>();
      return pending.promise;
    },
    flush: () => undefined,
    take(): void {
      pending?.resolve(1);
      pending = undefined;
    },
    fail(): void {
      pending?.reject(Object.assign(new Error("EPIPE: broken pipe, write"), { code: "EPIPE" }));
      pending = undefined;
    },
  };
}

function fastSink(): LineSink & { chunks: string[] } {
  const chunks: string[] = [];
  return { chunks, write: (text) => chunks.push(text), flush: () => undefined };
}

describe("order and joining", () => {
  test("lines of one tick leave as one chunk, later ones in later chunks", async () => {
    const sink = fastSink();
    const writer = new Writer(sink);
    writer.send("1");
    writer.send('"é"');
    expect(sink.chunks).toEqual([]);
    expect(writer.queuedBytes).toBe(2 + 5);
    await Promise.resolve();
    writer.send("3");
    await writer.close();
    expect(sink.chunks).toEqual(['1\n"é"\n', "3\n"]);
    expect(writer.queuedBytes).toBe(0);
  });

  test("what must be done before lines leave is done once for each chunk", async () => {
    const sink = fastSink();
    const writer = new Writer(sink);
    const seen: number[] = [];
    writer.beforeWrite = () => seen.push(sink.chunks.length);
    writer.send("1");
    writer.send("2");
    await turn();
    writer.send("3");
    await writer.close();
    expect([seen, sink.chunks]).toEqual([
      [0, 1],
      ["1\n2\n", "3\n"],
    ]);
  });

  test("100,000 lines keep their order, in chunks of whole lines of at most 256 KiB", async () => {
    const sink = fastSink();
    const writer = new Writer(sink);
    const lines = Array.from({ length: 100_000 }, (_, n) => JSON.stringify({ n }));
    for (const line of lines) writer.send(line);
    await writer.close();
    expect(sink.chunks.join("")).toBe(`${lines.join("\n")}\n`);
    expect(sink.chunks.length).toBeGreaterThan(3);
    expect(sink.chunks.filter((chunk) => chunk.length > 256 * 1024 || !chunk.endsWith("\n"))).toEqual([]);
  });

  test("a line above the chunk size goes alone and whole", async () => {
    const sink = fastSink();
    const writer = new Writer(sink);
    const large = `"${"x".repeat(1_000_000)}"`;
    for (const line of ["1", large, "2"]) writer.send(line);
    await writer.close();
    expect(sink.chunks).toEqual(["1\n", `${large}\n`, "2\n"]);
  });

  test("a raw newline is a bug", () => {
    const writer = new Writer(fastSink());
    expect(() => writer.send('{"a":\n1}')).toThrow("Cannot send the line: it holds a raw newline");
    expect(writer.queuedBytes).toBe(0);
  });
});

describe("a slow sink", () => {
  test("a slow sink is given one chunk at a time, and the queue says when to hold", async () => {
    const sink = slowSink();
    const writer = new Writer(sink, { maxQueueBytes: 10 });
    writer.send("1234");
    await turn();
    expect([writer.queuedBytes, writer.drained()]).toEqual([5, undefined]);
    for (const line of ["a", "b", "c"]) writer.send(line);
    await turn();
    expect(sink.chunks).toEqual(["1234\n"]);
    expect(writer.queuedBytes).toBe(11);
    let drained = false;
    const wait = writer.drained()?.then(() => (drained = true));
    await turn();
    expect(drained).toBe(false);
    sink.take();
    await wait;
    expect([drained, writer.queuedBytes, sink.chunks]).toEqual([true, 6, ["1234\n", "a\nb\nc\n"]]);
    sink.take();
    await writer.close();
    expect(writer.queuedBytes).toBe(0);
  });

  test("a slow sink wakes a waiter only below the mark", async () => {
    const sink = slowSink();
    const writer = new Writer(sink, { maxQueueBytes: 100 });
    const large = "1".repeat(300_000);
    for (let n = 0; n < 3; n++) writer.send(large);
    let drained = false;
    void writer.drained()?.then(() => (drained = true));
    const seen: boolean[] = [];
    for (let n = 0; n < 3; n++) {
      await turn();
      sink.take();
      await turn();
      seen.push(drained);
    }
    expect(seen).toEqual([false, false, true]);
  });

  test("close() waits for it, and takes no more", async () => {
    const sink = slowSink();
    const writer = new Writer(sink);
    writer.send("1");
    let closed = false;
    const done = writer.close().then(() => (closed = true));
    writer.send("2");
    await turn();
    expect(closed).toBe(false);
    sink.take();
    await done;
    expect([sink.chunks, writer.queuedBytes, writer.broken]).toEqual([["1\n"], 0, false]);
    await writer.close();
  });

  test("a promise of flush() is awaited too", async () => {
    const flushed = Promise.withResolvers<number>();
    const chunks: string[] = [];
    const writer = new Writer({
      write: (text) => chunks.push(text),
      flush: async () => await flushed.promise,
    });
    writer.send("1");
    await turn();
    writer.send("2");
    await turn();
    expect([chunks, writer.queuedBytes]).toEqual([["1\n"], 4]);
    flushed.resolve(2);
    await writer.close();
    expect(chunks).toEqual(["1\n", "2\n"]);
  });
});

describe("a broken sink", () => {
  test("a sink that breaks with EPIPE ends queued lines and waiters", async () => {
    const sink = slowSink();
    const writer = new Writer(sink, { maxQueueBytes: 1 });
    const told: string[] = [];
    writer.onBroken(() => told.push(`first, broken ${writer.broken}`));
    writer.onBroken(() => told.push("second"));
    writer.send("1");
    await turn();
    writer.send("2");
    const waits = [writer.drained(), writer.close()];
    sink.fail();
    await Promise.all(waits);
    expect(told).toEqual(["first, broken true", "second"]);
    expect([writer.broken, writer.queuedBytes, writer.drained()]).toEqual([true, 0, undefined]);
    writer.send("3");
    await writer.close();
    expect(sink.chunks).toEqual(["1\n"]);
    writer.onBroken(() => told.push("late"));
    expect(told).toEqual(["first, broken true", "second", "late"]);
  });

  test.each([
    ["ENOSPC", "ENOSPC"],
    ["EPIPE", undefined],
  ])("a writer tells a full disk from a reader that is gone: %s", async (code, told) => {
    const problems: unknown[] = [];
    const writer = new Writer({
      write: () => {
        throw Object.assign(new Error("it fails"), { code });
      },
      flush: () => 0,
    });
    writer.onBroken((problem) => problems.push(problem));
    writer.send("1");
    await writer.close();
    expect(problems).toEqual([told]);
  });

  const sinks: [string, LineSink][] = [
    ["write throws", { write: () => fail(), flush: () => 0 }],
    ["write rejects", { write: async () => fail(), flush: () => 0 }],
    ["flush throws", { write: () => 1, flush: () => fail() }],
    ["flush rejects", { write: () => 1, flush: async () => fail() }],
  ];
  test.each(sinks)("a writer sees that its sink is broken: %s", async (_name, sink) => {
    const writer = new Writer(sink);
    let told = 0;
    writer.onBroken(() => told++);
    writer.send("1");
    await writer.close();
    expect([writer.broken, told]).toEqual([true, 1]);
  });

  test("a broken sink is never written to again", async () => {
    let writes = 0;
    const writer = new Writer({ write: async () => (writes++, fail()), flush: () => 0 });
    for (let n = 0; n < 3; n++) {
      writer.send("1");
      await turn();
    }
    expect([writes, writer.queuedBytes]).toEqual([1, 0]);
  });
});

function fail(): number {
  throw new Error("EPIPE");
}
