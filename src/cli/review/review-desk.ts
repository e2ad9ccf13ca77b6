/**
 * What every form of a review does with a host: what waits, one proposal whole, and the decision. While a desk is open the
 * reviewer is attached, and drafts are on disk.
 */
import { Failure } from "../../base/index.ts";
import type { AppliedProposal, PassedProposal, RejectedProposal, ReviewComment } from "../../calls/index.ts";
import type { Host } from "../../host/index.ts";
import { loadReview, noChoices, partsOf, type ReviewChoices, type ProposalReview } from "../../review/index.ts";
import { openStateFolder, ReviewBoard } from "../../state/index.ts";
import { askHost } from "../open-host.ts";

/** How often new proposals are looked for. */
export const LOOK_EVERY_MS = 200;

export interface ReviewDesk extends Disposable {
  readonly stateDir: string;
  /** Whether calls wait for this reviewer; they do from the start. */
  attend(isThere: boolean): void;
  /** Gives the ids of what waits, oldest first. */
  ids(): Promise<readonly string[]>;
  /** Ends when something waits that is not among these, or was decided; at once when `stop` says so. */
  change(known: readonly string[], stop: () => boolean): Promise<readonly string[]>;
  load(id: string): Promise<ProposalReview>;
  /** The choices that were made before about what has this digest. */
  draft(review: ProposalReview): ReviewChoices;
  keep(review: ProposalReview, choices: ReviewChoices): void;
  /** @throws Failure `stale`, `conflict`, and for choices that leave nothing `invalid_input` */
  apply(review: ProposalReview, choices: ReviewChoices): Promise<AppliedProposal | PassedProposal>;
  reject(review: ProposalReview, reason: string, comments: readonly ReviewComment[]): Promise<RejectedProposal>;
}

export function openReviewDesk(host: Host): ReviewDesk {
  const board = new ReviewBoard(openStateFolder(host.config.stateDir).review);
  let attached: Disposable | undefined = board.attach();
  const clients = new Map<string, string | undefined>();

  const ids = async (): Promise<readonly string[]> => {
    const { proposals } = await askHost(host, "ringfence/proposals/list", {});
    for (const { id, client } of proposals) clients.set(id, client);
    return proposals.map(({ id }) => id);
  };
  return {
    stateDir: host.config.stateDir,
    attend(isThere) {
      if (isThere) attached ??= board.attach();
      else {
        attached?.[Symbol.dispose]();
        attached = undefined;
      }
    },
    ids,
    async change(known, stop) {
      for (;;) {
        const now = await ids();
        const isOther = now.length !== known.length || now.some((id, index) => id !== known[index]);
        if (isOther || stop()) return now;
        await Bun.sleep(LOOK_EVERY_MS);
      }
    },
    load: async (id) =>
      await loadReview(async (method, params) => await askHost(host, method, params), id, clients.get(id)),
    draft({ id, label }) {
      const kept = board.draft(id) as ReviewChoices | undefined;
      return kept?.label === label ? kept : noChoices(label);
    },
    keep: ({ id }, choices) => board.keepDraft(id, choices),
    async apply({ id, label, isCall, files }, choices) {
      const done = isCall
        ? await askHost(host, "ringfence/proposals/approve", { id: label })
        : await applyParts(host, label, partsOf(choices, files));
      board.keepDraft(id, undefined);
      return done;
    },
    async reject({ id }, reason, comments) {
      const said = comments.length === 0 ? {} : { comments };
      const words = { ...(reason === "" ? {} : { reason }), ...said };
      const rejected = await askHost(host, "ringfence/proposals/reject", { id, ...words });
      board.keepDraft(id, undefined);
      return rejected;
    },
    [Symbol.dispose]: () => attached?.[Symbol.dispose](),
  };
}

async function applyParts(host: Host, id: string, parts: ReturnType<typeof partsOf>): Promise<AppliedProposal> {
  if (parts === "nothing")
    throw new Failure("invalid_input", "Cannot apply the proposal: all of it is left out", {
      hint: "Take a part of it in again, or reject it.",
    });
  return (await askHost(host, "ringfence/proposals/apply", { id, ...parts })) as AppliedProposal;
}
