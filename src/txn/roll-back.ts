/**
 * A transaction that did not come to its commit point, taken back as far as its journal says that it may have come: in
 * the process that failed, and in the one that finds the journal of a dead one.
 */
import { logLine } from "../base/index.ts";
import { rmdirSync } from "node:fs";
import { touchedDirectories, type Act } from "./acts.ts";
import { shownPath, syncDirectory, withPlace, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import { keepConflict } from "./finish.ts";
import type { JournalLate, JournalPrepared } from "./run.ts";
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
  const prepared = preparedBy(records);
  let hasConflict = false;
  if (prepared)
    for (let index = Math.min(done, begin.acts.length - 1); index >= 0; index--)
      if (index === done && !canBeHalfDone(begin.acts[index])) continue;
      else if (!takeBackOne(disk, begin, index, prepared[index] ?? {})) hasConflict = true;
  begin.acts.forEach((act, index) => discardAct(disk, act, index));
  for (const path of [...begin.parents].reverse()) {
    try {
      withPlace(disk, path, ({ entry }) => rmdirSync(entry));
    } catch {
      // It was never made, or somebody put something into it.
    }
  }
  quietly(() => touchedDirectories(begin.acts).forEach((path) => syncDirectory(disk, path)));
  if (hasConflict) keepConflict(disk, begin);
  else disk.history.drop(disk.transaction);
}

/** A directory that could not be made is somebody else's. */
function canBeHalfDone(act: Act | undefined): boolean {
  return act?.act !== "make_directory" && act?.act !== "remove_directory";
}

/** What was known of each act; `undefined` when nothing can have been done yet. */
export function preparedBy(records: readonly unknown[]): Prepared[] | undefined {
  let prepared: Prepared[] | undefined;
  for (const record of records as readonly (JournalPrepared | JournalLate | { kind: "committed" })[]) {
    if (record.kind === "prepared") prepared = [...record.acts];
    else if (record.kind === "late" && prepared) prepared[record.act] = record.prepared;
  }
  return prepared;
}

/** One that cannot be taken back must not keep the others from it. */
function takeBackOne(disk: Disk, begin: JournalBegin, index: number, prepared: Prepared): boolean {
  const act = begin.acts[index];
  if (!act) return true;
  try {
    if (takeBack(disk, act, index, prepared) === "done") return true;
    logLine(`${disk.transaction}: ${shownPath(disk, act)} was changed by somebody else and is left as it is`);
  } catch (thrown) {
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
