/**
 * Advisory locks on directories that other instances of this host respect, whatever their state folders. The kernel
 * lets go when the owner dies. Waiting is bounded: a lock that is not had in time is `busy`, never a hang.
 *
 * Where flock(2) cannot be called (Windows) hosts on one root are not kept apart; the content check before each rename
 * still is. https://man7.org/linux/man-pages/man2/flock.2.html
 */
import { Failure, monotonicMs, openLibc } from "../base/index.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;
const WAIT_MS = 5000;
const RETRY_MS = 5;

let flock: ((fd: number, operation: number) => number) | undefined | "unknown" = "unknown";

/** Holds the lock until the descriptor is closed. @throws Failure `busy` */
export function lockDirectory(fd: number, shown: string): void {
  if (flock === "unknown") flock = loadFlock();
  if (!flock || fd < 0) return;
  const deadline = monotonicMs() + WAIT_MS;
  while (flock(fd, LOCK_EX | LOCK_NB) !== 0) {
    if (monotonicMs() > deadline)
      throw new Failure("busy", `Cannot change "${shown}": another process holds its directory`);
    Bun.sleepSync(RETRY_MS);
  }
}

function loadFlock(): ((fd: number, operation: number) => number) | undefined {
  return openLibc({ flock: { args: ["i32", "i32"], returns: "i32" } })?.flock;
}
