/**
 * What this host asks its client, in the era that allows it, and the answers. Every question has a bound: no answer in
 * time is an answer too. A response that answers nothing is dropped; a late one is handed on.
 */
import { requestLine, type RequestId, type Response, type Writer } from "../wire/index.ts";

export class ClientRequests {
  readonly #writer: Writer;
  readonly #waiting: Map<RequestId, (response: Response | undefined) => void> = new Map();
  /** Questions that were given up; an answer is still one. The newest only. */
  #late: { readonly id: RequestId; readonly take: (response: Response) => void } | undefined;
  #last = 0;
  #closed = false;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /**
   * The response, or `undefined` when there is none in time or there can be none any more.
   * @param late takes one that comes after all
   */
  async ask(
    method: string,
    timeoutMs: number,
    late: (response: Response) => void,
  ): Promise<Response | undefined> {
    if (this.#closed) return undefined;
    // Each side has ids of its own; this form is for people who read a log of both.
    const id = `ringfence-${++this.#last}`;
    const { promise, resolve } = Promise.withResolvers<Response | undefined>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => {
      this.#late = { id, take: late };
      resolve(undefined);
    }, timeoutMs);
    timer.unref();
    this.#writer.send(requestLine(id, method));
    const response = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return response;
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
