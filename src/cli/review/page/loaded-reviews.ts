/**
 * The proposals that the page has loaded. To load one looks at its files and compares them, which takes long for large ones, so
 * one that was loaded is given again as it is while it is stored as it was; what has become of its files meanwhile is looked up
 * behind that, and told.
 */
import { Failure, nowMs } from "../../../base/index.ts";
import type { ListedProposal } from "../../../calls/index.ts";
import type { ProposalReview } from "../../../review/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

/** Loaded proposals that are kept. */
const MAX_LOADED = 20;
/** What was looked up less long ago is not looked up again. */
const FRESH_MS = 5000;

interface Loaded {
  readonly review: ProposalReview;
  /** As it is stored: another text is another proposal. */
  readonly stored: string;
  readonly atMs: number;
}

export class LoadedReviews {
  readonly #desk: ReviewDesk;
  readonly #onLooked: (id: string, problem: string | undefined) => void;
  readonly #loaded: Map<string, Loaded> = new Map();
  readonly #loading: Map<string, Promise<ProposalReview>> = new Map();

  /** @param onLooked is told what stands against a proposal each time that its files were looked at */
  constructor(desk: ReviewDesk, onLooked: (id: string, problem: string | undefined) => void) {
    this.#desk = desk;
    this.#onLooked = onLooked;
  }

  /** @throws Failure for one that has ended */
  async load(id: string): Promise<ProposalReview> {
    const stored = storedAs((await this.#desk.list()).find((one) => one.id === id));
    const known = this.#loaded.get(id);
    // What stood in the way may be gone, and whoever asks for it wants to know.
    if (known?.stored !== stored || known.review.problem !== undefined) return await this.#fetch(id, stored);
    // One that has ended is told by the queue.
    if (nowMs() - known.atMs >= FRESH_MS) this.#fetch(id, stored).catch(() => undefined);
    return known.review;
  }

  /** @throws Failure for what was not shown */
  shownAs(label: string): ProposalReview {
    const found = [...this.#loaded.values()].find(({ review }) => review.label === label);
    if (found) return found.review;
    throw new Failure("conflict", `Cannot decide about "${label}": the page has not shown it`, {
      hint: "Load the page again.",
    });
  }

  /** The next one who asks gets it as it is then. */
  forget(id: string): void {
    const known = this.#loaded.get(id);
    if (known) this.#loaded.set(id, { ...known, stored: "" });
  }

  async #fetch(id: string, stored: string): Promise<ProposalReview> {
    const loading = this.#loading.get(id) ?? this.#desk.load(id);
    this.#loading.set(id, loading);
    try {
      const review = await loading;
      this.#loaded.delete(id);
      this.#loaded.set(id, { review, stored, atMs: nowMs() });
      for (const oldest of [...this.#loaded.keys()].slice(0, -MAX_LOADED)) this.#loaded.delete(oldest);
      this.#onLooked(id, review.problem);
      return review;
    } finally {
      this.#loading.delete(id);
    }
  }
}

/** How many lines it has is found out later, and makes no other proposal of it. */
function storedAs(listed: ListedProposal | undefined): string {
  return JSON.stringify({ ...listed, added: 0, removed: 0 });
}
