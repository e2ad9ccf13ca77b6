/**
 * Everything that is made before anything is changed: missing parents, new content and copies under temporary names,
 * and a second name for each file that will be replaced. What is staged has its final owner, mode and attributes.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";
import { throwIfStopped } from "../../base/index.ts";
import { errnoOf, failureOf, type Place } from "../../scope/index.ts";
import { parentOf, type Act, type Identity } from "./plan.ts";
import { copyKept } from "../tree-copy/copy-kept.ts";
import { copyObject } from "../tree-copy/copy-object.ts";
import type { Flushes } from "./flushes.ts";
import {
  besideEntry,
  identityOf,
  identityOfFile,
  isMade,
  newContentEntry,
  statOf,
  withPlace,
  type Disk,
} from "./disk.ts";
import { keepMetadata } from "../tree-copy/metadata.ts";
import { keepRemoved, keepReplaced } from "./backup.ts";
import { printOf } from "./print-of.ts";
import type { SealedPath } from "../model.ts";
import { locatedFrom } from "../prepare/target.ts";

/** What the journal must know of an act before it is done. */
export interface Prepared {
  /** Of what is staged. */
  readonly staged?: Identity | undefined;
  /** Of what stands at the place, and will be displaced. */
  readonly displaced?: Identity;
  /** Of what is moved. */
  readonly moved?: Identity;
  /** Of what is staged and has no hash in the plan: how to see that somebody has changed it since. */
  readonly print?: string | undefined;
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

export interface Staging {
  readonly disk: Disk;
  readonly contents: Contents;
  readonly onCopied: (bytes: number) => void;
  /** What must be settled before anything depends on it. */
  readonly flushes: Flushes;
  /** Something is written in place. */
  readonly isInPlace: boolean;
}

/** The new object under its temporary name. @throws Failure, with nothing but that name left */
export function stageAct(staging: Staging, act: Act, index: number): Prepared {
  const { disk, contents } = staging;
  throwIfStopped(disk.cancel, "the change");
  try {
    if (act.act === "put") return withPrint(staging, act, stagePut(staging, act));
    if (act.act === "move" && act.across)
      return withPrint(staging, act, stageCopy(staging, act.from, act.staged, true));
    if (act.act === "rewrite") stageRewrite(disk, contents(act.content), index);
    if (act.act === "make_directory") return { staged: stageDirectory(disk, act.at, index) };
    return {};
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, act.at), "change");
  }
}

function withPrint(
  { disk, isInPlace }: Staging,
  act: Act & { act: "put" | "move" },
  staged: Identity | undefined,
): Prepared {
  const isKnown = act.act === "put" && act.after !== undefined;
  return { staged, ...(isKnown ? {} : { print: printOf(disk, act.staged, isInPlace) }) };
}

/** What stands there now, and a second name for it, so that the target is never missing. */
export function keepDisplaced(disk: Disk, act: Act, index: number): Prepared {
  if (act.act === "make_directory") return {};
  const moved = act.act === "move" ? withPlace(disk, act.from, ({ entry }) => identityOf(entry)) : undefined;
  const displaced = withPlace(disk, act.at, (place) => {
    if (isReplacing(act)) keepReplaced(disk, place, index, act.act === "rewrite");
    if (act.act === "remove") keepRemoved(disk, place, index);
    if (act.act === "remove_directory" && act.made && !isMade(place.entry, act.made)) return undefined;
    return identityOf(place.entry);
  });
  return { ...(moved ? { moved } : {}), ...(displaced ? { displaced } : {}) };
}

/** What stands there gets a second name, or a copy, before the act. */
export function isReplacing(act: Act): boolean {
  return act.act === "rewrite" || ((act.act === "put" || act.act === "move") && act.replaces);
}

function stagePut(staging: Staging, act: Act & { act: "put" }): Identity | undefined {
  const { disk } = staging;
  const { source } = act;
  switch (source.kind) {
    case "content":
      return writeStaged(staging, act, source);
    case "copy": {
      const staged = stageCopy(staging, source.from, act.staged, false);
      if (act.replaces) keepOfReplaced(disk, act);
      return staged;
    }
    case "kept":
      return withPlace(disk, act.staged, (place) => {
        bringBack(disk, disk.history.objectOf(source.transaction, source.name), place);
        return identityOf(place.entry);
      });
  }
}

function writeStaged(
  { disk, contents, flushes }: Staging,
  act: Act & { act: "put" },
  source: { readonly content: number; readonly mode?: number | undefined },
): Identity {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = withPlace(disk, act.staged, ({ entry }) => openSync(entry, flags, act.replaces ? 0o600 : 0o666));
  return flushes.afterwards(fd, act.at, () => {
    writeAll(fd, contents(source.content));
    const allowed = act.replaces ? withPlace(disk, act.at, (old) => keepMetadata(old, fd)) : 0o7777;
    if (source.mode !== undefined) fchmodSync(fd, source.mode & allowed);
    return identityOfFile(fd);
  });
}

/** A copy takes the place of a file as new content does: owner, mode and attributes stay those of the place. */
function keepOfReplaced(disk: Disk, act: Act & { act: "put" }): void {
  withPlace(disk, act.at, (old) => {
    if (!statOf(old.entry)?.isFile()) return;
    withPlace(disk, act.staged, ({ entry }) => {
      if (!statOf(entry)?.isFile()) return;
      const fd = openSync(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        keepMetadata(old, fd);
        if (disk.durability === "full") fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    });
  });
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

/** Beside the old content, so that a mixture of both is told from what somebody else wrote. */
function stageRewrite(disk: Disk, bytes: Uint8Array, index: number): void {
  const fd = openSync(newContentEntry(disk, index), "w", 0o600);
  try {
    writeAll(fd, bytes);
    if (disk.durability === "full") fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function stageDirectory(disk: Disk, at: SealedPath, index: number): Identity | undefined {
  return withPlace(disk, at, (place) => {
    const staged = besideEntry(place, disk, index, "staged");
    mkdirSync(staged);
    return identityOf(staged);
  });
}

function stageCopy(
  { disk, onCopied }: Staging,
  from: SealedPath,
  staged: SealedPath,
  whole: boolean,
): Identity | undefined {
  return withPlace(disk, from, (source) =>
    withPlace(disk, staged, (place) => {
      copyObject(disk.scope, source, place.entry, {
        cancel: disk.cancel,
        onCopied,
        whole,
        durable: disk.durability === "full",
      });
      return identityOf(place.entry);
    }),
  );
}

/** A file keeps its second name in the history until the undo has succeeded; a directory has only one. */
function bringBack({ durability }: Disk, kept: string, place: Place): void {
  try {
    if (statOf(kept)?.isDirectory()) renameSync(kept, place.entry);
    else linkSync(kept, place.entry);
  } catch (thrown) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes(errnoOf(thrown) ?? "")) throw thrown;
    copyKept(kept, place.entry, durability === "full");
  }
}
