/**
 * A rename that the kernel refuses when the new name is taken.
 * C: int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags)
 * https://man7.org/linux/man-pages/man2/rename.2.html
 */
import { cString, openLibc } from "../libc.ts";

const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;

/** @returns whether it was renamed; `false` also where the system cannot do this (an old kernel, not on Linux) */
export function renameToFreeName(from: string | Buffer, to: string | Buffer): boolean {
  if (call === "unknown") call = load();
  return call?.(AT_FDCWD, cString(from), AT_FDCWD, cString(to), RENAME_NOREPLACE) === 0;
}

let call: ReturnType<typeof load> | "unknown" = "unknown";

function load() {
  return openLibc({ renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" } })?.renameat2;
}
