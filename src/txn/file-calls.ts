/**
 * Calls on files that every part of a change makes, and whose errors mean the same to everybody. Nothing here follows a link at
 * the end of a name.
 */
import { closeSync, constants, linkSync, lstatSync, openSync, renameSync, writeSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { errnoOf } from "../scope/index.ts";
import { renameToFreeName } from "../sys/index.ts";

/** A name as node:fs takes it: names that are not UTF-8 are bytes. */
export type Entry = string | Buffer;

/** Reads a regular file; a FIFO or a device in its place cannot block the open. */
export const READING: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
export const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
export const NEW_FILE: number = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export function statOf(entry: Entry): BigIntStats | undefined {
  return lstatSync(entry, { bigint: true, throwIfNoEntry: false });
}

export function withOpen<T>(entry: Entry, flags: number, work: (fd: number) => T, mode?: number): T {
  const fd = openSync(entry, flags, mode);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
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
