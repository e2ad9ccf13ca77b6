/**
 * What is going to be displaced comes into the history before the change: by a second name, which costs nothing, or as a
 * copy where the history lies on another mount. So a full disk stops the change, and nothing is lost.
 *
 * What is larger than `MAX_KEPT_COPY_BYTES` is not copied to another mount, nor a file that may not be read there; the
 * proposal says so before. It waits beside its place until the transaction is over.
 */
import { linkSync } from "node:fs";
import { limits } from "../../base/index.ts";
import { errnoOf, mountOf, type Place } from "../../scope/index.ts";
import { copyObject } from "../tree-copy/copy-object.ts";
import { besideEntry, keptEntry, statOf, type Disk } from "./disk.ts";
import { fingerprintTree } from "../tree-copy/walk-tree.ts";

/** Of a file or link that is replaced: never without a name. @param needsCopy its own inode gets the new content */
export function keepReplaced(disk: Disk, place: Place, index: number, needsCopy: boolean): void {
  if (needsCopy) {
    copyToHistory(disk, place, index);
    return;
  }
  if (link(place, keptEntry(disk, index))) return;
  const isKept = keepByCopy(disk, place, index);
  // Beside it is the object itself, for a change that is taken back.
  const isBeside = disk.besideIsSafe && link(place, besideEntry(place, disk, index, "old"));
  if (!isKept && !isBeside) copyToHistory(disk, place, index);
}

/** Of what is removed: where a rename takes it into the history there is nothing to be done. */
export function keepRemoved(disk: Disk, place: Place, index: number): void {
  if (statOf(place.entry) && isElsewhere(disk, place)) keepByCopy(disk, place, index);
}

/** @returns whether the history has it now: not what the proposal has said to be lost */
export function keepByCopy(disk: Disk, place: Place, index: number): boolean {
  if (statOf(keptEntry(disk, index))) return true;
  // Where it cannot wait beside its place, it is copied whatever its size.
  const mayLose = disk.besideIsSafe && isElsewhere(disk, place);
  if (mayLose && sizeAt(disk, place) > limits.MAX_KEPT_COPY_BYTES) return false;
  try {
    copyToHistory(disk, place, index);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EACCES" || !mayLose) throw thrown;
    return false;
  }
}

function isElsewhere(disk: Disk, place: Place): boolean {
  return mountOf(place.parent) !== disk.history.mount;
}

/** On the disk before the old object is touched. */
function copyToHistory(disk: Disk, place: Place, index: number): void {
  copyObject(disk.scope, place, keptEntry(disk, index), {
    cancel: disk.cancel,
    faithful: true,
    durable: disk.durability === "full",
  });
}

function sizeAt({ scope, cancel }: Disk, { entry, at }: Place): number {
  const stat = statOf(entry);
  return stat?.isDirectory() ? fingerprintTree(scope, at, cancel).bytes : Number(stat?.size ?? 0);
}

/** Not every file system has links, and none between mounts. */
function link(place: Place, name: string | Buffer): boolean {
  try {
    linkSync(place.entry, name);
    return true;
  } catch (thrown) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(thrown) ?? ""))
      throw thrown;
    return false;
  }
}
