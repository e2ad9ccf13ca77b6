/**
 * Everything that is made before anything is changed: missing parents, new content and copies under temporary names,
 * and a second name for each file that will be replaced. What is staged has its final owner, mode and attributes.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { throwIfStopped } from "../base/index.ts";
import { errnoOf, failureOf, type Place } from "../scope/index.ts";
import { parentOf, type Act, type Identity } from "./acts.ts";
import { copyKept } from "./copy-kept.ts";
import { copyObject } from "./copy-object.ts";
import { besideEntry, identityOf, keptEntry, statOf, withPlace, type Disk } from "./disk.ts";
import { keepMetadata } from "./keep-metadata.ts";
import type { SealedPath } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

/** What the journal must know of an act before it is done. */
export interface Prepared {
  /** Of what is staged. */
  readonly staged?: Identity | undefined;
  /** Of what stands at the place, and will be displaced. */
  readonly displaced?: Identity;
  /** Of what is moved. */
  readonly moved?: Identity;
}

/** The new contents of the change set by index. */
export type Contents = (index: number) => Uint8Array;

/** Directories that are missing above the places of the acts, outermost first. */
export function missingParents(disk: Disk, acts: readonly Act[]): SealedPath[] {
  const missing = new Map<string, SealedPath>();
  for (const act of acts) {
    for (let path = parentOf(act.at); path.rel !== ""; path = parentOf(path)) {
      const key = `${path.root}\0${path.rel}`;
      if (missing.has(key) || isDirectory(disk, path)) break;
      missing.set(key, path);
    }
  }
  return [...missing.values()].sort((a, b) => a.rel.length - b.rel.length);
}

export function isDirectory(disk: Disk, path: SealedPath): boolean {
  using directory = disk.scope.tryDirectory(locatedFrom(disk.scope, path));
  return directory !== undefined;
}

export function makeParents(disk: Disk, parents: readonly SealedPath[]): void {
  for (const path of parents) withPlace(disk, path, ({ entry }) => mkdirSync(entry));
}

/** The new object under its temporary name. @throws Failure, with nothing but that name left */
export function stageAct(disk: Disk, act: Act, contents: Contents): Prepared {
  throwIfStopped(disk.cancel, "the change");
  try {
    if (act.act === "put") return { staged: stagePut(disk, act, contents) };
    if (act.act === "move" && act.across) return { staged: stageCopy(disk, act.from, act.staged, true) };
    return {};
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, act.at), "change");
  }
}

/** What stands there now, and a second name for it, so that the target is never missing. */
export function keepDisplaced(disk: Disk, act: Act, index: number): Prepared {
  if (act.act === "make_directory" || act.act === "remove_directory") return {};
  const moved = act.act === "move" ? withPlace(disk, act.from, ({ entry }) => identityOf(entry)) : undefined;
  const isReplaced = act.act === "rewrite" || (act.act !== "remove" && act.replaces);
  const displaced = withPlace(disk, act.at, (place) => {
    if (isReplaced) keepSecondName(disk, place, index, act.act === "rewrite");
    return identityOf(place.entry);
  });
  return { ...(moved ? { moved } : {}), ...(displaced ? { displaced } : {}) };
}

function stagePut(disk: Disk, act: Act & { act: "put" }, contents: Contents): Identity | undefined {
  const { source } = act;
  switch (source.kind) {
    case "content":
      return withPlace(disk, act.staged, (place) => {
        const old = act.replaces ? act.at : undefined;
        writeStaged(disk, place, contents(source.content), source.mode, old);
        return identityOf(place.entry);
      });
    case "copy":
      return stageCopy(disk, source.from, act.staged, false);
    case "kept":
      return withPlace(disk, act.staged, (place) => {
        bringBack(join(disk.history.folderOf(source.transaction), source.name), place);
        return identityOf(place.entry);
      });
  }
}

function writeStaged(
  disk: Disk,
  place: Place,
  bytes: Uint8Array,
  mode: number | undefined,
  old: SealedPath | undefined,
): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(place.entry, flags, old ? 0o600 : 0o666);
  try {
    writeAll(fd, bytes);
    if (old) withPlace(disk, old, (target) => keepMetadata(target, fd));
    if (mode !== undefined) fchmodSync(fd, mode);
    if (disk.durability === "full") fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

function stageCopy(disk: Disk, from: SealedPath, staged: SealedPath, whole: boolean): Identity | undefined {
  return withPlace(disk, from, (source) =>
    withPlace(disk, staged, (place) => {
      copyObject(disk.scope, source, place.entry, {
        cancel: disk.cancel,
        whole,
        durable: disk.durability === "full",
      });
      return identityOf(place.entry);
    }),
  );
}

/** A file keeps its second name in the history until the undo has succeeded; a directory has only one. */
function bringBack(kept: string, place: Place): void {
  try {
    if (statOf(kept)?.isDirectory()) renameSync(kept, place.entry);
    else linkSync(kept, place.entry);
  } catch (thrown) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes(errnoOf(thrown) ?? "")) throw thrown;
    copyKept(kept, place.entry);
  }
}

/** Into the history where it lies on the same device, else beside; a copy where the file system has no links. */
function keepSecondName(disk: Disk, place: Place, index: number, needsCopy: boolean): void {
  const kept = keptEntry(disk, index);
  if (needsCopy) {
    copyWhole(disk, place, kept);
    return;
  }
  for (const entry of [kept, ...(disk.besideIsSafe ? [besideEntry(place, disk, index, "old")] : [])]) {
    try {
      linkSync(place.entry, entry);
      return;
    } catch (thrown) {
      if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(thrown) ?? ""))
        throw thrown;
    }
  }
  copyWhole(disk, place, kept);
}

/** On the disk before the old content is touched. */
function copyWhole({ durability }: Disk, place: Place, kept: string): void {
  copyFileSync(place.entry, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (durability === "fast") return;
  const fd = openSync(kept, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
