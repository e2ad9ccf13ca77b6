/**
 * The only place where a byte reaches the user's files. A commit locks the directories, checks again that everything is
 * as it was sealed, writes down what it will do, stages all new content, and then does it in order; a failure on the way
 * takes back what was done, in reverse, and so does the recovery after a crash.
 *
 * Guaranteed: readers see a file's old or new content, never a mixture; after a failure, a killed process or a crash of
 * the machine all of the change set is there or nothing of it. Not guaranteed: programs without our locks may see the
 * middle. The exception is `in_place`, which says so.
 */
import { logLine, newId, type Cancel } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import {
  Journal,
  journalFailure,
  type AnswerStore,
  type Durability,
  type HistoryStore,
} from "../state/index.ts";
import { planTransaction } from "./begin.ts";
import { checkSteps } from "./check-steps.ts";
import type { Disk } from "./disk.ts";
import { finishTransaction } from "./finish.ts";
import type { About, AnswerToKeep, JournalBegin, TransactionRecord } from "./history.ts";
import { lockAll } from "./lock-directory.ts";
import { rollBack } from "./roll-back.ts";
import { runTransaction } from "./run.ts";
import type { Sealed } from "./sealed.ts";
import type { Contents } from "./stage.ts";

/** Where transactions write down what they do, and keep what they displace. */
export interface Books {
  readonly history: HistoryStore<TransactionRecord>;
  readonly answers: AnswerStore;
  /** The folder of journals. */
  readonly journal: string;
  readonly durability: Durability;
}

export interface CommitContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** The kept new content by index. */
  readonly content: Contents;
  readonly books: Books;
}

export interface Committed {
  readonly transaction: string;
}

/**
 * @param answerOf what a repeat of the call is to be answered with, once the transaction has a name
 * @throws Failure `stale` when something is not as it was sealed (nothing was changed); others as the system says
 */
export function commitChanges(
  sealed: Sealed,
  about: About,
  ctx: CommitContext,
  answerOf?: (transaction: string) => AnswerToKeep,
): Committed {
  const { scope, cancel, books } = ctx;
  const transaction = newId("t");
  const besideIsSafe = !sealed.steps.some(({ follows }) => follows);
  const disk: Disk = {
    besideIsSafe,
    scope,
    cancel,
    transaction,
    history: books.history,
    durability: books.durability,
  };
  using held = new DisposableStack();
  lockAll(scope, sealed.steps, held);
  checkSteps(sealed.steps, ctx);
  const begin = planTransaction(disk, sealed, about, ctx.content, answerOf?.(transaction));
  const journal = openJournal(books, transaction, begin);
  const progress = { done: 0 };
  try {
    runTransaction(disk, begin, journal, ctx.content, progress);
  } catch (thrown) {
    rollBack(disk, begin, journal.written, progress.done);
    close(journal, transaction);
    throw thrown;
  }
  if (finishTransaction(disk, begin, books.answers, journal.written)) close(journal, transaction);
  else journal.leave();
  return { transaction };
}

/** What is left of it after its end is tidied up by the next recovery. */
function close(journal: Journal, transaction: string): void {
  try {
    journal.finish();
  } catch (thrown) {
    logLine(`the journal of ${transaction} cannot be removed: ${String(thrown)}`);
  }
}

function openJournal(books: Books, transaction: string, begin: JournalBegin): Journal {
  let journal: Journal | undefined;
  try {
    journal = Journal.begin(books.journal, transaction, books.durability, begin.isSingle);
    journal.write(begin, begin.isSingle);
    return journal;
  } catch (thrown) {
    journal?.finish();
    throw journalFailure(thrown);
  }
}
