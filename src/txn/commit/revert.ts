/**
 * One act undone, in a living process after a failure and in another one after a crash alike. Whether it was done at all is
 * read off the disk: objects are told by their identity, never by a name alone, so doing it twice does no harm.
 *
 * What is neither the old nor the new object is somebody else's and stays; the old one is then kept in the history.
 */
import { readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { sha256 } from "../../base/index.ts";
import { errnoOf, fsName, type Place } from "../../scope/index.ts";
import { besideName, isSame, type Act } from "./plan.ts";
import { rewrite } from "./apply.ts";
import { copyKept } from "../tree-copy/copy-kept.ts";
import { besideEntry, identityOf, keptEntry, newContentEntry, statOf, withPlace, type Disk } from "./disk.ts";
import { unlessGone } from "./make-parents.ts";
import { isOwnMixture } from "./torn-write.ts";
import { hasPrint } from "./print-of.ts";
import { makeAgain } from "./remove-directory.ts";
import { renameAbsent } from "./rename-absent.ts";
import type { SealedPath } from "../model.ts";
import type { Prepared } from "./stage.ts";

export type TakenBack = "done" | "conflict";

export function takeBack(disk: Disk, act: Act, index: number, prepared: Prepared): TakenBack {
  return withPlace(disk, act.at, (place) => {
    switch (act.act) {
      case "put":
        return takeBackPut(disk, act, index, place, prepared);
      case "rewrite":
        return takeBackRewrite(disk, act, index, place, prepared);
      case "make_directory":
        // Whoever made another one there keeps it, also while it is empty.
        return isSame(identityOf(place.entry), prepared.staged) ? removeEmpty(place) : "done";
      case "remove_directory":
        if (!act.made || prepared.displaced) makeAgain(disk, act, index, place);
        return "done";
      case "remove":
        return bringOldBack(disk, index, place, prepared);
      case "move":
        return takeBackMove(disk, act, index, place, prepared);
    }
  });
}

function takeBackPut(
  disk: Disk,
  act: Act & { act: "put" },
  index: number,
  place: Place,
  prepared: Prepared,
): TakenBack {
  const now = identityOf(place.entry);
  if (!isSame(now, prepared.staged)) {
    const isUntouched = act.replaces ? isSame(now, prepared.displaced) : now === undefined;
    return isUntouched ? "done" : "conflict";
  }
  // Somebody has written into the new file since: that must not be lost.
  if (
    act.after !== undefined &&
    statOf(place.entry)?.isFile() &&
    sha256(readFileSync(place.entry)) !== act.after
  )
    return "conflict";
  if (!hasPrint(disk, act.at, prepared.print)) return "conflict";
  if (act.replaces) return renameOld(disk, index, place);
  const home = homeOf(disk, act);
  if (home !== undefined && !statOf(home)) {
    renameSync(place.entry, home);
    return "done";
  }
  takeAway(disk, act.staged, place);
  return "done";
}

/** In one step: a tree that is removed entry by entry would be neither there nor gone if this died on the way. */
function takeAway(disk: Disk, staged: SealedPath, place: Place): void {
  if (statOf(place.entry)?.isDirectory())
    withPlace(disk, staged, ({ entry }) => renameSync(place.entry, entry));
  else rmSync(place.entry, { force: true });
}

/** By content: the inode is the same whoever wrote into it. */
function takeBackRewrite(
  disk: Disk,
  act: Act & { act: "rewrite" },
  index: number,
  place: Place,
  { displaced }: Prepared,
): TakenBack {
  if (!isSame(identityOf(place.entry), displaced) || !statOf(place.entry)?.isFile()) return "conflict";
  const now = readFileSync(place.entry);
  if (sha256(now) === act.before) return "done";
  const [kept, added] = [keptEntry(disk, index), newContentEntry(disk, index)];
  if (!statOf(kept) || !statOf(added)) return "conflict";
  const before = readFileSync(kept);
  if (!isOwnMixture(now, before, readFileSync(added))) return "conflict";
  rewrite(place, before);
  return "done";
}

function takeBackMove(
  disk: Disk,
  act: Act & { act: "move" },
  index: number,
  place: Place,
  prepared: Prepared,
): TakenBack {
  using source = disk.places.place(act.from);
  const now = identityOf(place.entry);
  const aside = besideEntry(source, disk, index, "aside");
  if (act.across) {
    if (isSame(now, prepared.staged)) {
      if (!hasPrint(disk, act.at, prepared.print)) return "conflict";
      if (act.replaces) renameOld(disk, index, place);
      else takeAway(disk, act.staged, place);
    }
    if (!statOf(aside)) return "done";
    return renameBack(aside, source);
  }
  // A recovery that died between the two renames has left the place empty.
  if (isSame(identityOf(source.entry), prepared.moved))
    return act.replaces && now === undefined ? renameOld(disk, index, place) : "done";
  if (statOf(source.entry) || !isSame(now, prepared.moved)) return "conflict";
  if (renameBack(place.entry, source) === "conflict") return "conflict";
  return act.replaces ? renameOld(disk, index, place) : "done";
}

/** Never over what somebody has put there. */
function renameBack(from: string | Buffer, to: Place): TakenBack {
  try {
    renameAbsent(from, to.entry);
    return "done";
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return "conflict";
    throw thrown;
  }
}

function bringOldBack(disk: Disk, index: number, place: Place, { displaced }: Prepared): TakenBack {
  const now = identityOf(place.entry);
  if (isSame(now, displaced)) return "done";
  return now === undefined ? renameOld(disk, index, place, renameAbsent) : "conflict";
}

/** From where it was kept: in the history, or beside. */
function renameOld(
  disk: Disk,
  index: number,
  place: Place,
  rename: (from: string | Buffer, to: string | Buffer) => void = renameSync,
): TakenBack {
  const beside = besideEntry(place, disk, index, "old");
  const old = statOf(beside) ? beside : keptEntry(disk, index);
  if (!statOf(old)) return "conflict";
  try {
    rename(old, place.entry);
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return "conflict";
    if (errnoOf(thrown) !== "EXDEV" || typeof old !== "string") throw thrown;
    const staged = fsName(`${place.parent.path}/${besideName(disk.transaction, index, "staged")}`);
    copyKept(old, staged, disk.durability === "full");
    rename(staged, place.entry);
  }
  return "done";
}

function removeEmpty(place: Place): TakenBack {
  const stat = statOf(place.entry);
  if (!stat?.isDirectory()) return "done";
  try {
    rmdirSync(place.entry);
    return "done";
  } catch (thrown) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(thrown) ?? "")) throw thrown;
    // Somebody put something into it; it is theirs now.
    return "conflict";
  }
}

