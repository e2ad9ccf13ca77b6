/**
 * Whether the process that started this one is this program too. A variable says what a start is to be, and anybody can set
 * a variable: a launcher starts whatever it is told, an exec stage becomes any program. So it is believed only when the
 * parent, which nobody can choose by a variable, has the same executable.
 */
import { closeSync, constants, openSync, readlinkSync, statSync } from "node:fs";

/** Where there is no /proc nobody can tell: nothing is started there but searches, which reach what they are handed. */
export function isStartedByUs(): boolean {
  if (process.platform !== "linux") return true;
  try {
    const [own, parent] = ["/proc/self/exe", `/proc/${process.ppid}/exe`] as const;
    const [ours, theirs] = [statSync(own), statSync(parent)];
    if (ours.dev === theirs.dev && ours.ino === theirs.ino) return true;
    // Another version has been put in its place while the parent ran.
    return readlinkSync(parent) === `${readlinkSync(own)} (deleted)`;
  } catch {
    return false;
  }
}

/** In the fence of a process that speaks HTTP, which reaches no files and cannot look at its parent any more. */
export function reachesNoFiles(): boolean {
  try {
    closeSync(openSync("/", constants.O_RDONLY | constants.O_DIRECTORY));
    return false;
  } catch {
    return true;
  }
}
