/**
 * The state folder: where proposals, kept old versions and the record live. Nothing here knows what a proposal means.
 *
 * Read `state-folder.ts` (where everything lies), `journal.ts` and `history-store.ts` (what transactions leave), and
 * `proposal-store.ts`; each other store stands alone. Locks between processes are in `small-file.ts`. It may import `calls`,
 * `base`, `sys`, `text` and `scope`.
 */
export { expiryOf, ProposalStore, type Ending, type StoredProposal } from "./proposal-store.ts";
export {
  findStateFolder,
  hasKey,
  loadKey,
  openStateFolder,
  probeStateFolder,
  type StateFolder,
} from "./state-folder.ts";
export { putLaunchFile, type LaunchFile } from "./review/launch-file.ts";
export { ProposalWatch } from "./review/proposal-watch.ts";
export { EditFiles } from "./review/edit-files.ts";
export { ReviewBoard, type PassedApproval } from "./review/review-board.ts";
export { AnswerStore, type KeptAnswer } from "./answer-store.ts";
export { BaselineStore, type KeptBaseline } from "./baseline-store.ts";
export { HistoryStore, type HistoryBounds, type HistoryRecord } from "./history-store.ts";
export { type Durability, Journal, journalFailure, type JournalSeen } from "./journal.ts";
export { JournalWatch } from "./journal-watch.ts";
export { SetupStore, type SetupNote } from "./setup-store.ts";
export { holdMemoryIndex, makeMemoryFolder, memoryIndexFile, removeMemoryIndex } from "./memory-folder.ts";
export { SPILL_ID, spillFolder, SpillStore } from "./runs/spill-store.ts";
export { layFolder, RunFolders } from "./runs/run-folders.ts";
export { SessionStore, type KeptCall } from "./session-store.ts";
export { ROW_HEAD_BYTES, sweepVectorFiles, VectorFile, type VectorRow } from "./vector-file.ts";
export { installUserFile } from "./user-file.ts";
export { listNames, tryLock, withOpen, writeNew } from "./small-file.ts";
export {
  GrantStore,
  type KeptTools,
  noteRejection,
  takeRejections,
  type UpstreamStatus,
  UpstreamStore,
} from "./decisions.ts";
