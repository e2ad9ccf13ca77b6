/**
 * A transaction that did not come to its commit point, taken back as far as its journal says that it may have come: in
 * the process that failed, and in the one that finds the journal of a dead one.
 */
import { Failure, logLine } from "../../base/index.ts";
import type { Journal } from "../../state/index.ts";
import { isAtOrBelow, parentOf, type Act } from "./plan.ts";
import { diskOf, shownPath, type Disk } from "./disk.ts";
import type { JournalBegin } from "../records.ts";
import { keepConflict } from "./finish.ts";
import { unmakeParents } from "./make-parents.ts";
import { flushActs, plannedParents, type JournalLate, type JournalPrepared } from "./run.ts";
import type { Prepared } from "./stage.ts";
import { discardAct, takeBack } from "./revert.ts";

/** Of a rollback: this act and all later ones are taken back. What is missing from there on may be its own doing. */
export interface JournalBack {
  readonly kind: "back";
  readonly act: number;
}

/**
 * @param records of the journal, the first of which is `begin`
 * @param done how many acts were done, where the process that did them still lives
 * @returns what somebody else has changed and is left as it is, as people see it
 * @throws when something cannot be taken back now; a later recovery can go on
 */
export function rollBack(
  disk: Disk,
  begin: JournalBegin,
  journal: Journal,
  records: readonly unknown[],
  done: number = begin.acts.length,
): string[] {
  const work: RollBack = { disk, begin, records, prepared: preparedBy(begin.acts, records) };
  const planned = plannedParents(begin, records);
  const isOrdered = begin.acts.some(({ late }) => late);
  const conflicts = new Set<number>();
  const failures: unknown[] = [];
  for (let index = begin.acts.length - 1; index >= 0; index--) {
    const act = begin.acts[index];
    if (!act) continue;
    const mayBeDone = index < done || (index === done && canBeHalfDone(act));
    try {
      if (mayBeDone && !takeBackOne(work, act, index)) conflicts.add(index);
    } catch (thrown) {
      // What others work on must stand as they left it; where they have nothing to do with each other, one is no reason
      // to leave the others.
      if (isOrdered) throw thrown;
      failures.push(thrown);
    }
    if (!act.late) continue;
    tell(journal, index);
    // Now, while the places are as the act found them.
    const own = diskOf(disk, act, index);
    discardAct(own, act, index, conflicts.has(index));
    for (const one of planned) if (one.act === index) unmakeParents(own, one, records);
  }
  if (failures.length > 0) throw failures[0];
  tell(journal, 0);
  const shown = [...conflicts].flatMap((index) => begin.acts[index] ?? []).map((act) => shownPath(disk, act));
  if (conflicts.size > 0) keepConflict(disk, begin, records, conflicts);
  begin.acts.forEach((act, index) => discardAct(diskOf(disk, act, index), act, index, conflicts.has(index)));
  for (const one of planned) if (one.act === undefined) unmakeParents(disk, one, records);
  flushActs(disk, begin, records);
  if (conflicts.size === 0) disk.history.drop(disk.transaction);
  return shown;
}

interface RollBack {
  readonly disk: Disk;
  readonly begin: JournalBegin;
  readonly records: readonly unknown[];
  readonly prepared: readonly (Prepared | undefined)[];
}

/** Where it cannot be written, a recovery that finds something missing says so instead of passing over it. */
function tell(journal: Journal, act: number): void {
  try {
    journal.write({ kind: "back", act } satisfies JournalBack, true);
  } catch {
    // The state folder is full or broken: all the more reason to go on.
  }
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

/** @returns false for what somebody else has changed. @throws when the disk fails, or a directory is not where it was */
function takeBackOne(work: RollBack, act: Act, index: number): boolean {
  const { disk, prepared } = work;
  const known = prepared[index];
  if (!known) return true;
  const { transaction } = disk;
  try {
    if (takeBack(diskOf(disk, act, index), act, index, known) === "done") return true;
    logLine(`${transaction}: ${shownPath(disk, act)} was changed by somebody else and is left as it is`);
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !isInOwn(work, act, index)) throw thrown;
    // The directory was the transaction's own, and a rollback that died has taken it back already.
    if (wasToldBack(work.records, index)) return true;
    logLine(`${transaction}: the directory of ${shownPath(disk, act)} was moved or removed by somebody else`);
    return false;
  }
}

function wasToldBack(records: readonly unknown[], index: number): boolean {
  return (records as readonly (JournalBack | { readonly kind: "other" })[]).some(
    (record) => record.kind === "back" && record.act <= index,
  );
}

/** Whether a directory on the way to one of its places was made by the transaction itself. */
function isInOwn({ begin, records }: RollBack, act: Act, index: number): boolean {
  const parents = plannedParents(begin, records)
    .filter((one) => one.act === undefined || one.act <= index)
    .flatMap((one) => one.parents);
  return (act.act === "move" ? [act.from, act.at] : [act.at]).some((path) => {
    let at = parentOf(path);
    for (const earlier of begin.acts.slice(0, index).reverse()) {
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
