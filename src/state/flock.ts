/**
 * Advisory locks by flock(2), which the kernel lets go when their owner dies, however it dies. They belong to the open
 * file, so two opens of one process exclude each other too. https://man7.org/linux/man-pages/man2/flock.2.html
 *
 * Where flock cannot be called (Windows) every lock is had at once: hosts on one root are not kept apart there.
 */
import { openLibc } from "../base/index.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;

type Flock = (fd: number, operation: number) => number;

let flock: Flock | undefined | "unknown" = "unknown";

/** Whether the lock was had; it is held until the descriptor is closed. Never waits. */
export function tryLock(fd: number): boolean {
  if (flock === "unknown") flock = openLibc({ flock: { args: ["i32", "i32"], returns: "i32" } })?.flock;
  return !flock || fd < 0 || flock(fd, LOCK_EX | LOCK_NB) === 0;
}
