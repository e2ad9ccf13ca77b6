/**
 * A transaction that did not come to its commit point, taken back as far as its journal says that it may have come: in
 * the process that failed, and in the one that finds the journal of a dead one.
 */
import { Failure, logLine } from "../../base/index.ts";
import { isAtOrBelow, parentOf } from "../model.ts";
import {
  plannedParents,
  stagedBy,
  type DiskOperation,
  type JournalRecord,
  type StagedFacts,
} from "../records.ts";
import { diskFor, flushDirectories, placesOf, shownPath, type Transaction } from "./disk.ts";
import { keepConflict } from "./finish.ts";
import { unmakeParents } from "./make-parents.ts";
import { discard, revert } from "./revert.ts";

/**
 * @param done how many operations were done, where the process that did them still lives
 * @returns what somebody else has changed and is left as it is, as people see it
 * @throws when something cannot be taken back now; a later recovery can go on
 */
export function rollBack(transaction: Transaction, done: number = transaction.operations.length): string[] {
  const { disk, begin, operations, records } = transaction;
  const staged = stagedBy(begin, records);
  const planned = plannedParents(begin, records);
  const isOrdered = operations.some(({ late }) => late);
  const conflicts = new Set<number>();
  const failures: unknown[] = [];
  for (const op of operations.toReversed()) {
    const { index } = op;
    const mayBeDone = index < done || (index === done && canBeHalfDone(op));
    try {
      if (mayBeDone && !revertOne(transaction, op, staged[index])) conflicts.add(index);
    } catch (thrown) {
      // What others work on must stand as they left it; where they have nothing to do with each other, one is no reason
      // to leave the others.
      if (isOrdered) throw thrown;
      failures.push(thrown);
    }
    if (!op.late) continue;
    noteBack(transaction, index);
    // Now, while the places are as the operation found them.
    const own = diskFor(disk, op);
    discard(own, op, conflicts.has(index));
    for (const one of planned) if (one.act === index) unmakeParents(own, one, records);
  }
  if (failures.length > 0) throw failures[0];
  noteBack(transaction, 0);
  if (conflicts.size > 0) keepConflict(transaction, conflicts);
  for (const op of operations) discard(diskFor(disk, op), op, conflicts.has(op.index));
  for (const one of planned) if (one.act === undefined) unmakeParents(disk, one, records);
  flushDirectories(transaction);
  if (conflicts.size === 0) disk.history.drop(disk.transaction);
  return [...conflicts].flatMap((index) => operations[index] ?? []).map((op) => shownPath(disk, op));
}

/** Where the line cannot be written, a recovery that finds something missing says so instead of passing over it. */
function noteBack({ journal }: Transaction, act: number): void {
  try {
    journal.write({ kind: "back", act } satisfies JournalRecord, true);
  } catch {
    // The state folder is full or broken: all the more reason to go on.
  }
}

/** A directory that could not be made is somebody else's. */
function canBeHalfDone({ act }: DiskOperation): boolean {
  return act !== "make_directory" && act !== "remove_directory";
}

/**
 * @param known absent for an operation that cannot have been done yet
 * @returns false for what somebody else has changed. @throws when the disk fails, or a directory is not where it was
 */
function revertOne(transaction: Transaction, op: DiskOperation, known: StagedFacts | undefined): boolean {
  if (!known) return true;
  const { disk, records } = transaction;
  const shown = shownPath(disk, op);
  try {
    if (revert(diskFor(disk, op), op, known)) return true;
    logLine(`${disk.transaction}: ${shown} was changed by somebody else and is left as it is`);
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !isInOwn(transaction, op)) throw thrown;
    // The directory was the transaction's own, and a rollback that died has taken it back already.
    if (records.some((record) => record.kind === "back" && record.act <= op.index)) return true;
    logLine(`${disk.transaction}: the directory of ${shown} was moved or removed by somebody else`);
    return false;
  }
}

/** Whether a directory on the way to one of its places was made by the transaction itself. */
function isInOwn({ begin, operations, records }: Transaction, op: DiskOperation): boolean {
  const parents = plannedParents(begin, records)
    .filter((one) => one.act === undefined || one.act <= op.index)
    .flatMap((one) => one.parents);
  return placesOf(op).some((path) => {
    let at = parentOf(path);
    for (const earlier of operations.slice(0, op.index).reverse()) {
      if (parents.some((parent) => isAtOrBelow(at, parent))) return true;
      if (!isAtOrBelow(at, earlier.at)) continue;
      if (earlier.act === "make_directory" || earlier.act === "put") return true;
      // It came there by a move: what was it before?
      if (earlier.act === "move")
        at = { root: earlier.from.root, rel: earlier.from.rel + at.rel.slice(earlier.at.rel.length) };
    }
    return parents.some((parent) => isAtOrBelow(at, parent));
  });
}
