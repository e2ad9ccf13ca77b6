/**
 * A transaction that did not come to its commit point, taken back as far as its journal says that it may have come: in
 * the process that failed, and in the one that finds the journal of a dead one.
 */
import { Failure, logLine } from "../base/index.ts";
import { rmdirSync } from "node:fs";
import { touchedDirectories, type Act } from "./acts.ts";
import { shownPath, syncDirectory, withPlace, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import { keepConflict } from "./finish.ts";
import { madeParents, type JournalLate, type JournalPrepared } from "./run.ts";
import type { Prepared } from "./stage.ts";
import { discardAct, takeBack } from "./take-back.ts";

/**
 * @param records of the journal, the first of which is `begin`
 * @param done how many acts were done, where the process that did them still lives
 */
export function rollBack(
  disk: Disk,
  begin: JournalBegin,
  records: readonly unknown[],
  done: number = begin.acts.length,
): void {
  const prepared = preparedBy(begin.acts, records);
  let hasConflict = false;
  for (let index = begin.acts.length - 1; index >= 0; index--) {
    const act = begin.acts[index];
    if (!act) continue;
    const known = prepared[index];
    const mayBeDone = index < done || (index === done && canBeHalfDone(act));
    if (known && mayBeDone && !takeBackOne(disk, act, index, known, done === begin.acts.length))
      hasConflict = true;
    // Now, while the places are as the act found them.
    if (act.late) discardAct(disk, act, index);
  }
  if (hasConflict) keepConflict(disk, begin, records);
  begin.acts.forEach((act, index) => discardAct(disk, act, index));
  for (const path of madeParents(begin, records).reverse()) {
    try {
      withPlace(disk, path, ({ entry }) => rmdirSync(entry));
    } catch {
      // It was never made, or somebody put something into it.
    }
  }
  quietly(() => touchedDirectories(begin.acts).forEach((path) => syncDirectory(disk, path)));
  if (!hasConflict) disk.history.drop(disk.transaction);
}

/** A directory that could not be made is somebody else's. */
function canBeHalfDone({ act }: Act): boolean {
  return act !== "make_directory" && act !== "remove_directory";
}

/** What was known of each act; `undefined` for one that cannot have been done yet. */
export function preparedBy(acts: readonly Act[], records: readonly unknown[]): (Prepared | undefined)[] {
  const prepared: (Prepared | undefined)[] = [];
  for (const record of records as readonly (JournalPrepared | JournalLate | { kind: "committed" })[]) {
    if (record.kind === "prepared")
      acts.forEach((act, index) => (prepared[index] = act.late ? undefined : record.acts[index]));
    else if (record.kind === "late") prepared[record.act] = record.prepared;
  }
  return prepared;
}

/** One that cannot be taken back must not keep the others from it. */
function takeBackOne(disk: Disk, act: Act, index: number, prepared: Prepared, isRecovery: boolean): boolean {
  try {
    if (takeBack(disk, act, index, prepared) === "done") return true;
    logLine(`${disk.transaction}: ${shownPath(disk, act)} was changed by somebody else and is left as it is`);
  } catch (thrown) {
    // The directory was the transaction's own, and a recovery that died has taken it back already.
    const wasOurs = act.late || prepared.displaced === undefined;
    if (wasOurs && thrown instanceof Failure && thrown.code === "not_found") return true;
    // The disk itself fails: a later recovery may have more luck, and needs the journal.
    if (!(thrown instanceof Failure) && isRecovery) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    logLine(`${disk.transaction}: cannot take back the change of ${shownPath(disk, act)}: ${why}`);
  }
  return false;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // A directory that is gone needs no flushing.
  }
}
