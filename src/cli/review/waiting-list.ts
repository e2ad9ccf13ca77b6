/**
 * The list of what waits, kept up to date: a proposal is read once, and again only when its file was written again. What costs
 * more, as the lines that each changes, is looked up later and a few at a time.
 */
import { nowMs } from "../../base/index.ts";
import type { ListedProposal } from "../../calls/index.ts";
import type { AskMethods } from "../../review/index.ts";
import type { ProposalWatch } from "../../state/index.ts";

/** So many are looked at in one job of the worker, so that a key never waits long for it. */
const CHECK_AT_ONCE = 4;

interface KnownEntry {
  readonly stamp: string;
  readonly listed: ListedProposal;
  isChecked: boolean;
}

export class WaitingList {
  readonly #watch: ProposalWatch;
  readonly #ask: AskMethods;
  #known: Map<string, KnownEntry> = new Map();
  /** One look at a time. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor(watch: ProposalWatch, ask: AskMethods) {
    this.#watch = watch;
    this.#ask = ask;
  }

  /** Gives what waits, oldest first. */
  async look(): Promise<readonly ListedProposal[]> {
    const looked = this.#looking.then(async () => await this.#look());
    this.#looking = looked.catch(() => undefined);
    return await looked;
  }

  get(id: string): ListedProposal | undefined {
    return this.#known.get(id)?.listed;
  }

  /** Looks up the lines of some whose lines are not known. @returns whether there were any */
  async checkSome(): Promise<boolean> {
    const ids = [...this.#known].filter(([, { isChecked }]) => !isChecked).map(([id]) => id);
    if (ids.length === 0) return false;
    const some = ids.slice(0, CHECK_AT_ONCE);
    const { proposals } = await this.#ask("ringfence/proposals/list", { ids: some, check: true });
    for (const id of some) {
      const entry = this.#known.get(id);
      const listed = proposals.find((one) => one.id === id);
      if (entry) this.#known.set(id, { ...entry, listed: listed ?? entry.listed, isChecked: true });
    }
    return true;
  }

  /** What was found out about the files of a proposal is looked up again. */
  forget(id: string): void {
    const entry = this.#known.get(id);
    if (entry) entry.isChecked = false;
  }

  async #look(): Promise<readonly ListedProposal[]> {
    // Whoever died while applying one left it taken; listing puts it back.
    if (this.#watch.hasTaken()) await this.#ask("ringfence/proposals/list", { ids: [] });
    const waiting = this.#watch.waiting();
    const fresh = [...waiting].filter(([id, stamp]) => this.#known.get(id)?.stamp !== stamp).map(([id]) => id);
    const read = fresh.length === 0 ? [] : (await this.#ask("ringfence/proposals/list", { ids: fresh })).proposals;
    const next = new Map<string, KnownEntry>();
    for (const [id, stamp] of waiting) {
      const known = this.#known.get(id);
      const listed = read.find((one) => one.id === id) ?? (known?.stamp === stamp ? known.listed : undefined);
      if (listed) next.set(id, known?.stamp === stamp ? known : { stamp, listed, isChecked: false });
    }
    this.#known = next;
    const now = nowMs();
    return [...next.values()]
      .map(({ listed }) => listed)
      .filter(({ expiresAt }) => Date.parse(expiresAt) >= now)
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
  }
}
