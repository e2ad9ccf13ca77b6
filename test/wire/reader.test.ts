/** Reading: whole lines, the end, failures, and that a slow host is not sent more. */
import { expect, test } from "bun:test";
import { createFrames, readFrames, type Frame } from "../../src/wire/index.ts";
import { turn } from "./turn.ts";

const OPTIONS = { maxBytes: 1000, maxDepth: 10 };
const encoder = new TextEncoder();

function chunks(...texts: string[]): ReadableStream<Uint8Array> {
  return streamOf(texts.map((text) => encoder.encode(text)).values());
}

/** Asks for a chunk only when it is asked for one itself. */
function streamOf(source: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const { done, value } = source.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const seen: string[] = [];
  await readFrames(stream, createFrames(OPTIONS), {
    onFrame: (frame: Frame) => seen.push(frame.kind === "line" ? frame.text : frame.message),
    afterChunk: () => void seen.push("|"),
  });
  return seen;
}

test("a stream is read to its end, the last line included, and given back", async () => {
  const expected = ["1", "|", "23", "4", "|", "|", "5"];
  expect(await read(chunks("1\n2", "3\n4\n", "5"))).toEqual(expected);
  const stream = new ReadableStream<Uint8Array>({
    start(controller): void {
      for (const text of ["1\n2", "3\n4\n", "5"]) controller.enqueue(encoder.encode(text));
      controller.close();
    },
  });
  expect(await read(stream)).toEqual(expected);
  expect(stream.locked).toBe(false);
});

test("empty input resolves", async () => {
  expect(await read(chunks())).toEqual([]);
});

test("nothing more is read while afterChunk holds", async () => {
  let asked = 0;
  function* source(): Generator<Uint8Array, void> {
    for (; asked < 3; asked++) yield encoder.encode(`${asked}\n`);
  }
  const holds: PromiseWithResolvers<void>[] = [];
  const seen: Frame[] = [];
  const done = readFrames(streamOf(source()), createFrames(OPTIONS), {
    onFrame: (frame) => seen.push(frame),
    afterChunk: () => {
      const hold = Promise.withResolvers<void>();
      holds.push(hold);
      return hold.promise;
    },
  });
  for (const expected of [1, 2, 3]) {
    await turn();
    expect([seen.length, asked]).toEqual([expected, expected - 1]);
    holds[expected - 1]?.resolve();
  }
  await done;
  expect(seen).toHaveLength(3);
});

function* broken(): Generator<Uint8Array, void> {
  yield encoder.encode("1\n");
  throw new Error("EISDIR");
}

test("the event loop turns while a source always has more, and what it gave is still read in order", async () => {
  const heard: string[] = [];
  let given = 0;
  void turn().then(() => heard.push("a turn of the event loop"));
  function* source(): Generator<Uint8Array, void> {
    // The second number is for a reader that hears nothing: the test ends then too.
    for (; heard.length === 0 && given < 3_000_000; given++) yield encoder.encode(`${given}\n`);
  }
  let last = -1;
  await readFrames(streamOf(source()), createFrames(OPTIONS), {
    onFrame: (frame) => {
      if (frame.kind === "line") expect(Number(frame.text)).toBe(++last);
    },
    afterChunk: () => undefined,
  });
  expect(heard).toHaveLength(1);
  expect(last).toBe(given - 1);
});

test("a connection that breaks is the end of the input", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("1\n2")),
    pull: (controller) => controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
  });
  expect(await read(stream)).toEqual(["1", "|", "2"]);
});

test("a reader rejects when its stream or its handler fails", async () => {
  await expect(read(streamOf(broken()))).rejects.toThrow("EISDIR");
  const failing = readFrames(chunks("1\n"), createFrames(OPTIONS), {
    onFrame: () => {
      throw new Error("bug");
    },
    afterChunk: () => undefined,
  });
  await expect(failing).rejects.toThrow("bug");
});
