/**
 * Files that the kernel makes up while they are read (`/proc/kmsg`, `/proc/self/mem`): they call themselves regular, and
 * yet may wait, never end, or be the memory of a process. A root can hold such a file system by a mount.
 *
 * Asked once for each device, so an ordinary read pays a look into a map.
 */
import { statfsSync } from "node:fs";

/** https://man7.org/linux/man-pages/man2/statfs.2.html: proc, debugfs, tracefs. */
const MADE_UP: ReadonlySet<number> = new Set([0x9fa0, 0x64626720, 0x74726163]);
/** Devices come and go with mounts; a host that runs for long must not keep them all. */
const MAX_DEVICES = 256;

const known = new Map<bigint, boolean>();

/** @param dev the device of the open file, as fstat gave it */
export function isMadeUp(fd: number, dev: bigint): boolean {
  if (process.platform !== "linux") return false;
  let found = known.get(dev);
  if (found === undefined) {
    found = MADE_UP.has(statfsSync(`/proc/self/fd/${fd}`).type);
    if (known.size >= MAX_DEVICES) known.clear();
    known.set(dev, found);
  }
  return found;
}
