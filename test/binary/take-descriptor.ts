/**
 * A socket of another process as a descriptor of this one, as code inside that process would have it (pidfd_getfd(2), Linux
 * 5.6). For tests of a host that was taken over.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { openLibc } from "../../src/sys/libc.ts";

const PIDFD_OPEN = 434;
const PIDFD_GETFD = 438;

/** The first socket behind the standard streams. */
export function takeSocket(pid: number): number {
  const found = readdirSync(`/proc/${pid}/fd`)
    .map(Number)
    .sort((a, b) => a - b)
    .find((fd) => fd > 2 && readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith("socket:"));
  const libc = openLibc({ syscall: { args: ["i64", "i64", "i64", "i64"], returns: "i64" } });
  if (!libc || found === undefined) throw new Error(`there is no socket to take in ${pid}`);
  const taken = Number(libc.syscall(PIDFD_GETFD, Number(libc.syscall(PIDFD_OPEN, pid, 0, 0)), found, 0));
  if (taken < 0) throw new Error(`the socket ${found} of ${pid} cannot be taken`);
  return taken;
}
