/**
 * The model of a review, which terminal, page and `--json` share: what waits (`queue.ts`), what a proposal does as rows that can
 * be shown (`load-review.ts`, `review-lines.ts`), what a person has chosen of it (`choices.ts`), what may be decided together
 * (`batch.ts`), what has changed meanwhile (`stale.ts`), what would be allowed for longer (`rule-sheet.ts`) and what was made
 * (`history.ts`). Pure but for the methods of a host that it is given. It may import `calls`, `text` and `approval`.
 */
export { batchOf, isUnseen, type Batch, type BatchMember } from "./batch.ts";
export {
  addComment,
  choose,
  dropComment,
  isOut,
  noChoices,
  noteSeen,
  partsOf,
  unseen,
  type ReviewChoices,
} from "./choices.ts";
export { historyEntries, lastOwn, type HistoryEntry } from "./history.ts";
export { loadReview, type AskMethods, type ProposalReview, type ReviewedFile } from "./load-review.ts";
export { groupQueue, nameOfGroup, queueOrder, whyInWords, type QueueEntry, type QueueGroup } from "./queue.ts";
export { type DiffRow, type ShownHunk } from "./read-diff.ts";
export { findLine, reviewLines, type ReviewLine } from "./review-lines.ts";
export {
  grantParams,
  nextLifetime,
  openRuleSheet,
  ruleSheetLines,
  withRule,
  type GrantLifetime,
  type RuleSheet,
} from "./rule-sheet.ts";
export { TAB, type Piece } from "./show-line.ts";
export { readStale, staleLines, type StaleFile } from "./stale.ts";
