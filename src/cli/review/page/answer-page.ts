/**
 * What the reviewer answers the page. Decisions are made here, by the digest that the page has shown, and each is on record
 * with how it came; the server of the page can only pass on what a person did there.
 */
import { Failure } from "../../../base/index.ts";
import type { ReviewComment } from "../../../calls/index.ts";
import type { Host } from "../../../host/index.ts";
import type { PageAnswers, PageAskName, PageAsks } from "../../../page/index.ts";
import { unseen, type ProposalReview, type ReviewChoices } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import { askHost } from "../../open-host.ts";
import type { ReviewDesk } from "../review-desk.ts";
import { loadForPage } from "./load-for-page.ts";
import { LoadedReviews } from "./loaded-reviews.ts";
import { createPageBatch } from "./page-batch.ts";
import { pageHistory, undoByPage } from "./page-history.ts";
import { createPageRules } from "./page-rules.ts";
import { viewPolicy } from "./view-policy.ts";
import { viewRecord } from "./view-record.ts";

/** Proposals that the server has and need not be sent again. */
const MAX_SENT = 20;

export type PageAnswerers = {
  readonly [Name in PageAskName]: (ask: PageAsks[Name]) => Promise<PageAnswers[Name]>;
};

/** @param onLooked is told what stands against a proposal each time that its files were looked at */
export function createPageAnswers(
  host: Host,
  desk: ReviewDesk,
  onLooked: (id: string, problem: string | undefined) => void,
): PageAnswerers {
  const loaded = new LoadedReviews(desk, onLooked);
  const sent = new Map<string, ProposalReview>();
  const own = new Set<string>();
  const batch = createPageBatch(host, desk, (transaction) => own.add(transaction));
  const rules = createPageRules(host, desk);
  const shownAs = (label: string): ProposalReview => loaded.shownAs(label);
  return {
    async load({ id, known }) {
      const review = await loaded.load(id);
      if (known !== undefined && sent.get(id) === review && known === review.label)
        return { isSame: true, draft: desk.draft(review) };
      sent.set(id, review);
      for (const oldest of [...sent.keys()].slice(0, -MAX_SENT)) sent.delete(oldest);
      return await loadForPage(desk, review);
    },
    async keep({ choices }) {
      const review = shownAs(choices.label);
      desk.keep(review, quoted(review, choices));
      return await Promise.resolve({ kept: true });
    },
    async apply(ask) {
      const { label, choices } = ask;
      const review = shownAs(label);
      refuseUnseen(review, ask);
      host.audit.record("reviewed", { by: "page", proposal: review.id, label, decision: "apply" });
      // What was in the way is looked at anew.
      loaded.forget(review.id);
      const done = await desk.apply(review, quoted(review, choices));
      if (done.status === "approved") return { said: "Approved. The host that waits makes the call." };
      own.add(done.transaction);
      return { said: `Applied: ${escapeLine(done.summary ?? review.summary)}; u takes it back.` };
    },
    async reject({ label, reason, comments }) {
      const review = shownAs(label);
      host.audit.record("reviewed", { by: "page", proposal: review.id, label, decision: "reject" });
      const { summary } = await desk.reject(
        review,
        reason,
        comments.map((comment) => withQuote(review, comment)),
      );
      return { said: `Rejected: ${escapeLine(summary)}` };
    },
    images: async ({ label }) => await askHost(host, "ringfence/proposals/images", { id: shownAs(label).label }),
    batch: async (ask) => await batch.offer(ask),
    together: async (ask) => await batch.apply(ask),
    rule: async (ask) => await rules.show(ask),
    grant: async (ask) => await rules.grant(ask),
    history: async () => await pageHistory(desk, own),
    undo: async (ask) => await undoByPage({ host, desk, own }, ask),
    record: async ({ hours }) => await Promise.resolve(viewRecord(host, hours)),
    policy: async () => await viewPolicy(host),
  };
}

/** @throws Failure for choices about something else, and for parts that were never on the screen unless the person was told */
function refuseUnseen(review: ProposalReview, { label, choices, unseen: isTold }: PageAsks["apply"]): void {
  if (choices.label !== label) throw new Failure("conflict", "Cannot apply it: the choices are about something else");
  const left = review.isCall ? {} : unseen(choices, review.files);
  if (!isTold && Object.keys(left).length > 0)
    throw new Failure("needs_approval", "Cannot apply it yet: parts of it were never on the screen", {
      details: { unseen: left },
    });
}

function quoted(review: ProposalReview, choices: ReviewChoices): ReviewChoices {
  return { ...choices, comments: choices.comments.map((comment) => withQuote(review, comment)) };
}

/** The page has no text of a file but what it shows, with signs in it; the line itself is known here. */
function withQuote({ files }: ProposalReview, comment: ReviewComment): ReviewComment {
  const { path, line, side, quote } = comment;
  if (path === undefined || line === undefined || quote !== undefined) return comment;
  const rows = files.filter((file) => file.path === path).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.rows));
  const row = rows.find((one) => (side === "before" ? one.old : one.new) === line);
  return row ? { ...comment, quote: row.raw.slice(0, MAX_QUOTE_CHARS) } : comment;
}

const MAX_QUOTE_CHARS = 1000;
