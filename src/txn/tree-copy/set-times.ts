/**
 * The times of a copy, to the nanosecond: those that node:fs takes are numbers of seconds, which are too short for that,
 * and a tree whose files have other times counts as changed.
 * https://man7.org/linux/man-pages/man2/utimensat.2.html
 */
import { futimesSync, lutimesSync, type BigIntStats } from "node:fs";
import { cString, foreignBytes, openLibc } from "../../base/index.ts";

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;

interface Calls {
  readonly futimens: (fd: number, times: Buffer) => number;
  readonly utimensat: (at: number, path: Buffer, times: Buffer, flags: number) => number;
}

let calls: Calls | undefined | "unknown" = "unknown";

/** The numbers are those of Linux. */
function loadCalls(): Calls | undefined {
  if (process.platform !== "linux") return undefined;
  return openLibc({
    futimens: { args: ["i32", "ptr"], returns: "i32" },
    utimensat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  });
}

/** Of an open file or directory. */
export function setTimes(fd: number, stat: BigIntStats): void {
  if (calls === "unknown") calls = loadCalls();
  if (calls?.futimens(fd, timesOf(stat)) === 0) return;
  futimesSync(fd, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

/** Of a link itself. */
export function setLinkTimes(entry: string | Buffer, stat: BigIntStats): void {
  if (calls === "unknown") calls = loadCalls();
  if (calls?.utimensat(AT_FDCWD, cString(entry), timesOf(stat), AT_SYMLINK_NOFOLLOW) === 0) return;
  lutimesSync(entry, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

/** Two of struct timespec: seconds and nanoseconds, 64 bits each. */
function timesOf({ atimeNs, mtimeNs }: BigIntStats): Buffer {
  const numbers = [atimeNs, mtimeNs].flatMap((time) => {
    const rest = ((time % BILLION) + BILLION) % BILLION;
    return [(time - rest) / BILLION, rest];
  });
  return foreignBytes(Buffer.from(BigInt64Array.from(numbers).buffer));
}

const BILLION = 1_000_000_000n;

function seconds(time: bigint): number {
  return Number(time) / 1e9;
}