/** Where what is staged came from by a rename, in the history of an earlier transaction. */
function homeOf(disk: Disk, act: Act & { act: "put" }): string | undefined {
  const { source } = act;
  return source.kind === "kept" ? disk.history.objectOf(source.transaction, source.name) : undefined;
}

/**
 * Temporary names of an act that are left, whatever became of it.
 * @param keepsOld what was displaced could not be brought back, and waits for somebody to decide
 * @returns whether there was something. @throws the system's error when the disk fails
 */
export function discardAct(disk: Disk, act: Act, index: number, keepsOld = false): boolean {
  if (act.act === "rewrite") rmSync(newContentEntry(disk, index), { force: true });
  if (act.act === "rewrite" || act.act === "remove_directory") return false;
  let isChanged = false;
  unlessGone(() =>
    withPlace(disk, act.at, (place) => {
      const staged = besideEntry(place, disk, index, "staged");
      const home = act.act === "put" ? homeOf(disk, act) : undefined;
      if (home !== undefined && statOf(staged) && !statOf(home)) renameSync(staged, home);
      for (const entry of keepsOld ? [staged] : [staged, besideEntry(place, disk, index, "old")]) {
        if (!statOf(entry)) continue;
        rmSync(entry, { recursive: true, force: true });
        isChanged = true;
      }
    }),
  );
  return isChanged;
}
