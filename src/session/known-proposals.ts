/**
 * What this process knows of the proposals that it made: their digests, so that they can be applied by their ids alone,
 * and what no file can prove, as why they are asked about. The state folder can be written by others; this cannot.
 */
import { limits } from "../base/index.ts";
import type { ReviewNews } from "../contract/index.ts";
import type { KnownProposal } from "../jobs/index.ts";
import type { RequestId } from "../wire/index.ts";

/** A request ends with a proposal, or with the transaction of what was applied at once. */
type RequestEnd = { readonly proposal: string } | { readonly transaction: string };

export class KnownProposals implements Disposable {
  readonly #known: Map<string, KnownProposal> = new Map();
  /** Proposals that a call of this process waits for: it makes what is approved, and nobody else here does. */
  readonly awaited: Set<string> = new Set();
  /** Calls that are made when a person approves them, also after their answer. Disposing lets go of the proposal. */
  readonly late: Map<string, Disposable> = new Map();
  readonly #made: Map<string, Promise<ReviewNews>> = new Map();
  /** What a request came to, so that a script can apply by request. */
  readonly #byRequest: Map<RequestId, RequestEnd> = new Map();

  /** The first is what its caller was told. */
  note(proposal: KnownProposal, request: RequestId | undefined): void {
    const { id } = proposal.view;
    if (request !== undefined) setBounded(this.#byRequest, request, { proposal: id });
    if (!this.#known.has(id)) setBounded(this.#known, id, proposal);
  }

  /** What became of those that were approved, until the agent has asked. */
  get made(): ReadonlyMap<string, Promise<ReviewNews>> {
    return this.#made;
  }

  /** An agent may never ask. Whoever asks about one that was forgotten is told that it was approved, without its answer. */
  noteMade(id: string, news: Promise<ReviewNews>): void {
    setBounded(this.#made, id, news);
  }

  /** The agent has heard of it. */
  forgetMade(id: string): void {
    this.#made.delete(id);
  }

  /** Nobody makes them any more. */
  [Symbol.dispose](): void {
    for (const expected of this.late.values()) expected[Symbol.dispose]();
    this.late.clear();
  }

  /** A change that needed nobody's approval. */
  noteApplied(transaction: string, request: RequestId | undefined): void {
    if (request !== undefined) setBounded(this.#byRequest, request, { transaction });
  }

  madeBy(request: RequestId): RequestEnd | undefined {
    return this.#byRequest.get(request);
  }

  get(id: string): KnownProposal | undefined {
    return this.#known.get(id);
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  all(): Readonly<Record<string, KnownProposal>> {
    return Object.fromEntries(this.#known);
  }
}

/** The oldest is forgotten for one too many. */
function setBounded<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.set(key, value);
  if (map.size <= limits.MAX_PROPOSALS) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
