/**
 * The client as this side talks to it unasked: questions in the handshake era, notifications in both, each only where
 * the client can take it. Every question has a bound: no answer in time is an answer too. A response that answers nothing
 * is dropped; a late one is handed on.
 */
import { CLOCK, type Clock, type StopSignal } from "../base/index.ts";
import { notificationLine, requestLine, type RequestId, type Response, type Writer } from "../wire/index.ts";

interface PeerQuestion {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** Nobody waits for the answer any more. */
  readonly signal?: StopSignal;
  /** Takes an answer that comes after all; with it, the question is one that other calls wait for. */
  readonly late?: (response: Response) => void;
}

/** A flood of calls must not become a flood of dialogs; more get no question, and so no answer. */
const MAX_QUESTIONS = 256;

export class Peer {
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #waiting: Map<RequestId, (response: Response | undefined) => void> = new Map();
  /** Questions that were given up; an answer is still one. The newest only. */
  #late: { readonly id: RequestId; readonly take: (response: Response) => void } | undefined;
  #last = 0;
  #urgent = 0;
  #closed = false;

  constructor(writer: Writer, clock: Clock = CLOCK) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** The response, or `undefined` when there is none in time or there can be none any more. */
  async ask({ method, params, timeoutMs, signal, late }: PeerQuestion): Promise<Response | undefined> {
    if (this.#closed || signal?.aborted || this.#waiting.size >= MAX_QUESTIONS) return undefined;
    // Each side has ids of its own; this form is for people who read a log of both.
    const id = `ringfence-${++this.#last}`;
    const { promise, resolve } = Promise.withResolvers<Response | undefined>();
    this.#waiting.set(id, resolve);
    if (late) this.#urgent++;
    const giveUp = (reason: string): void => {
      if (late) this.#late = { id, take: late };
      else this.notify("notifications/cancelled", { requestId: id, reason });
      resolve(undefined);
    };
    using timer = this.#clock.after(timeoutMs, () => giveUp("no answer in time"));
    timer.unref();
    signal?.addEventListener("abort", () => {
      if (this.#waiting.has(id)) giveUp("the call was cancelled");
    });
    this.#writer.send(requestLine(id, method, params));
    const response = await promise;
    this.#waiting.delete(id);
    if (late) this.#urgent--;
    return response;
  }

  /** All calls may wait for the answer, so reading must go on. */
  get mustHear(): boolean {
    return this.#urgent > 0;
  }

  notify(method: string, params?: Readonly<Record<string, unknown>>): void {
    this.#writer.send(notificationLine(method, params));
  }

  settle(response: Response): void {
    if (this.#late?.id === response.id) {
      const { take } = this.#late;
      this.#late = undefined;
      take(response);
    }
    this.#waiting.get(response.id)?.(response);
  }

  /** Nobody is there to answer. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}
