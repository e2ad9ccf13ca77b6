/**
 * The entries of an open directory with their types, names exact. Bun decodes names that are not UTF-8 with U+FFFD, so a
 * directory that shows one is read again as bytes.
 */
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { fsName, nameFromBytes } from "./names.ts";
import type { OpenDirectory } from "./located.ts";

export type EntryType = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "unknown";

export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

export function readDirectory(directory: OpenDirectory): DirectoryEntry[] {
  const entries = readdirSync(fsName(directory.path), { withFileTypes: true });
  if (!entries.some((entry) => entry.name.includes("\ufffd"))) {
    return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
  }
  // Bun 1.4.5 ignores withFileTypes together with encoding "buffer", and gives bare names.
  return readdirSync(fsName(directory.path), { encoding: "buffer" })
    .map(nameFromBytes)
    .map((name) => ({
      name,
      type: typeOf(lstatSync(fsName(`${directory.path}/${name}`))),
    }));
}

export function typeOf(
  entry: Pick<
    Dirent,
    | "isFile"
    | "isDirectory"
    | "isSymbolicLink"
    | "isFIFO"
    | "isSocket"
    | "isBlockDevice"
    | "isCharacterDevice"
  >,
): EntryType {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "device" : "unknown";
}
