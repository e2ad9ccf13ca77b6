/**
 * The operations onto the disk, one after the other. Each is a single rename, link, mkdir or rmdir below a held handle (two
 * for a move to another device), so a crash leaves whole operations done or not done.
 *
 * What they displace comes into the history before: by a second name, which costs nothing, or as a copy where the history
 * lies on another mount. So a full disk stops the change, and nothing is lost. What is larger than `MAX_KEPT_COPY_BYTES` is
 * not copied to another mount, nor a file that may not be read there, and the proposal says so; it waits beside its place
 * until the transaction is over.
 */
import {
  chmodSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { Failure, limits } from "../../base/index.ts";
import { failureOf, mountOf, type Place } from "../../scope/index.ts";
import { withOpen } from "../../state/index.ts";
import { fingerprintTree, hasFingerprint, identityOf, isSame, versionOf } from "../fingerprint.ts";
import { inDirectory, keyOf, locatedFrom, parentOf } from "../model.ts";
import type { DiskOperation, OperationOf, StagedFacts } from "../records.ts";
import { copyObject } from "../tree-copy/copy-tree.ts";
import { type Entry, failedWith, renameAbsent, statOf, tryLink, tryRename, writeAll } from "../tree-copy/tree.ts";
import { besideEntry, besideName, type Contents, type Disk, keptEntry, shownPath, withPlace } from "./disk.ts";

/** @throws Failure; the operation is done or not done */
export function apply(disk: Disk, op: DiskOperation, known: StagedFacts, contents: Contents): void {
  try {
    withPlace(disk, op.at, (place) => applyAt(disk, op, place, known, contents));
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, op.at), "change");
  }
}

function applyAt(disk: Disk, op: DiskOperation, place: Place, known: StagedFacts, contents: Contents): void {
  // A process that ignores our locks may have changed the place since the check.
  if (!isExpected(op, place, known) || !isAsSeen(disk, op, place)) throw staleNow(disk, op);
  switch (op.act) {
    case "put":
      withPlace(disk, op.staged, ({ entry }) => (op.replaces ? renameSync(entry, place.entry) : create(entry, place)));
      return;
    case "rewrite":
      rewrite(place, contents(op.content));
      return;
    case "make_directory":
      renameAbsent(besideEntry(disk, op, place, "staged"), place.entry);
      return;
    case "remove_directory":
      takeAway(disk, op, place, known);
      return;
    case "remove":
      displace(disk, op, place);
      return;
    case "move":
      move(disk, op, place, known);
      return;
  }
}

function staleNow(disk: Disk, op: DiskOperation): Failure {
  return new Failure(
    "stale",
    `Cannot apply the change of "${shownPath(disk, op)}": somebody else changed it while the change was made`,
    { hint: "Nothing was written. Look at the current state and make the change again." },
  );
}

/** The object that will be displaced is the one that was inspected; an empty place is still empty. */
function isExpected(op: DiskOperation, place: Place, { displaced }: StagedFacts): boolean {
  if (op.act === "remove_directory" && op.made) return true;
  const now = identityOf(place.entry);
  return displaced === undefined ? now === undefined : isSame(now, displaced);
}

/** Somebody may have saved into it since the check, while the rest of the set was copied. */
function isAsSeen({ seen }: Disk, op: DiskOperation, { entry }: Place): boolean {
  const version = seen.get(keyOf(op.at));
  return version === undefined || version === versionOf(statOf(entry));
}

/** A directory that was made only as a parent stays when somebody has put something into it. */
function takeAway(disk: Disk, op: Removal, place: Place, known: StagedFacts): void {
  if (op.made && !known.displaced) return;
  try {
    removeDirectory(disk, op, place);
  } catch (thrown) {
    if (!op.made || !failedWith(thrown, "ENOTEMPTY", "EEXIST", "ENOENT")) throw thrown;
  }
}

