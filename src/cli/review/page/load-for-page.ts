/**
 * One proposal as it goes over the pipe to the server of the page: whole, without the pieces of its rows, which are made where
 * they are shown; and where its files have changed since it was made, with what they were, would be and are now.
 */
import type { BareReview, LoadedProposal, StaleSection } from "../../../page/index.ts";
import { explainLines, bareHunk, staleParts, type ProposalReview, type StaleFile } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

export async function loadForPage(desk: ReviewDesk, review: ProposalReview): Promise<LoadedProposal> {
  const isStale = review.problem !== undefined && !review.isCall;
  const stale = isStale ? await desk.compare(review) : [];
  return {
    review: bareReview(review),
    draft: desk.draft(review),
    why: explainLines(review),
    stale: stale.flatMap((file) => sectionsOf(file)),
  };
}

function bareReview({ files, ...review }: ProposalReview): BareReview {
  return { ...review, files: files.map((file) => ({ ...file, hunks: file.hunks.map((hunk) => bareHunk(hunk)) })) };
}

function sectionsOf(file: StaleFile): StaleSection[] {
  const parts = staleParts(file).map(({ title, hunks, lost }): StaleSection => {
    const words = hunks === undefined ? `${title}: ${lost}` : `${title}${hunks.length === 0 ? ": nothing." : ""}`;
    return { title: escapeLine(words), hunks: hunks?.map((hunk) => bareHunk(hunk)) ?? [] };
  });
  return [{ title: escapeLine(`${file.path}: ${file.why}`), hunks: [] }, ...parts];
}
