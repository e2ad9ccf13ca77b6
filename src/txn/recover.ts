/**
 * A transaction that did not come to its commit point, taken back as far as its journal says that it may have come: in the
 * process that failed, and in the one that finds the journal of a dead host. One that came to its commit point is finished
 * there. Recovery uses held handles and the locks of a commit; what cannot be reached now (a root that is not mounted)
 * waits for the next time.
 */
import { Failure, logLine, NEVER_CANCELLED } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { Journal } from "../state/index.ts";
import { begun, diskFor, flushDirectories, isBesideSafe, placesOf, shownPath, withPlace } from "./commit/disk.ts";
import type { Disk, OpenTransaction, Stores } from "./commit/disk.ts";
import { finishTransaction, keepConflict } from "./commit/finish.ts";
import { HeldPlaces } from "./commit/held-places.ts";
import { lockAll } from "./commit/lock-directories.ts";
import { discard, revert } from "./commit/revert.ts";
import { unmakeParents } from "./commit/stage.ts";
import { areSameRoots, identityOf, isSame, rootIdentities, type RootIdentity } from "./fingerprint.ts";
import { isAtOrBelow, parentOf } from "./model.ts";
import { plannedParents, stagedBy } from "./records.ts";
import type { DiskOperation, JournalRecord, JournalRecords, ScopeSpec, StagedFacts } from "./records.ts";

export interface Recovered {
  readonly transaction: string;
  readonly outcome: "finished" | "taken_back";
}

/** @param openScope the scope of the roots that the transaction was about; throws when they cannot be opened */
export function recoverTransactions(stores: Stores, openScope: (spec: ScopeSpec) => Scope): Recovered[] {
  const recovered: Recovered[] = [];
  for (const { transaction, journal } of Journal.abandoned(stores.journal))
    try {
      const outcome = recoverOne(stores, transaction, journal, openScope);
      if (outcome === "finished" || outcome === "noteless") journal.leave();
      else journal.finish();
      if (outcome && outcome !== "noteless") recovered.push({ transaction, outcome });
    } catch (thrown) {
      journal.leave();
      // Logged only one time in a process, because recovery is tried again at every change.
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      if (!complained.has(transaction)) logLine(`cannot recover ${transaction} now: ${why}`);
      complained.add(transaction);
    }
  return recovered;
}

const complained = new Set<string>();

/** @returns `undefined` when the process died before it had written down its plan: nothing was done */
function recoverOne(
  stores: Stores,
  id: string,
  journal: Journal,
  openScope: (spec: ScopeSpec) => Scope,
): Recovered["outcome"] | "noteless" | undefined {
  const written = journal.read() as JournalRecords;
  const [first] = written;
  if (first?.kind !== "begin") return undefined;
  using held = new DisposableStack();
  const scope = held.use(openScope(first.about.scope));
  const roots = rootIdentities(scope);
  if (!areSameRoots(first.roots, roots)) throw new Error("another directory stands at the path of a root");
  const records = withDevicesOf(written, first.roots, roots);
  const begin = records[0] as JournalRecord & { kind: "begin" };
  const places = lockAll(scope, begin.steps, held, () => new HeldPlaces(scope, begin.directories));
  const disk: Disk = {
    besideIsSafe: isBesideSafe(begin.steps),
    seen: new Map(),
    scope,
    transaction: id,
    places,
    cancel: NEVER_CANCELLED,
    history: stores.history,
    durability: "full",
  };
  const transaction = begun(disk, begin, journal, records);
  if (records.some(({ kind }) => kind === "committed") || isDone(transaction))
    return finishTransaction(transaction, stores.answers) ? "finished" : "noteless";
  places.checkAll();
  rollBack(transaction);
  return "taken_back";
}

