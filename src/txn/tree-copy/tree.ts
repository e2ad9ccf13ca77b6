/**
 * Calls on files that every part of a change makes, and directory trees by handle. `walkTree` lists a tree that is there,
 * `openTree` reaches names in one that is being made. Nothing here follows a link at the end of a name, and no directory on
 * the way is taken by its name alone: one that another process swaps for a link meanwhile is an error, and nothing is read or
 * written through it.
 *
 * Where descriptors have no path (not on Linux) names are joined, with the gap that SECURITY.md tells of.
 */
import { type BigIntStats, closeSync, constants, linkSync, lstatSync, openSync, renameSync, writeSync } from "node:fs";
import { type Cancel, Failure, limits, throwIfStopped } from "../../base/index.ts";
import { errnoOf, type Located, quotable, type Scope } from "../../scope/index.ts";
import { fsName, nameFromBytes, readDirectory, renameToFreeName } from "../../sys/index.ts";

interface TreeEntry {
  readonly at: Located;
  /** Path below the top of the tree. */
  readonly below: string;
  readonly stat: BigIntStats;
}

/**
 * Every entry below `top`, a directory before what it holds, siblings by name. Iterative, because a tree may be deeper than
 * any stack. Links are entries and are never followed. A denied entry makes the whole walk fail, because a move would take
 * it out of the reach of its rule.
 * @throws Failure `too_large`, `denied`
 */
export function* walkTree(scope: Scope, top: Located, cancel: Cancel): Generator<TreeEntry> {
  const pending = [{ at: top, below: "" }];
  let count = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    throwIfStopped(cancel, "the walk of a tree");
    for (const { name, at, stat } of listSorted(scope, next.at)) {
      if (++count > limits.MAX_TREE_ENTRIES)
        throw notAsOne(scope, top, "too_large", `it has more than ${limits.MAX_TREE_ENTRIES} entries`);
      const below = next.below === "" ? name : `${next.below}/${name}`;
      yield { at, below, stat };
      if (stat.isDirectory()) pending.push({ at, below });
    }
  }
}

function listSorted(scope: Scope, at: Located): { name: string; at: Located; stat: BigIntStats }[] {
  using directory = scope.openDirectory(at, "walk", "refuse");
  const found = readDirectory(directory).flatMap(({ name }) => {
    const child = scope.child(at, name);
    if (scope.denies(child)) throw notAsOne(scope, at, "denied", "a deny rule covers something in it");
    const stat = lstatSync(fsName(`${directory.path}/${name}`), { bigint: true, throwIfNoEntry: false });
    return stat ? [{ name, at: child, stat }] : [];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function notAsOne(scope: Scope, top: Located, code: "too_large" | "denied", why: string): Failure {
  return new Failure(code, `Cannot take the tree "${quotable(scope.show(top))}" as one: ${why}`);
}

interface OpenTree extends Disposable {
  /** The name for node:fs, until the next call. @param below the path below the top, not empty */
  entry(below: string): Entry;
}

/**
 * Only one directory is held open, because a copy goes directory by directory.
 * @param top the directory itself, below a verified handle
 */
export function openTree(top: Entry): OpenTree {
  const base = typeof top === "string" ? top : nameFromBytes(top);
  let held: { readonly below: string; readonly fd: number } | undefined;
  const release = (): void => {
    if (held) closeSync(held.fd);
    held = undefined;
  };
  return {
    entry(below) {
      if (process.platform !== "linux") return fsName(`${base}/${below}`);
      const cut = below.lastIndexOf("/");
      const parent = below.slice(0, Math.max(0, cut));
      if (held?.below !== parent) {
        release();
        held = { below: parent, fd: openBelow(base, parent) };
      }
      return fsName(`/proc/self/fd/${held.fd}/${below.slice(cut + 1)}`);
    },
    [Symbol.dispose]: release,
  };
}

function openBelow(base: string, below: string): number {
  let fd = openSync(fsName(base), DIRECTORY);
  for (const name of below === "" ? [] : below.split("/")) {
    const above = fd;
    try {
      fd = openSync(fsName(`/proc/self/fd/${above}/${name}`), DIRECTORY);
    } finally {
      closeSync(above);
    }
  }
  return fd;
}

/** A name as node:fs takes it: names that are not UTF-8 are bytes. */
export type Entry = string | Buffer;

/** Reads a regular file; a FIFO or a device in its place cannot block the open. */
export const READING: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
export const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
export const NEW_FILE: number = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export function statOf(entry: Entry): BigIntStats | undefined {
  return lstatSync(entry, { bigint: true, throwIfNoEntry: false });
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

/** Tells whether a call failed with one of these codes of the system. */
export function failedWith(thrown: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errnoOf(thrown) ?? "");
}

/** Gives a file a second name. @returns false where the file system has no links, or not that many, or not between mounts */
export function tryLink(from: Entry, to: Entry): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (thrown) {
    if (failedWith(thrown, "EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) return false;
    throw thrown;
  }
}

/** @returns false when the new name lies on another mount */
export function tryRename(from: Entry, to: Entry): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (thrown) {
    if (failedWith(thrown, "EXDEV")) return false;
    throw thrown;
  }
}

/**
 * Renames to a name that nobody has: rename(2) alone would replace a file, or an empty directory, that somebody made there
 * meanwhile. Where the system cannot refuse that, the name is looked at right before.
 * @throws the system's error: EEXIST when the name is taken
 */
export function renameAbsent(from: Entry, to: Entry): void {
  if (renameToFreeName(from, to)) return;
  if (statOf(to)) throw Object.assign(new Error("EEXIST: the name is taken"), { code: "EEXIST" });
  renameSync(from, to);
}
