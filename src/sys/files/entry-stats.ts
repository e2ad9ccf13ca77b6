/**
 * The status of names in an open directory, without opening them and without following links. A search asks for a hundred
 * thousand of them, and the way by `/proc/self/fd` costs the kernel three times as much. Many names at once are put into
 * memory, and their answers taken out of it, by one native call each.
 * C: int fstatat(int dirfd, const char *pathname, struct stat *statbuf, int flags)
 * https://man7.org/linux/man-pages/man3/fstatat.3p.html
 */
import { lstatSync } from "node:fs";
import { ptr, type Pointer } from "bun:ffi";
import { errnoError, errnoName, openLibc } from "../libc.ts";
import type { DirectoryHandle } from "./directory-entries.ts";
import { fsName } from "./name-bytes.ts";
import { PATH_BYTES, writePath } from "./path-buffer.ts";

export interface EntryStat {
  /** File type and permissions, as in st_mode. */
  readonly mode: number;
  /** Bytes; of a link, the length of its target's name. */
  readonly size: number;
  /** On disk, in units of 512 bytes. */
  readonly blocks: number;
  readonly nlink: number;
  readonly mtimeMs: number;
  /** Names the device and the object on it: equal for all names of an object; "" when it has only one name. */
  readonly identity: string;
}

let fstatat: Fstatat | undefined | "not looked for" = "not looked for";

/** @returns `undefined` when there is no such name. @throws the system's error */
export function statEntry(directory: DirectoryHandle, name: string): EntryStat | undefined {
  return statEntries(directory, [name])[0];
}

/** Stats many names in their order, several times as fast as one after the other. */
export function statEntries(directory: DirectoryHandle, names: readonly string[]): (EntryStat | undefined)[] {
  if (fstatat === "not looked for") fstatat = loadFstatat();
  return directory.fd >= 0 && fstatat ? fstatat(directory.fd, names) : names.map((name) => statByPath(directory, name));
}

function statByPath(directory: DirectoryHandle, name: string): EntryStat | undefined {
  const stat = lstatSync(fsName(`${directory.path}/${name}`), { throwIfNoEntry: false });
  if (!stat) return undefined;
  const { mode, size, blocks, nlink, mtimeMs, dev, ino } = stat;
  return { mode, size, blocks, nlink, mtimeMs, identity: nlink > 1 ? `${dev}:${ino}` : "" };
}

/** @returns for each name in order: `undefined` when there is none of it. @throws the system's error */
type Fstatat = (directoryFd: number, names: readonly string[]) => (EntryStat | undefined)[];

const AT_SYMLINK_NOFOLLOW = 0x100;
/** The largest struct stat. */
const STAT_BYTES = 144;

/** Where struct stat of the C library keeps what; both have times and sizes at the same places. */
const LAYOUTS: Readonly<Record<string, { readonly nlinkAt: number; readonly modeAt: number }>> = {
  x64: { nlinkAt: 16, modeAt: 24 },
  arm64: { nlinkAt: 20, modeAt: 16 },
};

/** `undefined` where the C library does not offer it. */
function loadFstatat(): Fstatat | undefined {
  const layout = process.platform === "linux" ? LAYOUTS[process.arch] : undefined;
  const libc = layout && openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { fstatat: call, __errno_location } = libc;
  const paths = Buffer.alloc(Math.max(PATH_BYTES, BATCH * NAME_BYTES));
  const answers = Buffer.alloc(BATCH * STAT_BYTES);
  const copy = Buffer.alloc(BATCH * STAT_BYTES);
  const [pathsAt, answersAt] = [ptr(paths), ptr(answers)];
  /** @returns whether the name is there */
  const ask = (directoryFd: number, offset: number, index: number): boolean => {
    const [path, answer] = [pathsAt + offset, answersAt + index * STAT_BYTES];
    if (call(directoryFd, path as Pointer, answer as Pointer, AT_SYMLINK_NOFOLLOW) === 0) return true;
    const code = errnoName(__errno_location());
    if (code !== "ENOENT") throw errnoError(code);
    return false;
  };
  /** @param are there, by the index of their answers */
  const take = (are: readonly boolean[]): (EntryStat | undefined)[] => {
    answers.copy(copy, 0, 0, are.length * STAT_BYTES);
    return are.map((isThere, index) => (isThere ? parse(copy, index * STAT_BYTES, layout) : undefined));
  };
  const oneByOne = (directoryFd: number, names: readonly string[]): (EntryStat | undefined)[] =>
    take(
      names.map((name, index) => {
        writePath(paths, name);
        return ask(directoryFd, 0, index);
      }),
    );
  const batch = (directoryFd: number, names: readonly string[]): (EntryStat | undefined)[] => {
    const text = `${names.join("\0")}\0`;
    // As many bytes as characters: all of it is ASCII, and each name stands where its length says.
    const isExact = text.length * 3 <= paths.length && paths.write(text, 0, "utf8") === text.length;
    if (!isExact || names.length === 1) return oneByOne(directoryFd, names);
    let offset = 0;
    return take(
      names.map((name, index) => {
        const isThere = ask(directoryFd, offset, index);
        offset += name.length + 1;
        return isThere;
      }),
    );
  };
  return (directoryFd, names) => {
    if (names.length <= BATCH) return batch(directoryFd, names);
    const all: (EntryStat | undefined)[] = [];
    for (let at = 0; at < names.length; at += BATCH)
      for (const stat of batch(directoryFd, names.slice(at, at + BATCH))) all.push(stat);
    return all;
  };
}

/** Names at once: nearly every directory is smaller. */
const BATCH = 256;
/** What most names and the NUL behind them need at most; longer ones are asked for one by one. */
const NAME_BYTES = 256;

/** dev at 0, ino 8, size 48, blocks 64, mtime 88. */
function parse(
  bytes: Buffer,
  at: number,
  { nlinkAt, modeAt }: { readonly nlinkAt: number; readonly modeAt: number },
): EntryStat {
  const nlink = bytes.readUInt32LE(at + nlinkAt);
  return {
    nlink,
    mode: bytes.readUInt32LE(at + modeAt),
    size: readInt64(bytes, at + 48),
    blocks: readInt64(bytes, at + 64),
    mtimeMs: readInt64(bytes, at + 88) * 1000 + bytes.readUInt32LE(at + 96) / 1e6,
    identity: nlink > 1 ? bytes.toString("latin1", at, at + 16) : "",
  };
}

/** Exact up to 2^53. */
function readInt64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * 2 ** 32;
}

const SYMBOLS = {
  fstatat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;
