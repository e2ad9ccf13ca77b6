/**
 * Changes: a change set is sealed into exact bytes and preconditions, shown, and committed all or nothing. Runs in the
 * change worker only; the rest of the program handles change sets and proposals as data.
 */
export { isAtOrBelow } from "./commit/plan.ts";
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
export { checkSteps } from "./commit/check-steps.ts";
export { commitChanges, type Books, type CommitContext } from "./commit.ts";
export type { About, AnswerToKeep, TransactionRecord } from "./records.ts";
export { plainFiles } from "./prepare/plain-files.ts";
export { recoverTransactions, type Recovered } from "./recover.ts";
export { invertTransaction, undoDiff, type Inverse } from "./undo.ts";
export { currentDiff } from "./prepare/current-diff.ts";
export { keepFiles, noteKept, type KeptNote, type NotedChange } from "./keep-files.ts";
export { describeContent } from "./prepare/describe.ts";
export { inspect, isUnchanged } from "./inspect.ts";
export { resealSteps, type Resealed } from "./prepare/prepare-again.ts";
export { sealChanges } from "./prepare/prepare.ts";
export type { StepFacts } from "./prepare/part.ts";
export type { Operation, Sealed, SealedFile, SealedPath, SealedStep } from "./model.ts";
export type { SealContext } from "./prepare/context.ts";
export { locatedFrom } from "./prepare/target.ts";
