/**
 * After the commit point: what was displaced comes into the history, temporary names go, and the note of the transaction
 * is written. Everything here can be done again after a crash, and nothing of it is an error of the change.
 */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, logLine, NEVER_CANCELLED, nowMs } from "../../base/index.ts";
import type { AnswerStore } from "../../state/index.ts";
import { inDirectory, parentOf, type RootPath } from "../model.ts";
import { type DiskOperation, leftBy, madeBy, type TransactionRecord } from "../records.ts";
import { copyObject } from "../tree-copy/copy-tree.ts";
import { statOf, tryRename } from "../tree-copy/tree.ts";
import { dropDirectory } from "./apply.ts";
import { besideEntry, besideName, diskFor, keptEntry, placesOf, shownPath, syncDirectory, withPlace } from "./disk.ts";
import type { Disk, OpenTransaction } from "./disk.ts";
import { leftAt } from "./plan.ts";
import { discard } from "./revert.ts";
import { unlessGone } from "./stage.ts";

/** @returns whether the journal has become the note of the transaction; otherwise it stays for the next recovery */
export function finishTransaction(transaction: OpenTransaction, answers: AnswerStore): boolean {
  const { disk, begin, operations, journal } = transaction;
  const { answer } = begin;
  if (answer) quietly(disk, () => answers.put(answer));
  let isTidy = true;
  const changed: [Disk, RootPath][] = [];
  for (const op of operations) {
    const own = diskFor(disk, op);
    const isDone = quietly(disk, () => {
      const isTaken = takeIn(own, op);
      if (discard(own, op) || isTaken) for (const path of placesOf(op)) changed.push([own, parentOf(path)]);
    });
    if (!isDone) isTidy = false;
  }
  // Where no temporary name was removed there is nothing to flush.
  const done = new Set<string>();
  isTidy &&= quietly(disk, () => changed.forEach(([own, path]) => syncDirectory(own, path, done)));
  // Only the journal knows what is not tidied up yet.
  if (!isTidy) return false;
  let isNoted = false;
  quietly(disk, () => {
    if (begin.about.undoes !== undefined) markUndone(disk, begin.about.undoes);
    disk.history.keep(journal, noteOf(transaction));
    isNoted = true;
  });
  return isNoted;
}

/** Keeps what was displaced by operations that could not be reverted, so that a person can decide. @param left their numbers */
export function keepConflict(transaction: OpenTransaction, left: ReadonlySet<number>): void {
  const { disk, operations } = transaction;
  const conflicts = operations.filter(({ index }) => left.has(index));
  for (const op of operations) {
    if (left.has(op.index)) keepForSomebody(diskFor(disk, op), op);
    // This is only a second name of the object, which is back in its place.
    else rmSync(keptEntry(disk, op), { recursive: true, force: true });
  }
  const shown = conflicts.map((op) => shownPath(disk, op));
  disk.history.put({ ...noteOf(transaction), conflict: true, left: shown });
}

/** Keeps the object whatever its size: it is the only one. */
function keepForSomebody(disk: Disk, op: DiskOperation): void {
  const keep = (path: RootPath, purpose: "old" | "aside", kept: string): void => {
    const beside = inDirectory(parentOf(path), besideName(disk.transaction, op.index, purpose));
    unlessGone(() =>
      withPlace(disk, beside, (place) => {
        const { entry } = place;
        if (!statOf(entry) || statOf(kept) || tryRename(entry, kept)) return;
        copyObject(disk.scope, place, kept, { cancel: NEVER_CANCELLED, whole: true });
        rmSync(entry, { recursive: true, force: true });
      }),
    );
  };
  keep(op.at, "old", keptEntry(disk, op));
  if (op.act === "move" && op.across)
    keep(op.from, "aside", disk.history.objectOf(disk.transaction, `${op.index}.source`));
}

function noteOf({ disk, begin, operations, records }: OpenTransaction): TransactionRecord {
  const noted = leftBy(records);
  const entries = operations.map((op) => keptEntry(disk, op));
  const kept = entries.map((entry) => statOf(entry) !== undefined);
  return {
    ...begin.about,
    transaction: disk.transaction,
    at: nowMs(),
    bytes: entries.reduce((sum, entry, index) => sum + (kept[index] ? sizeOf(entry) : 0), 0),
    steps: begin.steps,
    after: begin.steps.map((step, index) => {
      const op = operations[index];
      // The place was looked at right after the operation, or is looked at now where no later one has touched it.
      return noted.get(index) ?? (op ? leftAt(disk, step, op) : { kind: "absent" });
    }),
    made: madeBy(records),
    roots: begin.roots,
    kept,
  };
}

/** The objects that it kept are back in their places, where a second name would look like a hard link. */
function markUndone({ history, transaction }: Disk, undone: string): void {
  // The history may have dropped it by now.
  if (!history.has(undone)) return;
  const record = history.get(undone);
  if (record.undoneBy !== undefined) return;
  history.put({ ...record, undoneBy: transaction, kept: record.kept.map(() => false), bytes: 0 });
  history.dropKept(undone);
}

/** Takes what was displaced from beside its place into the history. @returns whether there was something */
function takeIn(disk: Disk, op: DiskOperation): boolean {
  if (op.act === "remove_directory") dropDirectory(disk, op);
  const hasOld = op.act === "remove" || op.act === "move" || (op.act === "put" && op.replaces);
  if (!hasOld || (op.act !== "move" && statOf(keptEntry(disk, op)))) return false;
  let isTaken = false;
  if (op.act === "move" && op.across)
    withPlace(disk, op.from, (source) => {
      const aside = besideEntry(disk, op, source, "aside");
      isTaken = statOf(aside) !== undefined;
      rmSync(aside, { recursive: true, force: true });
    });
  withPlace(disk, op.at, (place) => {
    const [old, kept] = [besideEntry(disk, op, place, "old"), keptEntry(disk, op)];
    if (!statOf(old)) return;
    // What a rename cannot take there was copied before the operation, or the proposal has said that it is not kept.
    if (!statOf(kept)) tryRename(old, kept);
    rmSync(old, { recursive: true, force: true });
    isTaken = true;
  });
  return isTaken;
}

/** The bytes of a file, or of all files of a tree in the history, which is ours alone. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function quietly(disk: Disk, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    // A place that a later operation, or somebody else, has moved away holds nothing of ours.
    if (thrown instanceof Failure && (thrown.code === "not_found" || thrown.code === "stale")) return true;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    logLine(`cannot tidy up after ${disk.transaction} now: ${why}`);
    return false;
  }
}
