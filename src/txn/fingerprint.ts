/**
 * How an object on the disk is known again: which one it is, by its identity, and whether it is as it was, by a hash of its
 * content or by a fingerprint. A fingerprint stands in the place of the hash where content need not be read: a file of any
 * size is moved or deleted in no time, and one that its owner may not read too.
 *
 * The fingerprint of a file goes from what stays longest to what changes first, so a shorter one asks for less: a rename
 * and a second name change ctime, a copy has another inode and another time.
 */
import { type BigIntStats, fstatSync, statSync } from "node:fs";
import { type Cancel, createSha256, NEVER_CANCELLED } from "../base/index.ts";
import type { Located, Place, Scope } from "../scope/index.ts";
import { fsName } from "../sys/index.ts";
import type { Before, MadeIdentity } from "./model.ts";
import { type Entry, statOf, walkTree } from "./tree-copy/tree.ts";

/** Identifies an object: two names of one inode are the same. */
export interface Identity {
  readonly dev: string;
  readonly ino: string;
}

export function identityOf(entry: Entry): Identity | undefined {
  const stat = statOf(entry);
  return stat && { dev: String(stat.dev), ino: String(stat.ino) };
}

/** The identity of an open directory; where directories cannot be opened their path must do. */
export function identityOfOpen({ fd, path }: { readonly fd: number; readonly path: string }): Identity {
  const { dev, ino } = fd >= 0 ? fstatSync(fd, { bigint: true }) : statSync(path, { bigint: true });
  return { dev: String(dev), ino: String(ino) };
}

/** One key for all ways to an open directory. */
export function keyOfOpen(directory: { readonly fd: number; readonly path: string }): string {
  const { dev, ino } = identityOfOpen(directory);
  return `${dev}:${ino}`;
}

export function isSame(a: Identity | undefined, b: Identity | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** The number of a directory and its birth, because the number alone may be reused. */
export function madeIdentityOf(entry: Entry): MadeIdentity {
  const stat = statOf(entry);
  return { ino: String(stat?.ino), born: String(stat?.birthtimeNs) };
}

export function isMade(entry: Entry, made: MadeIdentity): boolean {
  const now = madeIdentityOf(entry);
  return now.ino === made.ino && now.born === made.born;
}

/** Identifies a root, also after a reboot that has given its device another number. */
export interface RootIdentity extends Identity {
  /** The time of birth; "0" where the file system does not know. */
  readonly born: string;
}

export function rootIdentities(scope: Scope): RootIdentity[] {
  return scope.roots.map(({ handle: { dev, ino, path } }) => {
    const born = String(statSync(fsName(`${path}/.`), { bigint: true }).birthtimeNs);
    return { dev: String(dev), ino: String(ino), born };
  });
}

export function areSameRoots(was: readonly RootIdentity[], now: readonly RootIdentity[]): boolean {
  return (
    was.length === now.length &&
    was.every(({ dev, ino, born }, index) => {
      const root = now[index];
      return root?.ino === ino && (root.dev === dev || (root.born === born && born !== "0"));
    })
  );
}

const MARK = "state:";

/** The fingerprint of a file: its size, times and inode. */
export function markOf({ size, mtimeNs, ino, ctimeNs }: BigIntStats): string {
  return `${MARK}${size}:${mtimeNs}:${ino}:${ctimeNs}`;
}

/**
 * The state of a file that is displaced, as a check has seen it: a save in place keeps the inode. Its change time does not count,
 * because a second name changes that.
 * @returns `undefined` for anything but a file
 */
export function versionOf(stat: BigIntStats | undefined): string | undefined {
  return stat?.isFile() ? `${stat.size}:${stat.mtimeNs}:${stat.ino}` : undefined;
}

export function isMark(hash: string): boolean {
  return hash.startsWith(MARK);
}

/** The fingerprint that the file still has after a rename. */
export function withoutChangeTime(before: Before): Before {
  return shortened(before, 3);
}

/** The fingerprint that a copy of the file has too. */
export function sizeOnly(before: Before): Before {
  return shortened(before, 1);
}

function shortened(before: Before, parts: number): Before {
  if (before.kind !== "file" || !isMark(before.hash)) return before;
  const hash = before.hash.split(":", 1 + parts).join(":");
  return { ...before, hash };
}

/** Whether the object is as it was. Where content was read its time does not count: the same content is the same file. */
export function isUnchanged(before: Before, now: Before): boolean {
  if (before.kind !== now.kind) return false;
  if (before.kind === "absent" || now.kind === "absent") return true;
  return now.hash === before.hash || (isMark(before.hash) && now.hash.startsWith(`${before.hash}:`));
}

/** One hash over names, types, sizes and times: a tree that was touched since has another. */
export function fingerprintTree(
  scope: Scope,
  top: Located,
  cancel: Cancel,
): { hash: string; entries: number; bytes: number } {
  const hash = createSha256();
  let [entries, bytes] = [0, 0];
  for (const { below, stat } of walkTree(scope, top, cancel)) {
    entries++;
    if (stat.isFile()) bytes += Number(stat.size);
    const [size, time] = stat.isDirectory() ? [0n, 0n] : [stat.size, stat.mtimeNs];
    hash.update(`${below}\0${stat.mode}\0${size}\0${time}\n`);
  }
  return { hash: hash.digest("hex"), entries, bytes };
}

const LOOSE = "numbers:";

/**
 * The fingerprint of what a transaction has staged and has no hash in its plan, so that a recovery sees whether somebody has
 * changed it since.
 * @param isLoose files are written in place, so their times tell nothing: of a tree only the numbers count
 * @returns `undefined` for what has no content of its own, like a link
 */
export function fingerprintOf(scope: Scope, { entry, at }: Place, isLoose: boolean): string | undefined {
  const stat = statOf(entry);
  if (!stat?.isDirectory()) return stat?.isFile() ? `${stat.size}:${stat.mtimeNs}` : undefined;
  const { hash, entries, bytes } = fingerprintTree(scope, at, NEVER_CANCELLED);
  return isLoose ? `${LOOSE}${entries}:${bytes}` : hash;
}

export function hasFingerprint(scope: Scope, place: Place, known: string | undefined): boolean {
  return known === undefined || fingerprintOf(scope, place, known.startsWith(LOOSE)) === known;
}
