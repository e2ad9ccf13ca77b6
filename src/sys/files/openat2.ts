/**
 * Opening a path below a directory: the kernel resolves every component and refuses whatever leaves the directory, also
 * while another process renames directories (EAGAIN, retried within a bound).
 * C: long syscall(SYS_openat2, int dirfd, const char *pathname, struct open_how *how, size_t size)
 *
 * The number 437 is the same on x86-64 and arm64. Seccomp profiles may answer EPERM or ENOSYS; `loadOpenat2` tries it once.
 * https://man7.org/linux/man-pages/man2/openat2.2.html
 */
import { closeSync, constants, openSync } from "node:fs";
import { ptr, type Pointer } from "bun:ffi";
import { errnoError, errnoName, openLibc } from "../libc.ts";
import { PATH_BYTES, writePath } from "./path-buffer.ts";

const SYS_OPENAT2 = 437;
const RESOLVE_NO_MAGICLINKS = 0x02;
const RESOLVE_NO_SYMLINKS = 0x04;
const RESOLVE_BENEATH = 0x08;
const O_CLOEXEC = 0o2000000;
/** A directory renamed during the walk answers EAGAIN; a hostile renamer must not keep us here for ever. */
const MAX_RETRIES = 64;
const HOW_BYTES = 24;

export type Openat2 = (dirFd: number, rel: string, flags: number, refuseLinks: boolean) => number;

/** The call, or `undefined` where the kernel or its filter does not offer it. */
export function loadOpenat2(): Openat2 | undefined {
  if (process.platform !== "linux") return undefined;
  const libc = openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { syscall, __errno_location } = libc;
  const hows = new Map<number, How>();
  const scratch = Buffer.alloc(PATH_BYTES);
  const scratchAt = ptr(scratch);

  const openat2: Openat2 = (dirFd, rel, flags, refuseLinks) => {
    writePath(scratch, rel === "" ? "." : rel);
    const key = refuseLinks ? -flags - 1 : flags;
    const how = hows.get(key) ?? keep(hows, key, openHow(flags, refuseLinks));
    for (let tries = 0; ; tries++) {
      const fd = syscall(SYS_OPENAT2, dirFd, scratchAt, how.at, HOW_BYTES);
      if (fd >= 0) return fd;
      const name = errnoName(__errno_location());
      if ((name !== "EAGAIN" && name !== "EINTR") || tries >= MAX_RETRIES) throw errnoError(name);
    }
  };
  return works(openat2) ? openat2 : undefined;
}

/** struct open_how, made once for each use and never written again. */
interface How {
  /** Held, so that what `at` points to stays. */
  readonly memory: BigUint64Array;
  readonly at: Pointer;
}

function openHow(flags: number, refuseLinks: boolean): How {
  const resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (refuseLinks ? RESOLVE_NO_SYMLINKS : 0);
  const memory = BigUint64Array.of(BigInt(flags | O_CLOEXEC | constants.O_NOCTTY), 0n, BigInt(resolve));
  return { memory, at: ptr(memory) };
}

function keep(hows: Map<number, How>, key: number, how: How): How {
  hows.set(key, how);
  return how;
}

const SYMBOLS = {
  syscall: { args: ["i32", "i32", "ptr", "ptr", "u64"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;

/** Everything after the open depends on /proc too; and it is there also behind the kernel fence, unlike "/". */
function works(openat2: Openat2): boolean {
  try {
    const fd = openSync("/proc/self", constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      closeSync(openat2(fd, "fd", constants.O_RDONLY | constants.O_DIRECTORY, false));
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
