/**
 * The model of a review, which terminal, page and `--json` share: what waits (`queue.ts`), what a proposal does as rows that can
 * be shown (`load-review.ts`, `rows/`), what a person has chosen of it (`choices.ts`) or a program named
 * (`leave-out.ts`), what may be decided together (`batch.ts`), what has changed meanwhile (`stale.ts`), what would be allowed for longer (`rules/`)
 * and what was made (`history.ts`). Pure but for the methods of a host that it is given. It may import `calls`, `base`,
 * `text`, `approval`, `policy` and `audit`.
 */
export { explainLines, whyInWords } from "./explain.ts";
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
export { leaveOut } from "./leave-out.ts";
export { loadReview, type AskMethods, type ProposalReview, type ReviewedFile } from "./load-review.ts";
export {
  colorPieces,
  tokensOf,
  type ColorableRow,
  type ColoredPiece,
  type Token,
  type TokenKind,
} from "./rows/color-rows.ts";
export { foldedBecause } from "./rows/fold.ts";
export { filterQueue, groupQueue, nameOfGroup, queueOrder, type QueueEntry, type QueueGroup } from "./queue.ts";
export { markDiffs, type MarkedLine } from "./rows/mark-diffs.ts";
export { layLines, type LaidLine, type LaidRow, type ReviewLayout } from "./rows/lay-lines.ts";
export { bareHunk, showHunk, type BareHunk, type DiffRow, type ShownHunk } from "./rows/read-diff.ts";
export { isBlankChange, type Around } from "./rows/around.ts";
export { findLine, reviewLines, type ReviewLine } from "./rows/review-lines.ts";
export {
  grantParams,
  grantedInWords,
  lifetimesOf,
  nextLifetime,
  openRuleSheet,
  ruleSheetLines,
  withRule,
  type GrantLifetime,
  type RuleSheet,
} from "./rules/rule-sheet.ts";
export { TAB, type Piece } from "./rows/show-line.ts";
export { suggestRules, type SuggestedRule } from "./rules/suggest-rules.ts";
export { ASK_EVENTS, readAsks, type RecordedAsk } from "./rules/recorded-asks.ts";
export { findRuleReach, type HeldAsk, type ReachFacts, type RuleReach } from "./rules/rule-reach.ts";
export { placeIn } from "./rules/ask-targets.ts";
export { readStale, staleLines, staleParts, type StaleFile } from "./stale.ts";
