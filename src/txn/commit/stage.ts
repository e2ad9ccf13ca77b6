/**
 * Everything that is made before anything is changed: new content and copies under temporary names, missing directories, and
 * a second name for each file that will be replaced. What is staged has its final owner, mode and attributes.
 *
 * Missing directories are told to the journal by what they are, and only then put in their place. So a directory that somebody
 * else makes there in the meantime is never taken for ours: the change is stale then, and nobody takes that directory away,
 * not even empty.
 */
import {
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { Failure, throwIfStopped } from "../../base/index.ts";
import { failureOf, type Place } from "../../scope/index.ts";
import { type Journal, withOpen } from "../../state/index.ts";
import { fingerprintOf, type Identity, identityOf, identityOfOpen, isMade, madeIdentityOf } from "../fingerprint.ts";
import { inDirectory, isAtOrBelow, keyOf, locatedFrom, parentOf, type RootPath } from "../model.ts";
import {
  type DiskOperation,
  type JournalRecord,
  type JournalRecords,
  madeBy,
  type MadeDirectory,
  type OperationOf,
  type PlannedOperation,
  type PlannedParents,
  type PutSource,
  type StagedFacts,
} from "../records.ts";
import { copyKept, copyObject } from "../tree-copy/copy-tree.ts";
import { keepMetadata } from "../tree-copy/metadata.ts";
import { failedWith, NEW_FILE, READING, renameAbsent, statOf, tryRename, writeAll } from "../tree-copy/tree.ts";
import { keepRemoved, keepReplaced } from "./apply.ts";
import { besideEntry, besideName, type Contents, type Disk, type Flushes, newContentEntry, withPlace } from "./disk.ts";

interface Staging {
  readonly disk: Disk;
  readonly contents: Contents;
  readonly onCopied: (bytes: number) => void;
  /** What must be settled before anything depends on it. */
  readonly flushes: Flushes;
  /** Some file is written in place. */
  readonly isInPlace: boolean;
}

/** Makes the new object under its temporary name. @throws Failure, with nothing but that name left */
export function stage(staging: Staging, op: DiskOperation): StagedFacts {
  const { disk, contents } = staging;
  throwIfStopped(disk.cancel, "the change");
  try {
    if (op.act === "put") return withPrint(staging, op, stagePut(staging, op));
    if (op.act === "move" && op.across) {
      const source = withPlace(disk, op.from, (place) => fingerprintOf(disk.scope, place, staging.isInPlace));
      return { ...withPrint(staging, op, stageCopy(staging, op.from, op.staged, true)), source };
    }
    if (op.act === "rewrite") stageRewrite(disk, op, contents(op.content));
    if (op.act === "make_directory")
      return withPlace(disk, op.at, (place) => {
        const staged = besideEntry(disk, op, place, "staged");
        mkdirSync(staged);
        disk.places.made.take(staged);
        return { staged: identityOf(staged) };
      });
    return {};
  } catch (thrown) {
    throw failureOf(thrown, disk.scope, locatedFrom(disk.scope, op.at), "change");
  }
}

function withPrint(
  { disk, isInPlace }: Staging,
  op: OperationOf<"put"> | OperationOf<"move">,
  staged: Identity | undefined,
): StagedFacts {
  if (op.act === "put" && op.after !== undefined) return { staged };
  return {
    staged,
    print: withPlace(disk, op.staged, (place) => fingerprintOf(disk.scope, place, isInPlace)),
  };
}

/** Identifies the object that will be displaced, and backs it up. */
export function keepDisplaced(disk: Disk, op: DiskOperation): StagedFacts {
  if (op.act === "make_directory") return {};
  const moved = op.act === "move" ? withPlace(disk, op.from, ({ entry }) => identityOf(entry)) : undefined;
  const displaced = withPlace(disk, op.at, (place) => {
    if (isReplacing(op)) keepReplaced(disk, op, place);
    if (op.act === "remove") keepRemoved(disk, op, place);
    if (op.act === "remove_directory" && op.made && !isMade(place.entry, op.made)) return undefined;
    return identityOf(place.entry);
  });
  return { ...(moved ? { moved } : {}), ...(displaced ? { displaced } : {}) };
}

/** Whether the operation replaces an object that needs a backup before. */
export function isReplacing(op: DiskOperation): boolean {
  return op.act === "rewrite" || ((op.act === "put" || op.act === "move") && op.replaces);
}

function stagePut(staging: Staging, op: OperationOf<"put">): Identity | undefined {
  const { disk } = staging;
  const { source } = op;
  switch (source.kind) {
    case "content":
      return writeStaged(staging, op, source);
    case "copy": {
      const staged = stageCopy(staging, source.from, op.staged, false);
      if (op.replaces) keepMetadataOfReplaced(disk, op);
      return staged;
    }
    case "kept":
      return withPlace(disk, op.staged, (place) => {
        bringBack(disk, disk.history.objectOf(source.transaction, source.name), place);
        lockTree(disk, place);
        return identityOf(place.entry);
      });
  }
}

function writeStaged(
  { disk, contents, flushes }: Staging,
  op: OperationOf<"put">,
  source: PutSource & { readonly kind: "content" },
): Identity {
  const fd = withPlace(disk, op.staged, ({ entry }) => openSync(entry, NEW_FILE, op.replaces ? 0o600 : 0o666));
  return flushes.afterwards(fd, op.at, () => {
    writeAll(fd, contents(source.content));
    const allowed = op.replaces ? withPlace(disk, op.at, (old) => keepMetadata(old, fd)) : 0o7777;
    if (source.mode !== undefined) fchmodSync(fd, source.mode & allowed);
    return identityOfOpen({ fd, path: "" });
  });
}

/** A copy takes the place of a file as new content does: owner, mode and attributes stay those of the place. */
function keepMetadataOfReplaced(disk: Disk, op: OperationOf<"put">): void {
  withPlace(disk, op.at, (old) => {
    if (!statOf(old.entry)?.isFile()) return;
    withPlace(disk, op.staged, ({ entry }) => {
      if (!statOf(entry)?.isFile()) return;
      withOpen(entry, READING, (fd) => {
        keepMetadata(old, fd);
        if (disk.durability === "full") fsyncSync(fd);
      });
    });
  });
}

/** The new content lies beside the old one, so that a mixture of both is told from what somebody else wrote. */
function stageRewrite(disk: Disk, op: DiskOperation, bytes: Uint8Array): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const write = (fd: number): void => {
    writeAll(fd, bytes);
    if (disk.durability === "full") fsyncSync(fd);
  };
  withOpen(newContentEntry(disk, op), flags, write, 0o600);
}

