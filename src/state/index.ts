/**
 * The state folder: where proposals, kept old versions and the record live. Nothing here knows what a proposal means.
 */
export { expiryOf, ProposalStore, type Ending, type StoredProposal } from "./proposal-store.ts";
export { openStateFolder, type StateFolder } from "./state-folder.ts";
export { AnswerStore, type KeptAnswer } from "./answer-store.ts";
export { HistoryStore, type HistoryBounds, type HistoryRecord } from "./history-store.ts";
export { Journal, journalFailure, type Durability } from "./journal.ts";
export { JournalWatch } from "./journal-watch.ts";
export { createRunFolder, sweepRunFolders, type RunFolder } from "./run-folder.ts";
export { SPILL_ID, spillFolder, SpillStore, type SpilledPart } from "./spill-store.ts";
export { tryLock } from "./flock.ts";
export { noteRejection, takeRejections } from "./rejections.ts";
export { GrantStore, type StoredGrant } from "./grant-store.ts";
export { hasKey, loadKey } from "./secret-key.ts";
export { UpstreamStore, type KeptTools, type UpstreamStatus } from "./upstream-store.ts";
