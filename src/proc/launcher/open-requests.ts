/**
 * Requests over a connection that have no answer yet, by their numbers. Each is answered or failed exactly once; when the
 * connection is lost, all of them fail.
 */
import { failureFromData, type Failure } from "../../base/index.ts";
import type { LaunchAnswer } from "../launcher-protocol.ts";

interface OpenRequest<More> {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (failure: Failure) => void;
  readonly more: More;
}

export class OpenRequests<More> {
  readonly #open: Map<number, OpenRequest<More>> = new Map();
  #lastId = 0;

  get size(): number {
    return this.#open.size;
  }

  open(more: More): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { resolve, reject, more });
    return { id, answer: promise };
  }

  /** What was given when the request was opened; `undefined` when nobody waits for it. */
  find(id: number): More | undefined {
    return this.#open.get(id)?.more;
  }

  settle({ id, failure, answer }: Pick<LaunchAnswer, "id" | "failure" | "answer">): void {
    // Not after the request is forgotten: what cannot be read must leave it to be failed.
    if (failure) return this.fail(id, failureFromData(failure));
    const found = this.#open.get(id);
    this.#open.delete(id);
    found?.resolve(answer);
  }

  fail(id: number, failure: Failure): void {
    const found = this.#open.get(id);
    this.#open.delete(id);
    found?.reject(failure);
  }

  failAll(failure: Failure): void {
    for (const id of this.#open.keys()) this.fail(id, failure);
  }
}
