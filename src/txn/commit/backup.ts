/**
 * What a transaction displaces, from before the change until it is over. It comes into the history first: by a second name,
 * which costs nothing, or as a copy where the history lies on another mount. So a full disk stops the change, and nothing is
 * lost. An object that is larger than `MAX_KEPT_COPY_BYTES` is not copied to another mount, nor a file that may not be read
 * there, and the proposal says so before; it waits beside its place until the transaction is over.
 *
 * An empty directory that goes comes back as the same one when the change is taken back: later operations, and people's
 * programs, may hold it. So it waits under another name: in the history, or in the nearest directory above it that stays.
 */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { limits } from "../../base/index.ts";
import { mountOf, type Place } from "../../scope/index.ts";
import { failedWith, renameAbsent, statOf, tryLink, type Entry } from "../file-calls.ts";
import { fingerprintTree } from "../fingerprint.ts";
import { inDirectory } from "../model.ts";
import type { DiskOperation, OperationOf } from "../records.ts";
import { copyObject } from "../tree-copy/copy-tree.ts";
import { besideEntry, besideName, keptEntry, withPlace, type Disk } from "./disk.ts";

/** Keeps a file or link that is replaced, so that it is never without a name. A rewrite needs a copy: its inode gets the new content. */
export function keepReplaced(disk: Disk, op: DiskOperation, place: Place): void {
  if (op.act === "rewrite") {
    copyToHistory(disk, op, place);
    return;
  }
  if (tryLink(place.entry, keptEntry(disk, op))) return;
  const isKept = keepByCopy(disk, op, place);
  // Beside it is the object itself, for a change that is taken back.
  const isBeside = disk.besideIsSafe && tryLink(place.entry, besideEntry(disk, op, place, "old"));
  if (!isKept && !isBeside) copyToHistory(disk, op, place);
}

/** Where a rename takes what is removed into the history, there is nothing to be done before. */
export function keepRemoved(disk: Disk, op: DiskOperation, place: Place): void {
  if (statOf(place.entry) && isElsewhere(disk, place)) keepByCopy(disk, op, place);
}

/** @returns whether the history has it now: not when the proposal has said that it is lost */
export function keepByCopy(disk: Disk, op: DiskOperation, place: Place): boolean {
  if (statOf(keptEntry(disk, op))) return true;
  // Where it cannot wait beside its place, it is copied whatever its size.
  const mayLose = disk.besideIsSafe && isElsewhere(disk, place);
  if (mayLose && sizeAt(disk, place) > limits.MAX_KEPT_COPY_BYTES) return false;
  try {
    copyToHistory(disk, op, place);
    return true;
  } catch (thrown) {
    if (failedWith(thrown, "EACCES") && mayLose) return false;
    throw thrown;
  }
}

function isElsewhere(disk: Disk, place: Place): boolean {
  return mountOf(place.parent) !== disk.history.mount;
}

/** The copy is on the disk before the old object is touched. */
function copyToHistory(disk: Disk, op: DiskOperation, place: Place): void {
  const { scope, cancel, durability } = disk;
  copyObject(scope, place, keptEntry(disk, op), { cancel, faithful: true, durable: durability === "full" });
}

function sizeAt({ scope, cancel }: Disk, { entry, at }: Place): number {
  const stat = statOf(entry);
  return stat?.isDirectory() ? fingerprintTree(scope, at, cancel).bytes : Number(stat?.size ?? 0);
}

type Removal = OperationOf<"remove_directory">;

/** @throws the system's error: ENOTEMPTY when there is something in it */
export function removeDirectory(disk: Disk, op: Removal, place: Place): void {
  refuseFilled(place.entry);
  const isGone = inHomes(disk, op, (home) => {
    try {
      renameSync(place.entry, home);
    } catch (thrown) {
      // To another mount; or the directory itself may not be written to, as its link to the one above it would be.
      if (failedWith(thrown, "EXDEV", "EACCES", "EPERM")) return false;
      throw thrown;
    }
    try {
      refuseFilled(home);
    } catch (thrown) {
      renameAbsent(home, place.entry);
      throw thrown;
    }
    return true;
  });
  if (!isGone) rmdirSync(place.entry);
}

/** Brings a removed directory back, unless somebody has made something in its place. */
export function restoreDirectory(disk: Disk, op: Removal, place: Place): void {
  if (statOf(place.entry)) return;
  const isBack = inHomes(disk, op, (home) => {
    if (!statOf(home)) return false;
    renameAbsent(home, place.entry);
    return true;
  });
  if (isBack) return;
  mkdirSync(place.entry, { mode: op.mode });
  // The mode that it had, whatever the process lets new directories have.
  chmodSync(place.entry, op.mode);
}

/** The transaction is over. A program that had it open may have put something into it: then it stays kept. */
export function dropDirectory(disk: Disk, op: Removal): void {
  inHomes(disk, op, (home) => {
    try {
      rmdirSync(home);
    } catch (thrown) {
      if (!failedWith(thrown, "ENOENT", "ENOTEMPTY", "EEXIST")) throw thrown;
    }
    return false;
  });
}

/** @returns whether it was done in one of the places in which the directory can wait */
function inHomes(disk: Disk, op: Removal, work: (home: Entry) => boolean): boolean {
  if (work(keptEntry(disk, op))) return true;
  const above = disk.places.above(op.at);
  const name = besideName(disk.transaction, op.index, "old");
  return above !== undefined && withPlace(disk, inDirectory(above, name), ({ entry }) => work(entry));
}

function refuseFilled(entry: Entry): void {
  if (readdirSync(entry).length > 0)
    throw Object.assign(new Error("ENOTEMPTY: something has come into the directory"), { code: "ENOTEMPTY" });
}
