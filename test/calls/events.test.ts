/**
 * The stream of events by itself: order, the bound with its count, and every way to end it.
 */
import { describe, expect, test } from "bun:test";
import { openEventStream, type EventStream, type HostEvent } from "../../src/calls/events.ts";

interface Source {
  readonly stream: EventStream;
  readonly send: (event: string) => void;
  readonly end: (error?: Error) => void;
  readonly isHeard: () => boolean;
}

function open(signal?: AbortSignal): Source {
  let listener: { take: (event: HostEvent) => void; ended: (error?: Error) => void } | undefined;
  const stream = openEventStream((take, ended) => {
    listener = { take, ended };
    return () => (listener = undefined);
  }, signal);
  return {
    stream,
    send: (event) => listener?.take({ time: "now", event }),
    end: (error) => listener?.ended(error),
    isHeard: () => listener !== undefined,
  };
}

async function namesOf(stream: EventStream, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at < count; at++) names.push((await stream.next()).value?.event ?? "end");
  return names;
}

describe("a stream", () => {
  test("a stream gives what came before and what comes after it was asked, in order", async () => {
    const { stream, send } = open();
    send("a");
    send("b");
    expect(await namesOf(stream, 2)).toEqual(["a", "b"]);
    const waiting = [stream.next(), stream.next()];
    send("c");
    send("d");
    expect((await Promise.all(waiting)).map(({ value }) => value?.event)).toEqual(["c", "d"]);
  });

  test("a stream keeps ten thousand events, and says how many were lost", async () => {
    const { stream, send } = open();
    for (let at = 0; at < 10_003; at++) send(`${at}`);
    expect((await stream.next()).value).toEqual({ time: "now", event: "dropped", count: 3 });
    expect(await namesOf(stream, 2)).toEqual(["3", "4"]);
  });

  test("a stream gives what is left before it ends with its source", async () => {
    const { stream, send, end } = open();
    send("a");
    end();
    expect(await namesOf(stream, 3)).toEqual(["a", "end", "end"]);
  });

  test("a stream ends with the error of its source", async () => {
    const { stream, end } = open();
    const waiting = stream.next();
    end(new Error("gone"));
    expect(waiting).rejects.toThrow("gone");
    expect(stream.next()).rejects.toThrow("gone");
  });

  test("a stream ends at once when its source is gone already", async () => {
    let isHeard = true;
    const stream = openEventStream((_, ended) => {
      ended(undefined);
      return () => (isHeard = false);
    }, undefined);
    expect([(await stream.next()).done, isHeard]).toEqual([true, false]);
  });

  test("listens no more after break, return or its signal", async () => {
    const [first, second] = [open(), open()];
    first.send("a");
    for await (const _ of first.stream) break;
    await second.stream.return();
    const controller = new AbortController();
    const third = open(controller.signal);
    const waiting = third.stream.next();
    controller.abort();
    expect((await waiting).done).toBe(true);
    const fourth = open(AbortSignal.abort());
    expect([first, second, third, fourth].map(({ isHeard }) => isHeard())).toEqual([false, false, false, false]);
    expect((await fourth.stream.next()).done).toBe(true);
  });
});
