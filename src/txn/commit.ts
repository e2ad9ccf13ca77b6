/**
 * The only place where a byte reaches the user's files. A commit locks the directories, checks again that everything is
 * as it was prepared, writes down what it will do, stages all new content, and then does it in order; a failure on the way
 * takes back what was done, in reverse, and so does the recovery after a crash.
 *
 * Guaranteed: readers see a file's old or new content, never a mixture; after a failure, a killed process or a crash of
 * the machine all of the change set is there or nothing of it. Not guaranteed: programs without our locks may see the
 * middle. The exception is `in_place`, which says so.
 */
import { type Cancel, Failure, type FailureExtra, logLine, newId } from "../base/index.ts";
import { errnoOf, type Scope } from "../scope/index.ts";
import { Journal, journalFailure } from "../state/index.ts";
import { begun, type Contents, type Disk, isBesideSafe, type OpenTransaction, type Stores } from "./commit/disk.ts";
import { finishTransaction } from "./commit/finish.ts";
import { HeldPlaces, lockAll } from "./commit/held-places.ts";
import { planTransaction } from "./commit/plan.ts";
import { type CommitProgress, runTransaction } from "./commit/run.ts";
import { checkSteps } from "./inspect.ts";
import type { PreparedChanges } from "./model.ts";
import type { AnswerToKeep, JournalBegin, TransactionNote } from "./records.ts";
import { rollBack } from "./recover.ts";

export interface CommitContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Reports long work. */
  readonly progress?: CommitProgress["report"];
  readonly content: Contents;
  readonly stores: Stores;
}

export interface Committed {
  readonly transaction: string;
}

/**
 * @param answerOf what a repeat of the call is to be answered with, once the transaction has a name
 * @throws Failure `stale` when something is not as it was prepared (nothing was changed); others as the system says
 */
export function commitChanges(
  changes: PreparedChanges,
  about: TransactionNote,
  ctx: CommitContext,
  answerOf?: (transaction: string) => AnswerToKeep,
): Committed {
  const { scope, cancel, stores, content } = ctx;
  const id = newId("t");
  using held = new DisposableStack();
  const places = lockAll(scope, changes.steps, held, (locked) => HeldPlaces.of(scope, changes.steps, locked));
  const disk: Disk = {
    besideIsSafe: isBesideSafe(changes.steps),
    scope,
    cancel,
    transaction: id,
    places,
    history: stores.history,
    durability: stores.durability,
  };
  checkSteps(changes.steps, disk);
  const plan = { contents: content, answer: answerOf?.(id), directories: places.known };
  const begin = planTransaction(disk, changes, about, plan);
  const transaction = begun(disk, begin, openJournal(stores, id, begin));
  const progress: CommitProgress = { done: 0, report: ctx.progress };
  try {
    runTransaction(transaction, content, progress);
  } catch (thrown) {
    throw rolledBack(transaction, progress, thrown);
  }
  finishTransaction(transaction, stores.answers);
  transaction.journal.leave();
  return { transaction: id };
}

function openJournal(stores: Stores, transaction: string, begin: JournalBegin): Journal {
  let journal: Journal | undefined;
  try {
    journal = Journal.begin(stores.journal, transaction, stores.durability, begin.isSingle);
    journal.write(begin, begin.isSingle);
    return journal;
  } catch (thrown) {
    journal?.finish();
    throw journalFailure(thrown);
  }
}

/** @returns the failure of the change, with what could not be rolled back */
function rolledBack(transaction: OpenTransaction, { done, isCommitting }: CommitProgress, failure: unknown): unknown {
  const { journal, disk } = transaction;
  let left: readonly string[];
  try {
    // The commit record was written but not flushed: recovery would take the transaction for committed.
    if (isCommitting) journal.unsay();
    left = rollBack(transaction, done);
  } catch (thrown) {
    // The next process that looks for journals continues the rollback; this one may too.
    journal.leave();
    logLine(`cannot take back ${disk.transaction} now: ${messageOf(thrown)}`);
    const [why, then] = [messageOf(failure), messageOf(thrown)];
    const message = `Cannot make the change, and cannot take back now what was done of it: ${why}; then: ${then}`;
    return conflict(failure, message, {
      hint: "Some of its files may be new and others old. Nothing is lost: the next call takes the rest back, or finishes it, as soon as the disk lets it. Look at the files before you make the change again.",
      retry: "later",
    });
  }
  try {
    journal.finish();
  } catch (thrown) {
    // The next recovery removes the journal.
    logLine(`the journal of ${disk.transaction} cannot be removed: ${String(thrown)}`);
  }
  if (left.length === 0) return failure;
  const message = `${messageOf(failure)}. It was taken back, but for what somebody else has changed meanwhile: ${left.join(", ")}`;
  return conflict(failure, message, {
    hint: `What stood there before is kept under ${disk.transaction} in the undo folder of the state folder.`,
  });
}

/** The failure of a change that could not be rolled back completely. */
function conflict(cause: unknown, message: string, extra: FailureExtra): Failure {
  return new Failure("conflict", message, { ...extra, cause });
}

/** System messages name paths, so only their codes are passed on. */
function messageOf(thrown: unknown): string {
  const errno = thrown instanceof Failure ? undefined : errnoOf(thrown);
  if (errno !== undefined) return `the operating system answered ${errno}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
