/**
 * The state folder: where proposals, kept old versions and the record live. Nothing here knows what a proposal means.
 */
export { ProposalStore, type Ending, type StoredProposal } from "./proposal-store.ts";
export { openStateFolder, type StateFolder } from "./state-folder.ts";
export { noteKept, openUndoFolder, deviceOf, sweepUndo, type KeptObject } from "./undo-store.ts";
export { noteRejection, takeRejections } from "./rejections.ts";