/** A hard link fails when the name was taken meanwhile; directories and symlinks cannot be linked everywhere. */
function create(staged: Entry, place: Place): void {
  if (statOf(staged)?.isFile() && tryLink(staged, place.entry)) unlinkSync(staged);
  else renameAbsent(staged, place.entry);
}

/** Puts what is removed into the history, or beside its place where the history lies on another device. */
function displace(disk: Disk, op: DiskOperation, place: Place): void {
  if (tryRename(place.entry, keptEntry(disk, op))) return;
  const beside = besideEntry(disk, op, place, "old");
  keepByCopy(disk, op, place);
  renameSync(place.entry, beside);
  if (!disk.besideIsSafe) rmSync(beside, { recursive: true, force: true });
}

function move(disk: Disk, op: OperationOf<"move">, place: Place, known: StagedFacts): void {
  withPlace(disk, op.from, (source) => {
    if (!op.across) {
      (op.replaces ? renameSync : renameAbsent)(source.entry, place.entry);
      return;
    }
    const aside = inDirectory(parentOf(op.from), besideName(disk.transaction, op.index, "aside"));
    withPlace(disk, aside, (waiting) => {
      renameSync(source.entry, waiting.entry);
      // What was written into it since it was copied would go with it.
      if (hasFingerprint(disk.scope, waiting, known.source)) return;
      renameAbsent(waiting.entry, source.entry);
      throw staleNow(disk, op);
    });
    withPlace(disk, op.staged, ({ entry }) => renameSync(entry, place.entry));
  });
}

/** Writes into the same inode, which is not atomic; the old content lies in the history until the transaction is over. */
export function rewrite(place: Place, bytes: Uint8Array): void {
  withOpen(place.entry, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK, (fd) => {
    if (!fstatSync(fd).isFile())
      throw new Failure("stale", "Cannot write in place: the target is no longer a regular file");
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  });
}

/** Backs up a file or link that will be replaced. A rewrite needs a copy, because the inode itself gets the new content. */
export function keepReplaced(disk: Disk, op: DiskOperation, place: Place): void {
  if (op.act === "rewrite") {
    copyToHistory(disk, op, place);
    return;
  }
  if (tryLink(place.entry, keptEntry(disk, op))) return;
  const isKept = keepByCopy(disk, op, place);
  // The second name beside the place is the object itself, for a rollback.
  const isBeside = disk.besideIsSafe && tryLink(place.entry, besideEntry(disk, op, place, "old"));
  if (!isKept && !isBeside) copyToHistory(disk, op, place);
}

/** Where a rename can take the removed object into the history, no backup is needed before. */
export function keepRemoved(disk: Disk, op: DiskOperation, place: Place): void {
  if (statOf(place.entry) && isElsewhere(disk, place)) keepByCopy(disk, op, place);
}

/** @returns whether the history has it now; false for what the proposal announced as lost */
function keepByCopy(disk: Disk, op: DiskOperation, place: Place): boolean {
  if (statOf(keptEntry(disk, op))) return true;
  // An object that cannot wait beside its place is copied whatever its size.
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

/**
 * An empty directory that goes comes back as the same one when the change is taken back: later operations, and people's
 * programs, may hold it. So it waits under another name: in the history, or in the nearest directory above it that stays.
 * @throws the system's error: ENOTEMPTY when there is something in it
 */
function removeDirectory(disk: Disk, op: Removal, place: Place): void {
  refuseFilled(place.entry);
  const isGone = inHomes(disk, op, (home) => {
    try {
      renameSync(place.entry, home);
    } catch (thrown) {
      // EXDEV: another mount. EACCES, EPERM: a rename would write the `..` entry of a directory that is not writable.
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
  // mkdir(2) applies the umask; the old mode must come back exactly.
  chmodSync(place.entry, op.mode);
}

/** Drops a removed directory when the transaction is over; it stays if a program that had it open has filled it. */
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

/** Tries the places in which a removed directory can wait. @returns whether `work` succeeded in one of them */
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
