/**
 * What this process knows of the proposals that it made: their digests, so that they can be applied by their ids alone, and what no
 * file can prove, as why they are asked about. The state folder can be written by others; this cannot.
 */
import { limits } from "../base/index.ts";
import type { KnownProposal } from "../jobs/index.ts";

export class KnownProposals {
  readonly #known: Map<string, KnownProposal> = new Map();

  /** The first is what its caller was told. */
  note(proposal: KnownProposal): void {
    const { id } = proposal.view;
    if (this.#known.has(id)) return;
    this.#known.set(id, proposal);
    if (this.#known.size <= limits.MAX_PROPOSALS) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
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