function stageCopy(
  { disk, onCopied }: Staging,
  from: RootPath,
  staged: RootPath,
  whole: boolean,
): Identity | undefined {
  const { scope, cancel, durability } = disk;
  const options = { cancel, onCopied, whole, durable: durability === "full" };
  return withPlace(disk, from, (source) =>
    withPlace(disk, staged, (place) => {
      copyObject(scope, source, place.entry, options);
      lockTree(disk, place);
      return identityOf(place.entry);
    }),
  );
}

function lockTree({ places }: Disk, { entry }: Place): void {
  if (statOf(entry)?.isDirectory()) places.made.takeTree(entry);
}

/**
 * A file keeps its second name in the history until the undo has succeeded; a directory has only one, and so has a file of another
 * user that may be neither linked nor read.
 */
function bringBack({ durability }: Disk, kept: string, place: Place): void {
  try {
    if (statOf(kept)?.isDirectory()) renameSync(kept, place.entry);
    else linkSync(kept, place.entry);
  } catch (thrown) {
    if (!failedWith(thrown, "EXDEV", "EPERM", "EMLINK", "ENOTSUP")) throw thrown;
    copyOrMove(kept, place, durability);
  }
}

function copyOrMove(kept: string, { entry }: Place, durability: Disk["durability"]): void {
  try {
    copyKept(kept, entry, durability === "full");
  } catch (thrown) {
    if (!failedWith(thrown, "EACCES") || !tryRename(kept, entry)) throw thrown;
  }
}

