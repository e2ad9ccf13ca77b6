/**
 * One act undone, in a living process after a failure and in another one after a crash alike. Whether it was done at all is
 * read off the disk: objects are told by their identity, never by a name alone, so doing it twice does no harm.
 *
 * What is neither the old nor the new object is somebody else's and stays; the old one is then kept in the history.
 */
import { NEVER_CANCELLED } from "../base/index.ts";
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, fsName, type Place } from "../scope/index.ts";
import { besideName, type Act } from "./acts.ts";
import { rewrite } from "./apply.ts";
import { copyKept } from "./copy-kept.ts";
import { besideEntry, identityOf, isSame, keptEntry, placeOf, statOf, withPlace, type Disk } from "./disk.ts";
import { sha256 } from "./inspect.ts";
import type { SealedPath } from "./sealed.ts";
import type { Prepared } from "./stage.ts";
import { locatedFrom } from "./target.ts";
import { fingerprintTree } from "./walk-tree.ts";

export type TakenBack = "done" | "conflict";

export function takeBack(disk: Disk, act: Act, index: number, prepared: Prepared): TakenBack {
  return withPlace(disk, act.at, (place) => {
    switch (act.act) {
      case "put":
        return takeBackPut(disk, act, index, place, prepared);
      case "rewrite":
        return takeBackRewrite(disk, index, place, prepared);
      case "make_directory":
        return removeEmpty(place);
      case "remove_directory":
        if (!statOf(place.entry)) mkdirSync(place.entry, { mode: act.mode });
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
  if (act.source.kind === "copy" && !isWholeCopy(disk, act.source.from, act.at)) return "conflict";
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

/** Of a copied tree: nothing has come into it since, as far as numbers tell. */
function isWholeCopy(disk: Disk, from: SealedPath, at: SealedPath): boolean {
  const size = (path: SealedPath): string | undefined => {
    const located = locatedFrom(disk.scope, path);
    if (!withPlace(disk, path, ({ entry }) => statOf(entry)?.isDirectory())) return undefined;
    const { entries, bytes } = fingerprintTree(disk.scope, located, NEVER_CANCELLED);
    return `${entries} ${bytes}`;
  };
  return size(from) === size(at);
}

function takeBackRewrite(disk: Disk, index: number, place: Place, { displaced }: Prepared): TakenBack {
  if (!isSame(identityOf(place.entry), displaced)) return "conflict";
  const kept = keptEntry(disk, index);
  if (statOf(kept)) rewrite(place, readFileSync(kept));
  return "done";
}

function takeBackMove(
  disk: Disk,
  act: Act & { act: "move" },
  index: number,
  place: Place,
  prepared: Prepared,
): TakenBack {
  using source = placeOf(disk, act.from);
  const now = identityOf(place.entry);
  const aside = besideEntry(source, disk, index, "aside");
  if (act.across) {
    if (isSame(now, prepared.staged)) {
      if (act.replaces) renameOld(disk, index, place);
      else takeAway(disk, act.staged, place);
    }
    if (!statOf(aside)) return "done";
    if (statOf(source.entry)) return "conflict";
    renameSync(aside, source.entry);
    return "done";
  }
  // A recovery that died between the two renames has left the place empty.
  if (isSame(identityOf(source.entry), prepared.moved))
    return act.replaces && now === undefined ? renameOld(disk, index, place) : "done";
  if (statOf(source.entry) || !isSame(now, prepared.moved)) return "conflict";
  renameSync(place.entry, source.entry);
  return act.replaces ? renameOld(disk, index, place) : "done";
}

function bringOldBack(disk: Disk, index: number, place: Place, { displaced }: Prepared): TakenBack {
  const now = identityOf(place.entry);
  if (isSame(now, displaced)) return "done";
  return now === undefined ? renameOld(disk, index, place) : "conflict";
}

/** From where it was kept: in the history, or beside. */
function renameOld(disk: Disk, index: number, place: Place): TakenBack {
  const beside = besideEntry(place, disk, index, "old");
  const old = statOf(beside) ? beside : keptEntry(disk, index);
  if (!statOf(old)) return "conflict";
  try {
    renameSync(old, place.entry);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV" || typeof old !== "string") throw thrown;
    const staged = fsName(`${place.parent.path}/${besideName(disk.transaction, index, "staged")}`);
    copyKept(old, staged);
    renameSync(staged, place.entry);
  }
  return "done";
}

function removeEmpty(place: Place): TakenBack {
  const stat = statOf(place.entry);
  if (!stat?.isDirectory()) return "done";
  try {
    rmdirSync(place.entry);
    return "done";
  } catch {
    // Somebody put something into it; it is theirs now.
    return "conflict";
  }
}

/** Where what is staged came from by a rename, in the history of an earlier transaction. */
function homeOf(disk: Disk, act: Act & { act: "put" }): string | undefined {
  const { source } = act;
  return source.kind === "kept" ? join(disk.history.folderOf(source.transaction), source.name) : undefined;
}

/** Temporary names of an act that are left, whatever became of it. */
export function discardAct(disk: Disk, act: Act, index: number): void {
  if (act.act !== "put" && act.act !== "move" && act.act !== "remove") return;
  attempt(() =>
    withPlace(disk, act.at, (place) => {
      const staged = besideEntry(place, disk, index, "staged");
      const home = act.act === "put" ? homeOf(disk, act) : undefined;
      if (home !== undefined && statOf(staged) && !statOf(home)) renameSync(staged, home);
      for (const entry of [staged, besideEntry(place, disk, index, "old")])
        if (statOf(entry)) rmSync(entry, { recursive: true, force: true });
    }),
  );
}

/** A directory that is gone holds nothing of ours. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Left for the next recovery, or for nobody.
  }
}
