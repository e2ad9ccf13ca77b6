/**
 * After the commit point: what was displaced comes into the history, temporary names go, and the note of the transaction
 * is written. Everything here can be done again after a crash, and nothing of it is an error of the change.
 */
import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, limits, logLine, nowMs } from "../base/index.ts";
import { errnoOf, type Place } from "../scope/index.ts";
import type { AnswerStore } from "../state/index.ts";
import { touchedDirectories, type Act } from "./acts.ts";
import { afterStep } from "./after-step.ts";
import { copyObject } from "./copy-object.ts";
import { besideEntry, keptEntry, statOf, syncDirectory, withPlace, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import { madeParents, measuredAfter } from "./run.ts";
import { discardAct } from "./take-back.ts";

/** @returns whether its note is written; where it is not, the journal must stand for the next time */
export function finishTransaction(
  disk: Disk,
  begin: JournalBegin,
  answers: AnswerStore,
  records: readonly unknown[],
): boolean {
  const { answer } = begin;
  if (answer) quietly(disk, () => answers.put(answer));
  begin.acts.forEach((act, index) => quietly(disk, () => takeIn(disk, act, index)));
  begin.acts.forEach((act, index) => discardAct(disk, act, index));
  const isNoted = quietly(disk, () => note(disk, begin, records, false)) ?? false;
  if (!begin.isSingle)
    quietly(disk, () => touchedDirectories(begin.acts).forEach((path) => syncDirectory(disk, path)));
  return isNoted;
}

/** What could not be taken back is somebody's decision; what was displaced is kept for it. */
export function keepConflict(disk: Disk, begin: JournalBegin, records: readonly unknown[]): void {
  begin.acts.forEach((act, index) => quietly(disk, () => takeIn(disk, act, index)));
  quietly(disk, () => note(disk, begin, records, true));
}

function note(disk: Disk, begin: JournalBegin, records: readonly unknown[], conflict: boolean): true {
  const known = measuredAfter(records);
  const kept = begin.acts.map((_, index) => statOf(keptEntry(disk, index)) !== undefined);
  disk.history.put({
    ...begin.about,
    transaction: disk.transaction,
    at: nowMs(),
    bytes: kept.reduce((sum, isKept, index) => (isKept ? sum + sizeOf(keptEntry(disk, index)) : sum), 0),
    steps: begin.steps,
    after: begin.steps.map((_, index) => known.get(index) ?? afterStep(disk, begin, index)),
    parents: madeParents(begin, records),
    kept,
    ...(conflict ? { conflict } : {}),
  });
  if (begin.about.undoes !== undefined && !conflict) markUndone(disk, begin.about.undoes);
  return true;
}

/** What was kept of it is back in its place; a second name of it would look like a hard link there. */
function markUndone({ history, transaction }: Disk, undone: string): void {
  const record = history.get(undone);
  if (record.undoneBy !== undefined) return;
  history.put({ ...record, undoneBy: transaction, kept: record.kept.map(() => false), bytes: 0 });
  history.dropKept(undone);
}

/** From beside its place into the history; a copy of what is not too large, where a rename cannot. */
function takeIn(disk: Disk, act: Act, index: number): void {
  const hasOld = act.act === "remove" || act.act === "move" || (act.act === "put" && act.replaces);
  if (!hasOld || (act.act !== "move" && statOf(keptEntry(disk, index)))) return;
  if (act.act === "move" && act.across)
    withPlace(disk, act.from, (source) =>
      rmSync(besideEntry(source, disk, index, "aside"), { recursive: true, force: true }),
    );
  withPlace(disk, act.at, (place) => {
    const old = besideEntry(place, disk, index, "old");
    if (statOf(old)) keepOrDrop(disk, place, old, index);
  });
}

function keepOrDrop(disk: Disk, place: Place, old: string | Buffer, index: number): void {
  const kept = keptEntry(disk, index);
  try {
    renameSync(old, kept);
    return;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
  }
  const stat = statOf(old);
  if (stat && !stat.isDirectory() && stat.size <= limits.MAX_KEPT_COPY_BYTES)
    copyObject(disk.scope, { ...place, entry: old }, kept, { cancel: { state: () => "none" } });
  rmSync(old, { recursive: true, force: true });
}

/** Of a file, or of all files of a tree in the history, which is ours alone. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function quietly<T>(disk: Disk, work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    // A place that a later act has moved away holds nothing of ours.
    if (thrown instanceof Failure && thrown.code === "not_found") return undefined;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    logLine(`cannot tidy up after ${disk.transaction}: ${why}`);
    return undefined;
  }
}
