/**
 * One operation undone, in a living process after a failure and in another one after a crash alike. Whether it was done at
 * all is read off the disk: objects are told by their identity, never by a name alone, so doing it twice does no harm.
 *
 * An object that is neither the old nor the new one is somebody else's and stays; the old one is then kept in the history.
 */
import { readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { sha256 } from "../../base/index.ts";
import type { Place } from "../../scope/index.ts";
import { hasFingerprint, identityOf, isSame } from "../fingerprint.ts";
import type { DiskOperation, OperationOf, StagedFacts } from "../records.ts";
import { copyKept } from "../tree-copy/copy-tree.ts";
import { type Entry, failedWith, renameAbsent, statOf } from "../tree-copy/tree.ts";
import { restoreDirectory, rewrite } from "./apply.ts";
import { besideEntry, type Disk, keptEntry, newContentEntry, withPlace } from "./disk.ts";
import { unlessGone } from "./stage.ts";

/** @returns false for a conflict: what somebody else has changed is left as it is */
export function revert(disk: Disk, op: DiskOperation, known: StagedFacts): boolean {
  return withPlace(disk, op.at, (place) => {
    switch (op.act) {
      case "put":
        return revertPut(disk, op, place, known);
      case "rewrite":
        return revertRewrite(disk, op, place, known);
      case "make_directory":
        // A directory that somebody else made there stays, even if it is empty.
        return !isSame(identityOf(place.entry), known.staged) || removeEmpty(place);
      case "remove_directory":
        if (!op.made || known.displaced) restoreDirectory(disk, op, place);
        return true;
      case "remove": {
        const now = identityOf(place.entry);
        if (isSame(now, known.displaced)) return true;
        return now === undefined && restoreOld(disk, op, place, renameAbsent);
      }
      case "move":
        return revertMove(disk, op, place, known);
    }
  });
}

function revertPut(disk: Disk, op: OperationOf<"put">, place: Place, known: StagedFacts): boolean {
  const now = identityOf(place.entry);
  if (!isSame(now, known.staged)) return op.replaces ? isSame(now, known.displaced) : now === undefined;
  // Somebody has written into the new file since: that must not be lost.
  const isHashed = op.after !== undefined && statOf(place.entry)?.isFile();
  if (isHashed && sha256(readFileSync(place.entry)) !== op.after) return false;
  if (!hasFingerprint(disk.scope, place, known.print)) return false;
  if (op.replaces) return restoreOld(disk, op, place);
  const home = homeOf(disk, op);
  if (home !== undefined && !statOf(home)) renameSync(place.entry, home);
  else takeAway(disk, op, place);
  return true;
}

/** Takes the object away in one step: a tree removed entry by entry would be half there after a crash. */
function takeAway(disk: Disk, op: OperationOf<"put"> | OperationOf<"move">, place: Place): void {
  if (statOf(place.entry)?.isDirectory()) withPlace(disk, op.staged, ({ entry }) => renameSync(place.entry, entry));
  else rmSync(place.entry, { force: true });
}

/** Compares content, because the inode is the same whoever wrote into it. */
function revertRewrite(disk: Disk, op: OperationOf<"rewrite">, place: Place, known: StagedFacts): boolean {
  if (!isSame(identityOf(place.entry), known.displaced) || !statOf(place.entry)?.isFile()) return false;
  const now = readFileSync(place.entry);
  if (sha256(now) === op.before) return true;
  const [kept, added] = [keptEntry(disk, op), newContentEntry(disk, op)];
  if (!statOf(kept) || !statOf(added)) return false;
  const before = readFileSync(kept);
  if (!isTornWrite(now, before, readFileSync(added))) return false;
  rewrite(place, before);
  return true;
}

const SECTOR_BYTES = 512;

/**
 * Tells whether a file that is written in place holds the old content, the new one, or what a write that died on its way
 * makes of both; anything else somebody else wrote. A disk writes whole sectors, in any order, and the file is cut last.
 */
export function isTornWrite(now: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  if (now.length < shorter.length || now.length > longer.length) return false;
  const states = [overlaid(after, before), overlaid(before, after)];
  for (let at = 0; at < now.length; at += SECTOR_BYTES) {
    const sector = now.subarray(at, at + SECTOR_BYTES);
    const isOurs = states.some((one) => Buffer.compare(one.subarray(at, at + sector.length), sector) === 0);
    if (!isOurs) return false;
  }
  return true;
}

/** One content written over the other, which is not cut yet. */
function overlaid(top: Uint8Array, below: Uint8Array): Uint8Array {
  return top.length >= below.length ? top : Buffer.concat([top, below.subarray(top.length)]);
}

function revertMove(disk: Disk, op: OperationOf<"move">, place: Place, known: StagedFacts): boolean {
  using source = disk.places.place(op.from);
  const now = identityOf(place.entry);
  if (op.across) {
    if (isSame(now, known.staged)) {
      if (!hasFingerprint(disk.scope, place, known.print)) return false;
      if (op.replaces) restoreOld(disk, op, place);
      else takeAway(disk, op, place);
    }
    const aside = besideEntry(disk, op, source, "aside");
    return !statOf(aside) || renameBack(aside, source, renameAbsent);
  }
  // A recovery that died between the two renames has left the place empty.
  if (isSame(identityOf(source.entry), known.moved))
    return !op.replaces || now !== undefined || restoreOld(disk, op, place);
  if (statOf(source.entry) || !isSame(now, known.moved)) return false;
  if (!renameBack(place.entry, source, renameAbsent)) return false;
  return !op.replaces || restoreOld(disk, op, place);
}

type Rename = (from: Entry, to: Entry) => void;

/** @returns false when somebody has put something there, which `renameAbsent` does not replace */
function renameBack(from: Entry, to: Place, rename: Rename): boolean {
  try {
    rename(from, to.entry);
    return true;
  } catch (thrown) {
    if (failedWith(thrown, "EEXIST")) return false;
    throw thrown;
  }
}

/** Brings the old object back from where it was kept: beside its place, or in the history. */
function restoreOld(disk: Disk, op: DiskOperation, place: Place, rename: Rename = renameSync): boolean {
  const beside = besideEntry(disk, op, place, "old");
  const old = statOf(beside) ? beside : keptEntry(disk, op);
  if (!statOf(old)) return false;
  try {
    return renameBack(old, place, rename);
  } catch (thrown) {
    if (!failedWith(thrown, "EXDEV") || typeof old !== "string") throw thrown;
    const staged = besideEntry(disk, op, place, "staged");
    copyKept(old, staged, disk.durability === "full");
    rename(staged, place.entry);
    return true;
  }
}

function removeEmpty(place: Place): boolean {
  if (!statOf(place.entry)?.isDirectory()) return true;
  try {
    rmdirSync(place.entry);
    return true;
  } catch (thrown) {
    // Somebody has put something into it, so it is theirs now.
    if (failedWith(thrown, "ENOTEMPTY", "EEXIST")) return false;
    throw thrown;
  }
}

/** The place in the history of an earlier transaction from which a rename took the staged object. */
function homeOf(disk: Disk, { source }: OperationOf<"put">): string | undefined {
  return source.kind === "kept" ? disk.history.objectOf(source.transaction, source.name) : undefined;
}

/**
 * Removes the temporary names of an operation that are left, whatever became of it.
 * @param keepsOld what was displaced could not be brought back, and waits for somebody to decide
 * @returns whether there was something. @throws the system's error when the disk fails
 */
export function discard(disk: Disk, op: DiskOperation, keepsOld = false): boolean {
  if (op.act === "rewrite") rmSync(newContentEntry(disk, op), { force: true });
  if (op.act === "rewrite" || op.act === "remove_directory") return false;
  let isChanged = false;
  unlessGone(() =>
    withPlace(disk, op.at, (place) => {
      const staged = besideEntry(disk, op, place, "staged");
      const home = op.act === "put" ? homeOf(disk, op) : undefined;
      if (home !== undefined && statOf(staged) && !statOf(home)) renameSync(staged, home);
      for (const entry of keepsOld ? [staged] : [staged, besideEntry(disk, op, place, "old")]) {
        if (!statOf(entry)) continue;
        rmSync(entry, { recursive: true, force: true });
        isChanged = true;
      }
    }),
  );
  return isChanged;
}