/** A single operation that is done may have been answered, although its commit record was lost. */
function isDone({ disk, begin, operations: [op], records }: OpenTransaction): boolean {
  const [known] = stagedBy(begin, records);
  if (!begin.isSingle || !op || !known) return false;
  return withPlace(disk, op.at, ({ entry }) => {
    const now = identityOf(entry);
    if (op.act === "put" || op.act === "make_directory") return isSame(now, known.staged);
    if (op.act === "move") return isSame(now, known.moved);
    return (op.act === "remove" || op.act === "remove_directory") && now === undefined;
  });
}

/** The lines of a journal with the numbers that the devices of the roots have now. */
function withDevicesOf(
  records: JournalRecords,
  was: readonly RootIdentity[],
  now: readonly RootIdentity[],
): JournalRecords {
  const numbers = new Map(was.map(({ dev }, at) => [dev, now[at]?.dev ?? dev]));
  if ([...numbers].every(([old, number]) => old === number)) return records;
  // Text in a string has its quotes escaped, so this is always a member.
  const text = JSON.stringify(records).replaceAll(
    /"dev":"(\d+)"/g,
    (_member, dev: string) => `"dev":"${numbers.get(dev) ?? dev}"`,
  );
  return JSON.parse(text) as JournalRecords;
}

/**
 * Takes a transaction back.
 * @param done how many operations were done, where the process that did them still lives
 * @returns what somebody else has changed and is left as it is, as people see it
 * @throws when something cannot be taken back now; a later recovery can go on
 */
export function rollBack(transaction: OpenTransaction, done: number = transaction.operations.length): string[] {
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
      // Ordered operations can only be reverted from the last one on; independent ones are still reverted.
      if (isOrdered) throw thrown;
      failures.push(thrown);
    }
    if (!op.late) continue;
    noteBack(transaction, index);
    // Done now, while the places are as the operation found them.
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

/** Without this line, a later recovery reports a missing object instead of passing over it. */
function noteBack({ journal }: OpenTransaction, act: number): void {
  try {
    journal.write({ kind: "back", act } satisfies JournalRecord, true);
  } catch {
    // The state folder may be full or broken, which is no reason to stop a rollback.
  }
}

/** A directory that could not be made belongs to somebody else. */
function canBeHalfDone({ act }: DiskOperation): boolean {
  return act !== "make_directory" && act !== "remove_directory";
}

/**
 * @param known absent for an operation that cannot have been done yet
 * @returns false for what somebody else has changed. @throws when the disk fails, or a directory is not where it was
 */
function revertOne(transaction: OpenTransaction, op: DiskOperation, known: StagedFacts | undefined): boolean {
  if (!known) return true;
  const { disk, records } = transaction;
  const shown = shownPath(disk, op);
  try {
    if (revert(diskFor(disk, op), op, known)) return true;
    logLine(`${disk.transaction}: ${shown} was changed by somebody else and is left as it is`);
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !isInOwn(transaction, op)) throw thrown;
    // The directory was the transaction's own, and an interrupted rollback has removed it already.
    if (records.some((record) => record.kind === "back" && record.act <= op.index)) return true;
    logLine(`${disk.transaction}: the directory of ${shown} was moved or removed by somebody else`);
    return false;
  }
}

/** Whether a directory on the way to one of its places was made by the transaction itself. */
function isInOwn({ begin, operations, records }: OpenTransaction, op: DiskOperation): boolean {
  const parents = plannedParents(begin, records)
    .filter((one) => one.act === undefined || one.act <= op.index)
    .flatMap((one) => one.parents);
  return placesOf(op).some((path) => {
    let at = parentOf(path);
    for (const earlier of operations.slice(0, op.index).reverse()) {
      if (parents.some((parent) => isAtOrBelow(at, parent))) return true;
      if (!isAtOrBelow(at, earlier.at)) continue;
      if (earlier.act === "make_directory" || earlier.act === "put") return true;
      // A move brought it there, so look at where it was before.
      if (earlier.act === "move")
        at = { root: earlier.from.root, rel: earlier.from.rel + at.rel.slice(earlier.at.rel.length) };
    }
    return parents.some((parent) => isAtOrBelow(at, parent));
  });
}
