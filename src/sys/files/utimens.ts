/**
 * Times to the nanosecond; node:fs takes numbers of seconds, which are too short for that. Linux only.
 * C: int futimens(int fd, const struct timespec times[2]);
 * int utimensat(int dirfd, const char *pathname, const struct timespec times[2], int flags)
 * https://man7.org/linux/man-pages/man2/utimensat.2.html
 */
import { cString, foreignBytes, openLibc } from "../libc.ts";

/** Nanoseconds, as in BigIntStats of node:fs. */
export interface ExactTimes {
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
}

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;

/** Sets the times of an open file or directory. @returns whether it could */
export function setExactTimes(fd: number, times: ExactTimes): boolean {
  if (calls === "unknown") calls = load();
  return calls?.futimens(fd, timespecs(times)) === 0;
}

/** Sets the times of a name, and never of what a link leads to. @returns whether it could */
export function setExactLinkTimes(entry: string | Buffer, times: ExactTimes): boolean {
  if (calls === "unknown") calls = load();
  return calls?.utimensat(AT_FDCWD, cString(entry), timespecs(times), AT_SYMLINK_NOFOLLOW) === 0;
}

let calls: ReturnType<typeof load> | "unknown" = "unknown";

/** The numbers above are those of Linux. */
function load() {
  if (process.platform !== "linux") return undefined;
  return openLibc({
    futimens: { args: ["i32", "ptr"], returns: "i32" },
    utimensat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  });
}

/** Two of struct timespec: seconds and nanoseconds, 64 bits each. */
function timespecs({ atimeNs, mtimeNs }: ExactTimes): Buffer {
  const numbers = [atimeNs, mtimeNs].flatMap((time) => {
    const rest = ((time % BILLION) + BILLION) % BILLION;
    return [(time - rest) / BILLION, rest];
  });
  return foreignBytes(Buffer.from(BigInt64Array.from(numbers).buffer));
}

const BILLION = 1_000_000_000n;
