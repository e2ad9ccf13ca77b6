/**
 * The proposals that the server holds: those that were shown last, and those that are likely to be shown next, which are loaded
 * before anybody asks. Whether one is still what it was, the reviewer says each time.
 */
import { parseLabel } from "../../approval/index.ts";
import { Failure } from "../../base/index.ts";
import type { ReviewChoices } from "../../review/index.ts";
import type { ReviewerLine } from "./reviewer-line.ts";
import { ShownProposal } from "./shown-proposal.ts";

/** Proposals whose lines are at hand. */
const MAX_HELD = 8;

export interface HeldProposal {
  readonly proposal: ShownProposal;
  readonly draft: ReviewChoices;
}

export class HeldProposals {
  readonly #reviewer: ReviewerLine;
  readonly #held: Map<string, ShownProposal> = new Map();
  readonly #preparing: Map<string, Promise<HeldProposal>> = new Map();

  constructor(reviewer: ReviewerLine) {
    this.#reviewer = reviewer;
  }

  /** @throws Failure of the reviewer */
  async show(id: string): Promise<HeldProposal> {
    // What is prepared is as new as what would be asked for now.
    return await (this.#preparing.get(id) ?? this.#load(id));
  }

  /** @throws Failure `conflict` when it is another one by now */
  async named(label: string): Promise<ShownProposal> {
    const held = [...this.#held.values()].find(({ review }) => review.label === label);
    const proposal = held ?? (await this.#load(parseLabel(label).id)).proposal;
    if (proposal.review.label === label) return proposal;
    throw new Failure("conflict", `Cannot show "${label}": it is another proposal by now`);
  }

  /** Loads it before anybody asks, so that it is shown at once. */
  prepare(id: string | undefined): void {
    if (id === undefined || this.#held.has(id) || this.#preparing.has(id)) return;
    const preparing = this.#load(id);
    this.#preparing.set(id, preparing);
    preparing
      .then(({ proposal }) => proposal.outline("unified"))
      // Whoever asks for it is told.
      .catch(() => undefined)
      .finally(() => this.#preparing.delete(id));
  }

  async #load(id: string): Promise<HeldProposal> {
    const held = this.#held.get(id);
    const answer = await this.#reviewer.ask("load", { id, known: held?.review.label });
    const proposal = "isSame" in answer ? held : new ShownProposal(answer);
    if (!proposal) throw new Error("a proposal that the server does not have");
    this.#held.delete(id);
    this.#held.set(id, proposal);
    for (const oldest of [...this.#held.keys()].slice(0, -MAX_HELD)) this.#held.delete(oldest);
    return { proposal, draft: answer.draft };
  }
}
