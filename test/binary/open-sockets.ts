/**
 * The TCP sockets that a Linux process holds, by the inodes in its own descriptor table: other programs on the machine
 * do not disturb the answer.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Lines of /proc/net/tcp and tcp6 that belong to `pid` or one of its children. */
export function tcpSocketsOf(pid: number): string[] {
  const inodes = new Set([pid, ...childrenOf(pid)].flatMap(socketInodes));
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter((table) => existsSync(table))
    .flatMap((table) => readFileSync(table, "utf8").split("\n").slice(1))
    .filter((line) => inodes.has(line.trim().split(/\s+/)[9] ?? ""));
}

function childrenOf(pid: number): number[] {
  const direct = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

function socketInodes(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [inode];
    } catch {
      // Closed between the listing and the look.
      return [];
    }
  });
}
