/**
 * Opening one bare name in an open directory: nothing is resolved, so nothing can lead out.
 * C: int openat(int dirfd, const char *pathname, int flags)
 * https://man7.org/linux/man-pages/man2/openat.2.html
 */
import { constants } from "node:fs";
import { ptr } from "bun:ffi";
import { errnoError, errnoName, openLibc } from "../libc.ts";
import { PATH_BYTES, writePath } from "./path-buffer.ts";

/** @param name without a slash. @throws the system's error */
export type Openat = (directoryFd: number, name: string, flags: number) => number;

const O_CLOEXEC = 0o2000000;

/** `undefined` where the C library does not offer it. */
export function loadOpenat(): Openat | undefined {
  if (process.platform !== "linux") return undefined;
  const libc = openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { openat, __errno_location } = libc;
  const scratch = Buffer.alloc(PATH_BYTES);
  const scratchAt = ptr(scratch);
  return (directoryFd, name, flags) => {
    if (name.includes("/")) throw errnoError("EXDEV");
    writePath(scratch, name);
    const fd = openat(directoryFd, scratchAt, flags | O_CLOEXEC | constants.O_NOCTTY);
    if (fd >= 0) return fd;
    throw errnoError(errnoName(__errno_location()));
  };
}

const SYMBOLS = {
  openat: { args: ["i32", "ptr", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;
