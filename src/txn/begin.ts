/**
 * What a transaction will do, in the form that the journal keeps: every act, every name that is used on the way, and
 * which roots it is about.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scope } from "../scope/index.ts";
import { parentOf, planActs, type Act, type Identity } from "./acts.ts";
import { statOf, withPlace, type Disk } from "./disk.ts";
import type { About, AnswerToKeep, JournalBegin } from "./history.ts";
import { sha256 } from "./inspect.ts";
import type { Sealed, SealedPath } from "./sealed.ts";
import { isDirectory, missingParents, type Contents } from "./stage.ts";
import { locatedFrom } from "./target.ts";

export function planTransaction(
  disk: Disk,
  sealed: Sealed,
  about: About,
  contents: Contents,
  answer: AnswerToKeep | undefined,
): JournalBegin {
  const acts = planActs(sealed.steps, disk.transaction, {
    hashOf: (content) => sha256(contents(content)),
    hashOfKept: (from, name) => hashOfFile(join(disk.history.folderOf(from), name)),
    isAcross: (from, at) =>
      deviceOf(disk, existingAbove(disk, from)) !== deviceOf(disk, existingAbove(disk, at)),
  });
  const parents = missingParents(
    disk,
    acts.filter(({ late }) => !late),
  );
  return {
    kind: "begin",
    about: { ...about, files: about.files.map(withoutDiff) },
    steps: sealed.steps,
    acts,
    parents,
    roots: rootIdentities(disk.scope),
    isSingle: acts.length === 1 && parents.length === 0 && isAtomic(acts[0]),
    ...(answer ? { answer } : {}),
  };
}

/** The history is ours alone, so its names can be trusted. */
function hashOfFile(path: string): string | undefined {
  return statOf(path)?.isFile() ? sha256(readFileSync(path)) : undefined;
}

export function rootIdentities(scope: Scope): Identity[] {
  return scope.roots.map(({ handle }) => ({ dev: String(handle.dev), ino: String(handle.ino) }));
}

/** Done by one call of the system: a crash leaves it done or not done, without a journal on the disk. */
function isAtomic(act: Act | undefined): boolean {
  return act !== undefined && act.act !== "rewrite" && !(act.act === "move" && (act.across || act.replaces));
}

function existingAbove(disk: Disk, at: SealedPath): SealedPath {
  let path = parentOf(at);
  while (path.rel !== "" && !isDirectory(disk, path)) path = parentOf(path);
  return path;
}

function deviceOf(disk: Disk, directory: SealedPath): bigint | undefined {
  if (directory.rel === "") return disk.scope.roots[directory.root]?.handle.dev;
  if (disk.scope.isAtop(locatedFrom(disk.scope, directory)))
    return disk.scope.lstat(locatedFrom(disk.scope, directory), "change").dev;
  return withPlace(disk, directory, ({ entry }) => statOf(entry)?.dev);
}

/** Diffs are for people who decide; the history can make them again. */
function withoutDiff<T extends { readonly diff?: string }>(file: T): T {
  const { diff: _diff, ...rest } = file;
  return rest as T;
}
