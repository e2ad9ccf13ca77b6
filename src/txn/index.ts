/**
 * Changes of files: a change set is prepared into exact bytes and preconditions, shown, and committed all or nothing. This
 * runs in the change worker only; the rest of the program handles change sets and prepared changes as data.
 *
 * Read `model.ts` (the values), `prepare/prepare.ts` (from a change set to steps), `commit.ts` (from steps to the disk),
 * `recover.ts` and `undo.ts`; `docs/transactions.md` goes the same way. `prepare` and `commit` do not know each other, and
 * both stand on `inspect.ts`, `fingerprint.ts` and `tree-copy`. It may import `base`, `sys`, `text`, `scope`, `approval`,
 * `files`, `state` and `memory`.
 */
export { currentDiff, isAlreadyMade, plainFiles, prepareAgain, type PreparedAgain } from "./prepare/prepare-again.ts";
export type { Stores } from "./commit/disk.ts";
export { commitChanges, type CommitContext } from "./commit.ts";
export { isUnchanged } from "./fingerprint.ts";
export { checkSteps, inspect } from "./inspect.ts";
export { keepFiles, type KeptNote, type NotedChange, noteKept } from "./keep-files.ts";
export {
  type Change,
  type ChangeManner,
  type ChangeSet,
  isAtOrBelow,
  keyOf,
  locatedFrom,
  originOf,
  pathsOf,
  type PatchChange,
  type PreparedChanges,
  type RootPath,
  type StepFacts,
  type PreparedStep,
} from "./model.ts";
export { describeContent } from "./prepare/describe.ts";
export { prepareChanges } from "./prepare/prepare.ts";
export type { HideKeys } from "./prepare/context.ts";
export { type Recovered, recoverTransactions } from "./recover.ts";
export type { AnswerToKeep, TransactionRecord } from "./records.ts";
export { type Inverse, invertTransaction, refuseFilled, undoDiff } from "./undo.ts";
