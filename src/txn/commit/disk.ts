/**
 * What every operation of a transaction sees of the disk: places by handle, the names that it uses beside them and in the
 * history, and how both come to be on the disk. Nothing here follows a link or trusts a name.
 */
import { closeSync, fsyncSync } from "node:fs";
import { type Cancel, limits } from "../../base/index.ts";
import { failureOf, type Place, type Scope } from "../../scope/index.ts";
import type { AnswerStore, Durability, HistoryStore, Journal } from "../../state/index.ts";
import { fsName, startWriting } from "../../sys/index.ts";
import { locatedFrom, parentOf, type PreparedStep, type RootPath } from "../model.ts";
import { plannedParents } from "../records.ts";
import type { DiskOperation, JournalBegin, JournalRecords, PlannedOperation, TransactionRecord } from "../records.ts";
import type { Entry } from "../tree-copy/tree.ts";
import type { Places } from "./held-places.ts";

/** The stores of a transaction: its journal, the history of what it displaces, and the answers for repeated calls. */
export interface Stores {
  readonly history: HistoryStore<TransactionRecord>;
  readonly answers: AnswerStore;
  /** The folder of journals. */
  readonly journal: string;
  readonly durability: Durability;
}

/** The new contents of a change set, by index. */
export type Contents = (index: number) => Uint8Array;

export interface Disk {
  readonly scope: Scope;
  readonly transaction: string;
  readonly history: HistoryStore<TransactionRecord>;
  readonly durability: Durability;
  readonly cancel: Cancel;
  readonly places: Places;
  /** No operation moves what an earlier one has put beside its place. */
  readonly besideIsSafe: boolean;
  /** Versions of files as they were checked, by `keyOf`; none in a recovery, which displaces nothing. */
  readonly seen: Map<string, string>;
  /** Whether it takes back another transaction. */
  readonly undoes?: boolean;
}

export function isBesideSafe(steps: readonly PreparedStep[]): boolean {
  return !steps.some(({ follows }) => follows);
}

/** A transaction whose plan is in the journal, in the process that began it or in one that recovers it. */
export interface OpenTransaction {
  readonly disk: Disk;
  readonly begin: JournalBegin;
  readonly operations: readonly DiskOperation[];
  readonly journal: Journal;
  /** The lines of the journal; they grow in the process that writes them. */
  readonly records: JournalRecords;
}

export function begun(
  disk: Disk,
  begin: JournalBegin,
  journal: Journal,
  records: JournalRecords = journal.written as JournalRecords,
): OpenTransaction {
  const operations = begin.acts.map((planned, index) => ({ ...planned, index }));
  return { disk, begin, operations, journal, records };
}

/** The disk as an operation finds it when its turn comes. */
export function diskFor(disk: Disk, { late, index }: DiskOperation): Disk {
  return late ? { ...disk, places: disk.places.late(index) } : disk;
}

export function withPlace<T>(disk: Disk, path: RootPath, work: (place: Place) => T): T {
  using place = disk.places.place(path);
  return work(place);
}

/** New content; a displaced object; the source of a move to another device; missing parent directories. */
export type Purpose = "staged" | "old" | "aside" | "parent";

export function besideName(transaction: string, number: number, purpose: Purpose): string {
  return `.ringfence_${transaction.slice(2)}_${number}.${purpose}.tmp`;
}

export function besideEntry(disk: Disk, { index }: DiskOperation, place: Place, purpose: Purpose): Entry {
  return fsName(`${place.parent.path}/${besideName(disk.transaction, index, purpose)}`);
}

/** Where the history keeps what an operation displaces. */
export function keptEntry({ history, transaction }: Disk, { index }: { readonly index: number }): string {
  return history.objectOf(transaction, index);
}

/** The new content of a file that is written in place, until the transaction is over. */
export function newContentEntry({ history, transaction }: Disk, { index }: DiskOperation): string {
  return history.objectOf(transaction, `${index}.new`);
}

export function shownPath({ scope }: Disk, { at }: PlannedOperation): string {
  return scope.show(locatedFrom(scope, at));
}

/** The places whose directory entries an operation changes. */
export function placesOf(op: PlannedOperation): RootPath[] {
  return op.act === "move" ? [op.from, op.at] : [op.at];
}

/**
 * A rename is durable only when its directory is. Windows has no such call, and needs none.
 * @param done directories that were flushed already
 */
export function syncDirectory(disk: Disk, path: RootPath, done: Set<string> = new Set()): void {
  if (disk.durability === "fast" || process.platform === "win32") return;
  disk.places.flush(path, done);
}

/** Flushes the directories that the operations change, and those in which directories were made. */
export function flushDirectories(
  { disk, begin, operations, records }: OpenTransaction,
  which: (op: DiskOperation) => boolean = () => true,
): void {
  const done = new Set<string>();
  for (const op of operations.filter(which))
    for (const path of placesOf(op)) syncDirectory(diskFor(disk, op), parentOf(path), done);
  for (const { parents, act } of plannedParents(begin, records)) {
    const op = act === undefined ? undefined : operations[act];
    for (const path of parents) syncDirectory(op ? diskFor(disk, op) : disk, parentOf(path), done);
  }
}

/**
 * New files of one transaction, flushed together. A file system writes down every flush by itself, so a hundred files that
 * are written and flushed one by one wait a hundred times. Here all of them are written first, the system is told to begin
 * with their bytes, and then each is flushed: nearly all of it is on the disk by then.
 */
export class Flushes implements Disposable {
  readonly #disk: Disk;
  #waiting: { readonly fd: number; readonly at: RootPath }[] = [];

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * What is written by `work` is on the disk after the next `settle`. The file is closed here, also when `work` fails.
   * @param at the place that the file is for
   * @throws what `work` throws, or a Failure of an earlier file
   */
  afterwards<T>(fd: number, at: RootPath, work: () => T): T {
    let result: T;
    try {
      result = work();
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
    this.#waiting.push({ fd, at });
    if (this.#waiting.length >= limits.MAX_FLUSHED_TOGETHER) this.settle();
    return result;
  }

  /**
   * @throws Failure when one of them cannot be flushed, which is never tried twice: the kernel forgets what it could
   * not write
   */
  settle(): void {
    const [waiting, { scope, durability }] = [this.#waiting, this.#disk];
    this.#waiting = [];
    using open = new DisposableStack();
    for (const { fd } of waiting) open.defer(() => closeSync(fd));
    if (durability !== "full") return;
    if (waiting.length > 1) for (const { fd } of waiting) startWriting(fd);
    for (const { fd, at } of waiting) {
      try {
        fsyncSync(fd);
      } catch (thrown) {
        throw failureOf(thrown, scope, locatedFrom(scope, at), "change");
      }
    }
  }

  /** A failed transaction needs nothing on the disk. */
  [Symbol.dispose](): void {
    for (const { fd } of this.#waiting) closeSync(fd);
    this.#waiting = [];
  }
}
