/**
 * Changes: a change set is sealed into exact bytes and preconditions, shown, and committed all or nothing. Runs in the
 * change worker only; the rest of the program handles change sets and proposals as data.
 */
export { isAtOrBelow } from "./acts.ts";
export type {
  AppendChange,
  Change,
  ChangeSet,
  CreateDirectoryChange,
  DeleteChange,
  EditChange,
  PatchChange,
  RelocateChange,
  WriteChange,
} from "./change-set.ts";
export { checkSteps } from "./check-steps.ts";
export { commitChanges, type Books, type CommitContext } from "./commit.ts";
export type { About, AnswerToKeep, TransactionRecord } from "./history.ts";
export { plainFiles } from "./plain-files.ts";
export { recoverTransactions, type Recovered } from "./recover.ts";
export { invertTransaction, undoDiff, type Inverse } from "./undo.ts";
export { isAlreadyMade } from "./already-made.ts";
export { currentDiff } from "./current-diff.ts";
export { keepFiles, noteKept, type KeptNote, type NotedChange } from "./keep-files.ts";
export { describeContent } from "./describe.ts";
export { inspect, isUnchanged } from "./inspect.ts";
export { resealSteps, type Resealed } from "./reseal.ts";
export { sealChanges } from "./seal.ts";
export type { StepFacts } from "./sealed-part.ts";
export {
  pathsOf,
  type Operation,
  type Sealed,
  type SealedFile,
  type SealedPath,
  type SealedStep,
} from "./sealed.ts";
export type { SealContext } from "./sealing.ts";
export { locatedFrom } from "./target.ts";
