/**
 * An empty directory goes, and comes back as the same one when the change is taken back: later acts, and people's programs,
 * may hold it. So it waits under another name until the transaction is over: in the history, or where that lies on another
 * mount, in the nearest directory above it that stays.
 */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { errnoOf, type Place } from "../../scope/index.ts";
import { besideName, inDirectory, type Act } from "./plan.ts";
import { keptEntry, statOf, withPlace, type Disk } from "./disk.ts";
import { renameAbsent } from "./rename-absent.ts";

type Removal = Act & { act: "remove_directory" };

/** @throws the system's error: ENOTEMPTY when there is something in it */
export function removeDirectory(disk: Disk, act: Removal, index: number, place: Place): void {
  refuseFilled(place.entry);
  const isGone = inHomes(disk, act, index, (home) => {
    try {
      renameSync(place.entry, home);
    } catch (thrown) {
      // To another mount; or the directory itself may not be written to, as its link to the one above it would be.
      if (!["EXDEV", "EACCES", "EPERM"].includes(errnoOf(thrown) ?? "")) throw thrown;
      return false;
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

/** What somebody has made in its place stays. */
export function makeAgain(disk: Disk, act: Removal, index: number, place: Place): void {
  if (statOf(place.entry)) return;
  const isBack = inHomes(disk, act, index, (home) => {
    if (!statOf(home)) return false;
    renameAbsent(home, place.entry);
    return true;
  });
  if (isBack) return;
  mkdirSync(place.entry, { mode: act.mode });
  // As it was, whatever the process lets new directories be.
  chmodSync(place.entry, act.mode);
}

/** The transaction is over. A program that had it open may have put something into it: then it stays kept. */
export function dropRemoved(disk: Disk, act: Removal, index: number): void {
  inHomes(disk, act, index, (home) => {
    try {
      rmdirSync(home);
    } catch (thrown) {
      if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errnoOf(thrown) ?? "")) throw thrown;
    }
    return false;
  });
}

/** @returns whether it was done in one of the places in which the directory can wait */
function inHomes(disk: Disk, act: Removal, index: number, work: (home: string | Buffer) => boolean): boolean {
  if (work(keptEntry(disk, index))) return true;
  const above = disk.places.above(act.at);
  const name = besideName(disk.transaction, index, "old");
  return above !== undefined && withPlace(disk, inDirectory(above, name), ({ entry }) => work(entry));
}

function refuseFilled(entry: string | Buffer): void {
  if (readdirSync(entry).length > 0)
    throw Object.assign(new Error("ENOTEMPTY: something has come into the directory"), { code: "ENOTEMPTY" });
}
