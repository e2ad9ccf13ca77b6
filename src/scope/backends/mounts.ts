/**
 * Mounts, as far as a change has to know of them: a rename never goes from one to another, also where both show the same
 * device (a bind mount, a volume of a container), and a directory takes along what is mounted in it.
 * https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { nameFromBytes } from "../../sys/index.ts";
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
