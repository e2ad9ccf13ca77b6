/**
 * Missing directories above the places of a change, made like everything else: under a name of their own, told to the
 * journal by what they are, and only then put in their place. So a directory that somebody else makes there in the
 * meantime is never taken for ours: the change is stale then, and nobody takes that directory away, not even empty.
 */
import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { Journal } from "../../state/index.ts";
import { failedWith, renameAbsent } from "../file-calls.ts";
import { isMade, madeIdentityOf } from "../fingerprint.ts";
import { inDirectory, isAtOrBelow, keyOf, locatedFrom, parentOf, type RootPath } from "../model.ts";
import { madeBy } from "../records.ts";
import type { JournalRecord, JournalRecords, MadeDirectory, PlannedOperation, PlannedParents } from "../records.ts";
import { besideName, withPlace, type Disk } from "./disk.ts";

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
