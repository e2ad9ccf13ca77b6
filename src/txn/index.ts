/**
 * Changes: a change set is sealed into exact bytes and preconditions, shown, and committed all or nothing. Runs in the
 * change worker only; the rest of the program handles change sets and proposals as data.
 */
export type {
  AppendChange,
  Change,
  ChangeSet,
  CreateDirectoryChange,
  DeleteChange,
  EditChange,
  RelocateChange,
  WriteChange,
} from "./change-set.ts";
export { commitChanges, type CommitContext } from "./commit.ts";
export { currentDiff } from "./current-diff.ts";
export { inspect } from "./inspect.ts";
export { sealChanges } from "./seal.ts";
export type { Operation, Sealed, SealedFile } from "./sealed.ts";
export type { SealContext } from "./target.ts";
