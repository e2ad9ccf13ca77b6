/**
 * What kind of object stands at a name, however the system said it.
 */
import { constants, type Dirent } from "node:fs";

export type EntryType = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "unknown";

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

/** Of st_mode. */
export function typeOfMode(mode: number): EntryType {
  return TYPES[(mode & constants.S_IFMT) >> 12] ?? "unknown";
}

/** By the kernel's number of a type, which is also the top of st_mode. */
export const TYPES: Readonly<Record<number, EntryType>> = {
  1: "fifo",
  2: "device",
  4: "directory",
  6: "device",
  8: "file",
  10: "symlink",
  12: "socket",
};
