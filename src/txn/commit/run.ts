/**
 * A transaction from its first byte to its commit point. What must not be lost is flushed before what depends on it: the
 * plan before anything is made, the staged objects before it is said that they are ready, that before the first operation,
 * the operations before it is said that they are done.
 */
import { Failure, throwIfStopped } from "../../base/index.ts";
import { isMark, withoutChangeTime } from "../fingerprint.ts";
import { checkLate, inspect } from "../inspect.ts";
import { isAtOrBelow, locatedFrom, parentOf, pathsOf } from "../model.ts";
import type { Before, PreparedStep, RootPath } from "../model.ts";
import type { DiskOperation, JournalRecord, PlannedOperation, StagedFacts } from "../records.ts";
import { apply } from "./apply.ts";
import { diskFor, flushDirectories, Flushes, syncDirectory } from "./disk.ts";
import type { Contents, Disk, OpenTransaction } from "./disk.ts";
import { isReplacing, keepDisplaced, makeParents, missingParents, stage } from "./stage.ts";

/** Counts the operations that were done; the next one may be done or not. */
export interface CommitProgress {
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

/** Whether later steps of the set touch its places, so that what it left is not what stands there at the end. */
export function isCovered(steps: readonly PreparedStep[], index: number): boolean {
  const step = steps[index];
  if (!step) return false;
  // The source of a copy is only read: undoing the copy has nothing to do with it.
  const own = step.op === "copy" ? [step.at] : pathsOf(step);
  const isTouched = (path: RootPath): boolean => own.some((one) => isAtOrBelow(one, path) || isAtOrBelow(path, one));
  return steps.slice(index + 1).some((later) => pathsOf(later).some(isTouched));
}

/** What a step has left at its place: an undo must find exactly this. */
export function leftAt(disk: Disk, step: PreparedStep, op: PlannedOperation): Before {
  const known = knownAfter(step, op);
  if (known) return known;
  const { scope, cancel } = disk;
  try {
    // A directory that was made is only known as a directory: what comes into it later is not part of the change.
    const deep = !step.op.endsWith("_directory");
    const { before } = inspect(scope, locatedFrom(scope, step.at), "change", { cancel, deep, told: "cheap" });
    // Another change of the same host may give it a second name before an undo comes.
    return withoutChangeTime(before);
  } catch (thrown) {
    if (thrown instanceof Failure) return { kind: "absent" };
    throw thrown;
  }
}

/** @returns `undefined` where only the disk can tell */
function knownAfter(step: PreparedStep, op: PlannedOperation): Before | undefined {
  if ((op.act === "put" || op.act === "rewrite") && op.after !== undefined)
    return { kind: "file", size: 0, mode: 0, links: 1, hash: op.after };
  if (step.op === "remove" || (step.op === "remove_directory" && !step.made)) return { kind: "absent" };
  // A directory may have been changed by earlier steps before it was moved, and a rename changes the mark of a file.
  const isOne = step.op === "move" && (step.source.kind === "file" || step.source.kind === "symlink");
  return isOne && !isMark(step.source.hash) ? step.source : undefined;
}
