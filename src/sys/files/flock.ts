/**
 * One advisory lock on an open file, which the kernel lets go when its owner dies.
 * C: int flock(int fd, int operation) https://man7.org/linux/man-pages/man2/flock.2.html
 */
import { openErrno, openLibc } from "../libc.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;

/** @returns the name of the error, or `undefined` when the lock was taken, or where flock cannot be called (Windows) */
export function lockExclusively(fd: number): string | undefined {
  if (calls === "unknown") calls = loadCalls();
  if (!calls || calls.flock(fd, LOCK_EX | LOCK_NB) === 0) return undefined;
  return calls.errno();
}

let calls: ReturnType<typeof loadCalls> | "unknown" = "unknown";

function loadCalls() {
  const libc = openLibc({ flock: { args: ["i32", "i32"], returns: "i32" } });
  return libc && { flock: libc.flock, errno: openErrno() };
}
