/**
 * The record of a host as a stream. What comes while nobody asks is kept up to a bound; what is lost beyond it is told in
 * its place, because a gap that nobody sees is worse than one that is counted.
 */

/** One line of the record, redacted. docs/policy.md says what there is. */
export interface HostEvent {
  /** ISO 8601 */
  readonly time: string;
  /** proposed, decided, started, completed, failed, change, approved, applied, ...; `dropped` with a `count`. */
  readonly event: string;
  readonly tool?: string;
  readonly [member: string]: unknown;
}

/** Ends with the host, by `return()`, `break` or the signal. */
export interface EventStream extends AsyncIterableIterator<HostEvent, undefined>, AsyncDisposable {
  /** Ends it; what is kept is dropped. */
  return(): Promise<IteratorResult<HostEvent, undefined>>;
}

/** @returns what takes the listener away */
export type Listen = (take: (event: HostEvent) => void, ended: (error: Error | undefined) => void) => () => void;

const MAX_KEPT = 10_000;

interface Waiter {
  readonly resolve: (result: IteratorResult<HostEvent, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/** Listens from now on, not from the first `next()`. */
export function openEventStream(listen: Listen, signal: AbortSignal | undefined): EventStream {
  const kept: HostEvent[] = [];
  const waiters: Waiter[] = [];
  let dropped = 0;
  const state: { isOver: boolean; error?: Error } = { isOver: false };
  let stopListening: (() => void) | undefined;

  const take = (event: HostEvent): void => {
    const waiter = waiters.shift();
    if (waiter) return waiter.resolve({ done: false, value: event });
    kept.push(event);
    if (kept.length <= MAX_KEPT) return undefined;
    kept.shift();
    dropped++;
    return undefined;
  };
  const end = (why?: Error): void => {
    if (state.isOver) return;
    state.isOver = true;
    if (why) state.error = why;
    stopListening?.();
    signal?.removeEventListener("abort", onAbort);
    for (const { resolve, reject } of waiters.splice(0))
      if (why) reject(why);
      else resolve({ done: true, value: undefined });
  };
  const onAbort = (): void => end();
  stopListening = listen(take, end);
  // A source that is gone says so at once.
  if (state.isOver) stopListening();
  else if (signal?.aborted) end();
  else signal?.addEventListener("abort", onAbort);

  const next = async (): Promise<IteratorResult<HostEvent, undefined>> => {
    const [event] = kept;
    if (event && dropped > 0) {
      const count = dropped;
      dropped = 0;
      return { done: false, value: { time: event.time, event: "dropped", count } };
    }
    if (event) {
      kept.shift();
      return { done: false, value: event };
    }
    if (state.error) throw state.error;
    if (state.isOver) return { done: true, value: undefined };
    return await new Promise((resolve, reject) => waiters.push({ resolve, reject }));
  };
  const stream: EventStream = {
    next,
    async return() {
      kept.length = 0;
      end();
      return await Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose]() {
      await stream.return();
    },
  };
  return stream;
}
