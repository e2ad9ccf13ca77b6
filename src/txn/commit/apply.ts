/**
 * The acts onto the disk, one after the other. Each is a single rename, link, mkdir or rmdir below a held handle (two for
 * a move to another device), so a crash leaves whole acts done or not done.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { Failure } from "../../base/index.ts";
import { errnoOf, failureOf, type Place } from "../../scope/index.ts";
import { isSame, type Act } from "./plan.ts";
import { keepByCopy } from "./backup.ts";
import { besideEntry, identityOf, keptEntry, shownPath, statOf, withPlace, type Disk } from "./disk.ts";
import { removeDirectory } from "./remove-directory.ts";
import { renameAbsent } from "./rename-absent.ts";
import { writeAll, type Contents, type Prepared } from "./stage.ts";
import { locatedFrom } from "../prepare/target.ts";

/** @throws Failure; the act is done or not done */
export function applyAct(disk: Disk, act: Act, index: number, prepared: Prepared, contents: Contents): void {
  try {
    withPlace(disk, act.at, (place) => applyAt(disk, act, index, place, prepared, contents));
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, act.at), "change");
  }
}

function applyAt(
  disk: Disk,
  act: Act,
  index: number,
  place: Place,
  prepared: Prepared,
  contents: Contents,
): void {
  // Between the check and here nobody with our locks was at work; somebody without them may have been.
  if (!isExpected(act, place, prepared)) throw replacedMeanwhile(disk, act);
  switch (act.act) {
    case "put":
      withPlace(disk, act.staged, ({ entry }) =>
        act.replaces ? renameSync(entry, place.entry) : create(entry, place),
      );
      return;
    case "rewrite":
      rewrite(place, contents(act.content));
      return;
    case "make_directory":
      renameAbsent(besideEntry(place, disk, index, "staged"), place.entry);
      return;
    case "remove_directory":
      takeAway(disk, act, index, place, prepared);
      return;
    case "remove":
      displace(disk, place, index);
      return;
    case "move":
      move(disk, act, index, place);
      return;
  }
}

/** What is displaced is what was looked at; where nothing was, nothing is. */
function isExpected(act: Act, place: Place, { displaced }: Prepared): boolean {
  if (act.act === "remove_directory" && act.made) return true;
  const now = identityOf(place.entry);
  return displaced === undefined ? now === undefined : isSame(now, displaced);
}

/** One that was made on the way to something else stays when somebody has put something into it. */
function takeAway(
  disk: Disk,
  act: Act & { act: "remove_directory" },
  index: number,
  place: Place,
  { displaced }: Prepared,
): void {
  if (act.made && !displaced) return;
  try {
    removeDirectory(disk, act, index, place);
  } catch (thrown) {
    if (!act.made || !["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(thrown) ?? "")) throw thrown;
  }
}

/** By a link, which fails when the name was taken meanwhile; directories and links cannot be linked everywhere. */
function create(staged: string | Buffer, place: Place): void {
  if (statOf(staged)?.isFile()) {
    try {
      linkSync(staged, place.entry);
      unlinkSync(staged);
      return;
    } catch (thrown) {
      if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(thrown) ?? ""))
        throw thrown;
    }
  }
  renameAbsent(staged, place.entry);
}

/** Into the history, or beside where that lies on another device. */
function displace(disk: Disk, place: Place, index: number): void {
  try {
    renameSync(place.entry, keptEntry(disk, index));
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
    const beside = besideEntry(place, disk, index, "old");
    keepByCopy(disk, place, index);
    renameSync(place.entry, beside);
    if (!disk.besideIsSafe) rmSync(beside, { recursive: true, force: true });
  }
}

function move(disk: Disk, act: Act & { act: "move" }, index: number, place: Place): void {
  withPlace(disk, act.from, (source) => {
    if (!act.across) {
      (act.replaces ? renameSync : renameAbsent)(source.entry, place.entry);
      return;
    }
    renameSync(source.entry, besideEntry(source, disk, index, "aside"));
    withPlace(disk, act.staged, ({ entry }) => renameSync(entry, place.entry));
  });
}

/** Not atomic; the old content lies in the history until the transaction is over. */
export function rewrite(place: Place, bytes: Uint8Array): void {
  const fd = openSync(place.entry, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Failure("stale", "Cannot write in place: it is no file any more");
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function replacedMeanwhile(disk: Disk, act: Act): Failure {
  return new Failure(
    "stale",
    `Cannot apply the change of "${shownPath(disk, act)}": it was replaced while the change was made`,
    { hint: "Nothing was written. Look at the current state and make the change again." },
  );
}
