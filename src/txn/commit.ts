/**
 * The only place where a byte reaches the user's files. A commit locks the directories, checks again that everything is
 * as it was prepared, writes down what it will do, stages all new content, and then does it in order; a failure on the way
 * takes back what was done, in reverse, and so does the recovery after a crash.
 *
 * Guaranteed: readers see a file's old or new content, never a mixture; after a failure, a killed process or a crash of
 * the machine all of the change set is there or nothing of it. Not guaranteed: programs without our locks may see the
 * middle. The exception is `in_place`, which says so.
 */
import { type Cancel, Failure, logLine, newId, throwIfStopped } from "../base/index.ts";
import { errnoOf, type Scope } from "../scope/index.ts";
import { Journal, journalFailure } from "../state/index.ts";
import { apply } from "./commit/apply.ts";
import { begun, diskFor, flushDirectories, Flushes, isBesideSafe, syncDirectory } from "./commit/disk.ts";
import type { Contents, Disk, OpenTransaction, Stores } from "./commit/disk.ts";
import { finishTransaction } from "./commit/finish.ts";
import { holdPlaces } from "./commit/hold-places.ts";
import { isCovered, knownAfter, leftAt, planTransaction } from "./commit/plan.ts";
import { isReplacing, keepDisplaced, makeParents, missingParents, stage } from "./commit/stage.ts";
import { checkLate, checkSteps } from "./inspect.ts";
import { parentOf, type PreparedChanges } from "./model.ts";
import type {
  AnswerToKeep,
  DiskOperation,
  JournalBegin,
  JournalRecord,
  StagedFacts,
  TransactionNote,
} from "./records.ts";
import { rollBack } from "./recover.ts";

export interface CommitContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Reports long work. */
  readonly progress?: CommitProgress["report"];
  readonly content: Contents;
  readonly stores: Stores;
  /** Finishes or takes back what dead hosts have begun. */
  readonly recover: () => void;
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
): { readonly transaction: string } {
  const { scope, cancel, stores, content } = ctx;
  const id = newId("t");
  using held = new DisposableStack();
  const places = holdPlaces(changes.steps, ctx, held);
  const disk: Disk = {
    besideIsSafe: isBesideSafe(changes.steps),
    seen: new Map(),
    scope,
    cancel,
    transaction: id,
    places,
    history: stores.history,
    durability: stores.durability,
    undoes: about.undoes !== undefined,
  };
  checkSteps(changes.steps, disk);
  const answer = answerOf && { answer: answerOf(id) };
  const begin = planTransaction(disk, changes, about, content, { directories: places.known, ...answer });
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
    return new Failure("conflict", message, {
      cause: failure,
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
  return new Failure("conflict", message, {
    cause: failure,
    hint: `What stood there before is kept under ${disk.transaction} in the undo folder of the state folder.`,
  });
}

/** System messages name paths, so only their codes are passed on. */
function messageOf(thrown: unknown): string {
  const errno = thrown instanceof Failure ? undefined : errnoOf(thrown);
  if (errno !== undefined) return `the operating system answered ${errno}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Counts the operations that were done; the next one may be done or not. */
interface CommitProgress {
  done: number;
  /** The commit record may be in the journal. */
  isCommitting?: boolean;
  /** Reports the bytes that were copied so far. */
  readonly report?: ((done: number, total: number | undefined, what: string) => void) | undefined;
}

/** @throws Failure; the journal and `progress` tell how far it came */
export function runTransaction(transaction: OpenTransaction, contents: Contents, progress: CommitProgress): void {
  const { disk, begin, operations, journal } = transaction;
  let copied = 0;
  const onCopied = (bytes: number): void => progress.report?.((copied += bytes), undefined, "bytes copied");
  const isInPlace = operations.some(({ act }) => act === "rewrite");
  using flushes = new Flushes(disk);
  const prepare = (own: Disk, op: DiskOperation): StagedFacts => ({
    ...stage({ disk: own, contents, onCopied, isInPlace, flushes }, op),
    ...keepDisplaced(own, op),
  });
  makeParents(disk, journal, { parents: begin.parents });
  const staged = operations.map((op) => (op.late ? {} : prepare(disk, op)));
  flushes.settle();
  throwIfStopped(disk.cancel, "the change");
  if (!begin.isSingle) {
    flushDirectories(transaction, ({ late }) => !late);
    disk.history.flush(disk.durability);
  }
  journal.write({ kind: "prepared", acts: staged } satisfies JournalRecord, begin.isSingle);
  for (const op of operations) {
    const own = diskFor(disk, op);
    const prepareLate = (): StagedFacts => {
      const ready = prepare(own, op);
      flushes.settle();
      return ready;
    };
    const known = op.late ? readyLate(transaction, own, op, prepareLate) : staged[op.index];
    apply(own, op, known ?? {}, contents);
    progress.done++;
    noteCovered(transaction, op);
  }
  flushDirectories(transaction);
  // A removed object now exists only in the history, so its name there must be on the disk.
  if (operations.some(({ act }) => act === "remove")) disk.history.flush(disk.durability);
  progress.isCommitting = true;
  journal.write({ kind: "committed" } satisfies JournalRecord, begin.isSingle);
}

/** Prepares a late operation when its turn comes: only then is its place as the operation will find it. */
function readyLate(
  { begin, journal }: OpenTransaction,
  disk: Disk,
  op: DiskOperation,
  prepare: () => StagedFacts,
): StagedFacts {
  const step = begin.steps[op.index];
  if (step) checkLate(step, disk);
  const planned = { parents: missingParents(disk, [op]), act: op.index };
  if (planned.parents.length > 0) journal.write({ kind: "parents", ...planned } satisfies JournalRecord);
  makeParents(disk, journal, planned);
  const prepared = prepare();
  if (isReplacing(op)) {
    // The name under which the old content is kept must not be lost when its own goes.
    disk.history.flush(disk.durability);
    if (disk.besideIsSafe) syncDirectory(disk, parentOf(op.at));
  }
  journal.write({ kind: "late", act: op.index, prepared } satisfies JournalRecord);
  return prepared;
}

/** Records what an operation left, where a later one changes it and the step itself does not say it. */
function noteCovered({ disk, begin: { steps }, journal }: OpenTransaction, op: DiskOperation): void {
  const step = steps[op.index];
  if (!step || !isCovered(steps, op.index) || knownAfter(step, op)) return;
  const left = leftAt(disk, step, op);
  journal.write({ kind: "after", act: op.index, left } satisfies JournalRecord, true);
}
