/**
 * The operations onto the disk, one after the other. Each is a single rename, link, mkdir or rmdir below a held handle (two
 * for a move to another device), so a crash leaves whole operations done or not done.
 */
import { constants, fstatSync, fsyncSync, ftruncateSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { failureOf, type Place } from "../../scope/index.ts";
import { failedWith, renameAbsent, statOf, tryLink, tryRename, withOpen, type Entry } from "../file-calls.ts";
import { identityOf, isSame } from "../fingerprint.ts";
import { locatedFrom } from "../model.ts";
import type { DiskOperation, OperationOf, StagedFacts } from "../records.ts";
import { keepByCopy, removeDirectory } from "./backup.ts";
import { besideEntry, keptEntry, shownPath, withPlace, type Disk } from "./disk.ts";
import { writeAll, type Contents } from "./stage.ts";

/** @throws Failure; the operation is done or not done */
export function apply(disk: Disk, op: DiskOperation, known: StagedFacts, contents: Contents): void {
  try {
    withPlace(disk, op.at, (place) => applyAt(disk, op, place, known, contents));
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, op.at), "change");
  }
}

function applyAt(disk: Disk, op: DiskOperation, place: Place, known: StagedFacts, contents: Contents): void {
  // Between the check and here nobody with our locks was at work; somebody without them may have been.
  if (!isExpected(op, place, known))
    throw new Failure(
      "stale",
      `Cannot apply the change of "${shownPath(disk, op)}": it was replaced while the change was made`,
      { hint: "Nothing was written. Look at the current state and make the change again." },
    );
  switch (op.act) {
    case "put":
      withPlace(disk, op.staged, ({ entry }) =>
        op.replaces ? renameSync(entry, place.entry) : create(entry, place),
      );
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
      move(disk, op, place);
      return;
  }
}

/** The object that is displaced is the one that was looked at; where nothing was, nothing is. */
function isExpected(op: DiskOperation, place: Place, { displaced }: StagedFacts): boolean {
  if (op.act === "remove_directory" && op.made) return true;
  const now = identityOf(place.entry);
  return displaced === undefined ? now === undefined : isSame(now, displaced);
}

/** A directory that was made on the way to something else stays when somebody has put something into it. */
function takeAway(disk: Disk, op: OperationOf<"remove_directory">, place: Place, known: StagedFacts): void {
  if (op.made && !known.displaced) return;
  try {
    removeDirectory(disk, op, place);
  } catch (thrown) {
    if (!op.made || !failedWith(thrown, "ENOTEMPTY", "EEXIST", "ENOENT")) throw thrown;
  }
}

/** A link fails when the name was taken meanwhile; directories and links cannot be linked everywhere. */
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

function move(disk: Disk, op: OperationOf<"move">, place: Place): void {
  withPlace(disk, op.from, (source) => {
    if (!op.across) {
      (op.replaces ? renameSync : renameAbsent)(source.entry, place.entry);
      return;
    }
    renameSync(source.entry, besideEntry(disk, op, source, "aside"));
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
