/**
 * The model of a review, which terminal, page and `--json` share: what a proposal does as rows that can be shown, and what a
 * person has chosen of it. Pure but for the methods of a host that it is given. Read `load-review.ts` first, then `choices.ts`.
 * It may import `calls`, `text`, `approval`, `policy` and `audit`.
 */
export { addComment, choose, isOut, noChoices, noteSeen, partsOf, unseen, type ReviewChoices } from "./choices.ts";
export { loadReview, type AskMethods, type ProposalReview, type ReviewedFile } from "./load-review.ts";
export {
  colorPieces,
  tokensOf,
  type ColorableRow,
  type ColoredPiece,
  type Token,
  type TokenKind,
} from "./color-rows.ts";
export { markDiffs, type MarkedLine } from "./mark-diffs.ts";
export { layLines, type LaidLine, type LaidRow, type ReviewLayout } from "./lay-lines.ts";
export { type DiffRow, type ShownHunk } from "./read-diff.ts";
export { TAB, type Piece } from "./show-line.ts";
export { suggestRules, type SuggestedRule } from "./suggest-rules.ts";
export { ASK_EVENTS, readAsks, type RecordedAsk } from "./recorded-asks.ts";
export { findRuleReach, type HeldAsk, type ReachFacts, type RuleReach } from "./rule-reach.ts";
export { placeIn } from "./ask-targets.ts";