/** Directories that are missing above the places of the operations, outermost first. */
export function missingParents(disk: Disk, operations: readonly PlannedOperation[]): RootPath[] {
  const missing = new Map<string, RootPath>();
  for (const { at } of operations) {
    for (let path = parentOf(at); path.rel !== ""; path = parentOf(path)) {
      if (missing.has(keyOf(path)) || isDirectory(disk, path)) break;
      missing.set(keyOf(path), path);
    }
  }
  return [...missing.values()].sort((a, b) => a.rel.length - b.rel.length);
}

function isDirectory({ scope }: Disk, path: RootPath): boolean {
  using directory = scope.tryDirectory(locatedFrom(scope, path));
  return directory !== undefined;
}

/** @param planned already in the journal. @throws Failure `stale` when one of them is there now */
export function makeParents(disk: Disk, journal: Journal, { parents, act }: PlannedParents): void {
  if (parents.length === 0) return;
  const staged = stagedOf(disk, parents);
  const made = parents.map((at) => ({ ...makeStaged(disk, at, staged), act }));
  journal.write({ kind: "made", made } satisfies JournalRecord);
  for (const [top, waiting] of staged)
    withPlace(disk, top, (place) =>
      withPlace(disk, waiting, ({ entry }) => {
        try {
          renameAbsent(entry, place.entry);
        } catch (thrown) {
          if (!failedWith(thrown, "EEXIST")) throw thrown;
          const shown = disk.scope.show(locatedFrom(disk.scope, top));
          throw new Failure(
            "stale",
            `Cannot make the directory "${shown}": somebody made it while the change was made`,
            { hint: "Nothing was written. Make the change again." },
          );
        }
      }),
    );
}

/**
 * Takes back what `makeParents` did, as far as it is still there.
 * @throws the system's error when the disk fails: a later recovery may have more luck
 */
export function unmakeParents(disk: Disk, planned: PlannedParents, records: JournalRecords): void {
  for (const waiting of stagedOf(disk, planned.parents).values())
    unlessGone(() => withPlace(disk, waiting, ({ entry }) => rmSync(entry, { recursive: true, force: true })));
  const made = madeBy(records).filter(({ act }) => act === planned.act);
  for (const one of made.reverse())
    unlessGone(() =>
      withPlace(disk, one.at, ({ entry }) => {
        if (isMade(entry, one)) rmdirSync(entry);
      }),
    );
}

/** The outermost of the directories, each with the place where it waits, beside its own. */
function stagedOf({ transaction }: Disk, parents: readonly RootPath[]): Map<RootPath, RootPath> {
  const known = new Set(parents.map(keyOf));
  const tops = parents.filter((path) => !known.has(keyOf(parentOf(path))));
  return new Map(tops.map((top, n) => [top, inDirectory(parentOf(top), besideName(transaction, n, "parent"))]));
}

function makeStaged(disk: Disk, at: RootPath, staged: Map<RootPath, RootPath>): MadeDirectory {
  for (const [top, waiting] of staged) {
    if (!isAtOrBelow(at, top)) continue;
    const path = { root: at.root, rel: waiting.rel + at.rel.slice(top.rel.length) };
    return withPlace(disk, path, ({ entry }) => {
      mkdirSync(entry);
      disk.places.made.take(entry);
      return { at, ...madeIdentityOf(entry) };
    });
  }
  throw new Error(`"${at.rel}" is below none of the directories that are made`);
}

/** Passes over an object that is gone, which needs no removal, and a directory that somebody has filled, which is theirs. */
export function unlessGone(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.code === "not_found" || thrown.code === "stale")) return;
    if (!failedWith(thrown, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST")) throw thrown;
  }
}
