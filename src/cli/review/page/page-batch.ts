/**
 * Applying a group together: what may be is offered first, with why the others may not, and only what was offered is applied.
 * The choices are those that are on disk, as the page has kept them.
 */
import { Failure, failureText, nowMs, reportBug, toFailure } from "../../../base/index.ts";
import type { Host } from "../../../host/index.ts";
import type { PageAnswers, PageAsks } from "../../../page/index.ts";
import { batchOf, groupQueue, type BatchMember } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

export interface PageBatch {
  offer(ask: PageAsks["batch"]): Promise<PageAnswers["batch"]>;
  apply(ask: PageAsks["together"]): Promise<PageAnswers["together"]>;
}

/** @param onApplied is told each transaction */
export function createPageBatch(host: Host, desk: ReviewDesk, onApplied: (transaction: string) => void): PageBatch {
  let offered: readonly BatchMember[] = [];
  return {
    async offer({ id: wanted }) {
      const groups = groupQueue(await desk.list(), nowMs());
      const { entries = [] } = groups.find((group) => group.entries.some(({ id }) => id === wanted)) ?? {};
      const looked = new Map<string, BatchMember>();
      for (const { id, risk, isCall } of entries)
        if (risk <= "R2" && !isCall) {
          const review = await desk.load(id);
          looked.set(id, { review, choices: desk.draft(review) });
        }
      const { taken, left } = batchOf(entries, (id) => looked.get(id));
      offered = taken;
      const titleOf = (id: string): string => entries.find((entry) => entry.id === id)?.title ?? id;
      return {
        taken: taken.map(({ review: { label, summary } }) => ({ label, summary: escapeLine(summary) })),
        left: left.map(({ id, why }) => ({ summary: escapeLine(titleOf(id)), why })),
      };
    },
    async apply({ labels }) {
      const members = labels.map((label) => offered.find(({ review }) => review.label === label));
      offered = [];
      const known = members.filter((member) => member !== undefined);
      if (known.length !== members.length)
        throw new Failure("conflict", "Cannot apply them together: they are not what was offered");
      const applied: string[] = [];
      const failed: string[] = [];
      for (const { review, choices } of known)
        try {
          const { id, label } = review;
          host.audit.record("reviewed", { by: "page", proposal: id, label, decision: "apply" });
          const done = await desk.apply(review, choices);
          if (done.status === "applied") onApplied(done.transaction);
          applied.push(label);
        } catch (thrown) {
          failed.push(`${review.summary}: ${failureText(toFailure(thrown, () => reportBug(thrown)).data)}`);
        }
      const words = `Applied ${applied.length} of ${known.length} proposals.`;
      return { said: escapeLine([words, ...failed].join(" ")), applied };
    },
  };
}
