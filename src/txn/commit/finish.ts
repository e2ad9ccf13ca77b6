/**
 * After the commit point: what was displaced comes into the history, temporary names go, and the note of the transaction
 * is written. Everything here can be done again after a crash, and nothing of it is an error of the change.
 */
import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, logLine, NEVER_CANCELLED, nowMs } from "../../base/index.ts";
import { errnoOf } from "../../scope/index.ts";
import type { AnswerStore, Journal } from "../../state/index.ts";
import { besideName, inDirectory, parentOf, touchedDirectories, type Act, type Purpose } from "./plan.ts";
import { afterStep } from "./after-step.ts";
import { copyObject } from "../tree-copy/copy-object.ts";
import {
  besideEntry,
  diskOf,
  keptEntry,
  shownPath,
  statOf,
  syncDirectory,
  withPlace,
  type Disk,
} from "./disk.ts";
import type { JournalBegin, TransactionRecord } from "../records.ts";
import { madeBy, unlessGone } from "./make-parents.ts";
import { dropRemoved } from "./remove-directory.ts";
import { measuredAfter } from "./run.ts";
import type { SealedPath } from "../model.ts";
import { discardAct } from "./revert.ts";

/** @returns whether the journal has become the note of the transaction; where not, it stands for the next time */
export function finishTransaction(
  disk: Disk,
  begin: JournalBegin,
  answers: AnswerStore,
  journal: Journal,
  records: readonly unknown[],
): boolean {
  const { answer } = begin;
  if (answer) quietly(disk, () => answers.put(answer));
  let isTidy = true;
  const changed: [Disk, SealedPath][] = [];
  begin.acts.forEach((act, index) => {
    const own = diskOf(disk, act, index);
    const isDone = quietly(disk, () => {
      const isTaken = takeIn(own, act, index);
      if (discardAct(own, act, index) || isTaken)
        changed.push(...touchedDirectories([act]).map((path): [Disk, SealedPath] => [own, path]));
    });
    if (!isDone) isTidy = false;
  });
  // Of temporary names; without them there is nothing to flush.
  const done = new Set<string>();
  isTidy &&= quietly(disk, () => changed.forEach(([own, path]) => syncDirectory(own, path, done)));
  // What is not tidied up yet is only known to the journal.
  if (!isTidy) return false;
  let isNoted = false;
  quietly(disk, () => {
    if (begin.about.undoes !== undefined) markUndone(disk, begin.about.undoes);
    disk.history.keep(journal, noteOf(disk, begin, records));
    isNoted = true;
  });
  return isNoted;
}

/** What could not be taken back is somebody's decision; what was displaced is kept for it. @param left by act */
export function keepConflict(
  disk: Disk,
  begin: JournalBegin,
  records: readonly unknown[],
  left: ReadonlySet<number>,
): void {
  const shown: string[] = [];
  begin.acts.forEach((act, index) => {
    if (left.has(index)) {
      keepForSomebody(diskOf(disk, act, index), act, index);
      shown.push(shownPath(disk, act));
    } else {
      // Only a second name of what stands in its place again.
      rmSync(keptEntry(disk, index), { recursive: true, force: true });
    }
  });
  disk.history.put({ ...noteOf(disk, begin, records), conflict: true, left: shown });
}

/** Whatever its size: here it is the only one. */
function keepForSomebody(disk: Disk, act: Act, index: number): void {
  const keep = (path: SealedPath, purpose: "old" | "aside", kept: string): void =>
    unlessGone(() =>
      withPlace(disk, besidePath(disk, path, index, purpose), (place) => {
        const { entry } = place;
        if (!statOf(entry) || statOf(kept)) return;
        try {
          renameSync(entry, kept);
        } catch (thrown) {
          if (errnoOf(thrown) !== "EXDEV") throw thrown;
          copyObject(disk.scope, place, kept, { cancel: NEVER_CANCELLED, whole: true });
          rmSync(entry, { recursive: true, force: true });
        }
      }),
    );
  keep(act.at, "old", keptEntry(disk, index));
  if (act.act === "move" && act.across)
    keep(act.from, "aside", disk.history.objectOf(disk.transaction, `${index}.source`));
}

function besidePath({ transaction }: Disk, path: SealedPath, index: number, purpose: Purpose): SealedPath {
  return inDirectory(parentOf(path), besideName(transaction, index, purpose));
}

function noteOf(disk: Disk, begin: JournalBegin, records: readonly unknown[]): TransactionRecord {
  const known = measuredAfter(records);
  const kept = begin.acts.map((_, index) => statOf(keptEntry(disk, index)) !== undefined);
  return {
    ...begin.about,
    transaction: disk.transaction,
    at: nowMs(),
    bytes: kept.reduce((sum, isKept, index) => (isKept ? sum + sizeOf(keptEntry(disk, index)) : sum), 0),
    steps: begin.steps,
    after: begin.steps.map((_, index) => known.get(index) ?? afterStep(disk, begin, index)),
    made: madeBy(records),
    roots: begin.roots,
    kept,
  };
}

/** What was kept of it is back in its place; a second name of it would look like a hard link there. */
function markUndone({ history, transaction }: Disk, undone: string): void {
  // It may be too old by now.
  if (!history.has(undone)) return;
  const record = history.get(undone);
  if (record.undoneBy !== undefined) return;
  history.put({ ...record, undoneBy: transaction, kept: record.kept.map(() => false), bytes: 0 });
  history.dropKept(undone);
}

/** From beside its place into the history. @returns whether there was something */
function takeIn(disk: Disk, act: Act, index: number): boolean {
  if (act.act === "remove_directory") dropRemoved(disk, act, index);
  const hasOld = act.act === "remove" || act.act === "move" || (act.act === "put" && act.replaces);
  if (!hasOld || (act.act !== "move" && statOf(keptEntry(disk, index)))) return false;
  let isTaken = false;
  if (act.act === "move" && act.across)
    withPlace(disk, act.from, (source) => {
      const aside = besideEntry(source, disk, index, "aside");
      isTaken = statOf(aside) !== undefined;
      rmSync(aside, { recursive: true, force: true });
    });
  withPlace(disk, act.at, (place) => {
    const old = besideEntry(place, disk, index, "old");
    if (!statOf(old)) return;
    keepOrDrop(old, keptEntry(disk, index));
    isTaken = true;
  });
  return isTaken;
}

/** What a rename cannot take there was copied before the act, or the proposal has said that it is not kept. */
function keepOrDrop(old: string | Buffer, kept: string): void {
  try {
    if (!statOf(kept)) renameSync(old, kept);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
  }
  rmSync(old, { recursive: true, force: true });
}

/** Of a file, or of all files of a tree in the history, which is ours alone. */
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
    // A place that a later act, or somebody else, has moved away holds nothing of ours.
    if (thrown instanceof Failure && (thrown.code === "not_found" || thrown.code === "stale")) return true;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    logLine(`cannot tidy up after ${disk.transaction} now: ${why}`);
    return false;
  }
}
