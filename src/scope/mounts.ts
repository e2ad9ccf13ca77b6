/**
 * Mounts, as far as a change has to know of them: a rename never goes from one to another, also where both show the same
 * device (a bind mount, a volume of a container), and a directory takes along what is mounted in it.
 * https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
 *
 * And what a read has to know: whether the kernel makes up the files of a device, which a root can hold by a mount.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, statfsSync } from "node:fs";
import { nameFromBytes } from "../sys/index.ts";
import type { Opened } from "./backend.ts";

/**
 * Equal for two open directories exactly when a rename can go between them. The device counts too: volumes of Btrfs have
 * devices of their own in one mount. Elsewhere than on Linux the device is all that is known.
 */
export function mountOf({ fd, path }: Opened): string {
  if (fd < 0) return String(statSync(path, { bigint: true }).dev);
  return `${fstatSync(fd, { bigint: true }).dev}:${mountId(fd)}`;
}

/** The mount of one of the host's own directories, which may be opened by path. */
export function mountAt(path: string): string {
  if (process.platform === "win32") return mountOf({ fd: -1, path });
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return mountOf({ fd, path });
  } finally {
    closeSync(fd);
  }
}

function mountId(fd: number): string {
  if (process.platform !== "linux") return "";
  return /^mnt_id:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "";
}

/** Whether something is mounted at a canonical path or below it. Known on Linux only. */
export function holdsMount(path: string): boolean {
  return mountPoints().some((point) => point === path || point.startsWith(`${path}/`));
}

/** Spaces and line ends in them are written as three octal digits. */
function mountPoints(): string[] {
  if (process.platform !== "linux") return [];
  return readFileSync("/proc/self/mountinfo", "latin1")
    .split("\n")
    .map((line) => {
      const point = line.split(" ")[4] ?? "";
      const bytes = point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
      return nameFromBytes(Buffer.from(bytes, "latin1"));
    });
}

/** https://man7.org/linux/man-pages/man2/statfs.2.html: proc, debugfs, tracefs. */
const MADE_UP: ReadonlySet<number> = new Set([0x9fa0, 0x64626720, 0x74726163]);
/** Devices come and go with mounts; a host that runs for long must not keep them all. */
const MAX_DEVICES = 256;

const known = new Map<bigint, boolean>();

/**
 * Files that the kernel makes up while they are read (`/proc/kmsg`, `/proc/self/mem`) call themselves regular, and yet may
 * wait, never end, or be the memory of a process. Asked once for each device, so an ordinary read pays a look into a map.
 *
 * @param dev the device of the open file, as fstat gave it
 */
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
