/**
 * Calls on files that every part of a change makes: the few that node:fs lacks, through libc, and those whose errors mean
 * the same to everybody. Nothing here follows a link at the end of a name.
 *
 * Functions of libc are opened at their first use, because most changes need none of them. Where they are missing (another
 * system, an old kernel) each function here falls back to what node:fs has.
 */
import { closeSync, constants, linkSync, lstatSync, openSync, renameSync, writeSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { cString, openLibc } from "../base/index.ts";
import { errnoOf } from "../scope/index.ts";

/** A name as node:fs takes it: names that are not UTF-8 are bytes. */
export type Entry = string | Buffer;

/** Reads a regular file; a FIFO or a device in its place cannot block the open. */
export const READING: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
export const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
export const NEW_FILE: number =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

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

const RENAME_NOREPLACE = 1;
export const AT_FDCWD = -100;

const renaming = lazily(() =>
  openLibc({ renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" } }),
);

/**
 * Renames to a name that nobody has: rename(2) alone would replace a file, or an empty directory, that somebody made there
 * meanwhile. Where the system cannot refuse that, the name is looked at right before.
 * https://man7.org/linux/man-pages/man2/rename.2.html
 * @throws the system's error: EEXIST when the name is taken
 */
export function renameAbsent(from: Entry, to: Entry): void {
  if (renaming()?.renameat2(AT_FDCWD, cString(from), AT_FDCWD, cString(to), RENAME_NOREPLACE) === 0) return;
  if (statOf(to)) throw Object.assign(new Error("EEXIST: the name is taken"), { code: "EEXIST" });
  renameSync(from, to);
}

const SYNC_FILE_RANGE_WRITE = 2;

const writingBack = lazily(() =>
  openLibc({ sync_file_range: { args: ["i32", "i64", "i64", "u32"], returns: "i32" } }),
);

/** Tells the system to begin writing the bytes of a file to the disk. A hint: only fsync(2) promises anything. */
export function startWriting(fd: number): void {
  writingBack()?.sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/** Opens functions of libc at their first use. Their numbers and structures here are those of Linux. */
export function lazily<T>(open: () => T): () => T | undefined {
  let opened: { readonly calls: T | undefined } | undefined;
  return () => (opened ??= { calls: process.platform === "linux" ? open() : undefined }).calls;
}
