/**
 * The entries of an open directory with their types, names exact. On Linux they come straight from the kernel into one
 * buffer, several times as fast as node:fs; elsewhere by node:fs, which decodes names that are not UTF-8 with U+FFFD, so
 * that a directory that shows one is read again as bytes.
 * C: ssize_t getdents64(int fd, void *dirp, size_t count); off_t lseek(int fd, off_t offset, int whence)
 * https://man7.org/linux/man-pages/man2/getdents.2.html
 */
import { constants, lstatSync, readdirSync, type Dirent } from "node:fs";
import { ptr } from "bun:ffi";
import { errnoError, errnoName, openLibc } from "../libc.ts";
import { fsName, nameFromBytes } from "./name-bytes.ts";

/** An open directory as the kernel and node:fs reach it; the descriptor is -1 where directories cannot be opened. */
export interface DirectoryHandle {
  readonly fd: number;
  readonly path: string;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

let readEntries: ReadEntries | undefined | "not looked for" = "not looked for";

/** Every entry but `.` and `..`, with its type. @throws the system's error */
export function readDirectory(directory: DirectoryHandle): DirectoryEntry[] {
  if (readEntries === "not looked for") readEntries = loadGetdents();
  return directory.fd >= 0 && readEntries ? readEntries(directory.fd) : readByPath(directory);
}

function readByPath(directory: DirectoryHandle): DirectoryEntry[] {
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

/** @throws the system's error */
type ReadEntries = (fd: number) => DirectoryEntry[];

const BUFFER_BYTES: number = 64 * 1024;

/** struct linux_dirent64: inode 8, offset 8, length 2, type 1, name. */
const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;

/** `undefined` where the C library does not offer it. */
function loadGetdents(): ReadEntries | undefined {
  if (process.platform !== "linux") return undefined;
  const libc = openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { getdents64, lseek, __errno_location } = libc;
  const buffer = Buffer.alloc(BUFFER_BYTES);
  const bufferAt = ptr(buffer);
  const copy = Buffer.alloc(BUFFER_BYTES);
  return (fd) => {
    const entries: DirectoryEntry[] = [];
    lseek(fd, 0, 0);
    for (;;) {
      const length = getdents64(fd, bufferAt, BUFFER_BYTES);
      if (length < 0) throw errnoError(errnoName(__errno_location()));
      if (length === 0) return entries;
      parseEntries(copy, buffer.copy(copy, 0, 0, length), entries);
    }
  };
}

function parseEntries(bytes: Buffer, length: number, into: DirectoryEntry[]): void {
  let next = 0;
  for (let at = 0; at < length; at = next) {
    next = at + bytes.readUInt16LE(at + LENGTH_AT);
    const start = at + NAME_AT;
    let end = start;
    let signs = 0;
    for (let byte = bytes[end] ?? 0; byte !== 0; byte = bytes[++end] ?? 0) signs |= byte;
    if (bytes[start] === DOT && (end === start + 1 || (end === start + 2 && bytes[start + 1] === DOT))) continue;
    const name = signs < 0x80 ? bytes.toString("latin1", start, end) : nameFromBytes(bytes.subarray(start, end));
    into.push({ name, type: TYPES[bytes[at + TYPE_AT] ?? 0] ?? "unknown" });
  }
}

const DOT = 0x2e;

const SYMBOLS = {
  getdents64: { args: ["i32", "ptr", "u64"], returns: "i32" },
  lseek: { args: ["i32", "i32", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;

export type EntryType = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "unknown";

export function typeOf(
  entry: Pick<
    Dirent,
    "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket" | "isBlockDevice" | "isCharacterDevice"
  >,
): EntryType {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "device" : "unknown";
}

/** The type in `st_mode`. */
export function typeOfMode(mode: number): EntryType {
  return TYPES[(mode & constants.S_IFMT) >> 12] ?? "unknown";
}

/** By the kernel's number of a type, which is also the top of st_mode. */
const TYPES: Readonly<Record<number, EntryType>> = {
  1: "fifo",
  2: "device",
  4: "directory",
  6: "device",
  8: "file",
  10: "symlink",
  12: "socket",
};
