/**
 * The server's end of the pipe to the reviewer that started it: asks go out with a number and their answers come back, and what
 * waits is told without being asked for.
 */
import { Failure, failureFromData } from "../../base/index.ts";
import { readLines, TextWriter } from "../../proc/index.ts";
import type { FromServer, PageAnswers, PageAskName, PageAsks, PageOrder, QueueItem, ToServer } from "../protocol.ts";

const [INPUT, OUTPUT] = [0, 1];

export interface ReviewerLine {
  readonly order: Promise<PageOrder>;
  /** @throws Failure of the reviewer */
  ask<Name extends PageAskName>(name: Name, about: PageAsks[Name]): Promise<PageAnswers[Name]>;
  tell(word: Exclude<FromServer, { readonly ask: string }>): void;
  onQueue(listener: (queue: readonly QueueItem[]) => void): void;
  /** The reviewer is gone, or wants the end. */
  readonly ended: Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (failure: Failure) => void;
}

export function openReviewerLine(): ReviewerLine {
  const writer = new TextWriter(OUTPUT);
  const order = Promise.withResolvers<PageOrder>();
  const waiting = new Map<number, Waiting>();
  const listeners: ((queue: readonly QueueItem[]) => void)[] = [];
  let isOrdered = false;
  let lastId = 0;
  const reader = readLines(INPUT, (line) => {
    if (!isOrdered) {
      isOrdered = true;
      order.resolve(JSON.parse(line) as PageOrder);
      return;
    }
    const word = JSON.parse(line) as ToServer;
    if ("queue" in word) {
      for (const listener of listeners) listener(word.queue);
      return;
    }
    const asked = waiting.get(word.id);
    waiting.delete(word.id);
    if ("failure" in word) asked?.reject(failureFromData(word.failure));
    else asked?.resolve(word.answer as never);
  });
  return {
    order: order.promise,
    ask: async (name, about) =>
      await new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        const isHeard = writer.write(`${JSON.stringify({ id, ask: name, about } satisfies FromServer)}\n`);
        if (!isHeard) reject(new Failure("cancelled", "Cannot ask the reviewer: it has ended"));
      }),
    tell: (word) => void writer.write(`${JSON.stringify(word)}\n`),
    onQueue: (listener) => void listeners.push(listener),
    ended: reader.ended,
  };
}
