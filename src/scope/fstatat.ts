/**
 * What is known of one name in an open directory, without opening it: fstatat(3) on the directory's descriptor. A search
 * asks it a hundred thousand times, and the way by `/proc/self/fd` costs the kernel three times as much.
 * https://man7.org/linux/man-pages/man3/fstatat.3p.html
 */
import { ptr } from "bun:ffi";
import { errnoName, openLibc } from "../base/index.ts";
import { errnoError } from "./backend.ts";
import type { EntryStat } from "./entry-stat.ts";
import { PATH_BYTES, writePath } from "./path-buffer.ts";

/** @returns `undefined` when there is no such name. @throws the system's error */
export type Fstatat = (directoryFd: number, name: string) => EntryStat | undefined;

const AT_SYMLINK_NOFOLLOW = 0x100;
/** The largest struct stat. */
const STAT_BYTES = 144;

/** Where struct stat of the C library keeps what; both have times and sizes at the same places. */
const LAYOUTS: Readonly<Record<string, { readonly nlinkAt: number; readonly modeAt: number }>> = {
  x64: { nlinkAt: 16, modeAt: 24 },
  arm64: { nlinkAt: 20, modeAt: 16 },
};

/** `undefined` where the C library does not offer it. */
export function loadFstatat(): Fstatat | undefined {
  const layout = process.platform === "linux" ? LAYOUTS[process.arch] : undefined;
  const libc = layout && openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { fstatat: call, __errno_location } = libc;
  const path = Buffer.alloc(PATH_BYTES);
  const answer = Buffer.alloc(STAT_BYTES);
  const copy = Buffer.alloc(STAT_BYTES);
  const [pathAt, answerAt] = [ptr(path), ptr(answer)];
  return (directoryFd, name) => {
    writePath(path, name);
    if (call(directoryFd, pathAt, answerAt, AT_SYMLINK_NOFOLLOW) === 0) {
      // A copy, made by a native call: the optimising compiler does not know that the foreign call writes this memory,
      // and takes what it read before the call for what is there now (seen on Bun 1.4.5, also through a new view).
      answer.copy(copy);
      return parse(copy, layout);
    }
    const code = errnoName(__errno_location());
    if (code === "ENOENT") return undefined;
    throw errnoError(code);
  };
}

/** dev at 0, ino 8, size 48, blocks 64, mtime 88. */
function parse(
  bytes: Buffer,
  { nlinkAt, modeAt }: { readonly nlinkAt: number; readonly modeAt: number },
): EntryStat {
  const nlink = bytes.readUInt32LE(nlinkAt);
  return {
    nlink,
    mode: bytes.readUInt32LE(modeAt),
    size: readInt64(bytes, 48),
    blocks: readInt64(bytes, 64),
    mtimeMs: readInt64(bytes, 88) * 1000 + bytes.readUInt32LE(96) / 1e6,
    identity: nlink > 1 ? bytes.toString("latin1", 0, 16) : "",
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
