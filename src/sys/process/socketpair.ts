/**
 * Two connected sockets. Neither end is inherited by a program, unless it is handed over as a standard stream.
 * C: int socketpair(int domain, int type, int protocol, int sv[2])
 * https://man7.org/linux/man-pages/man2/socketpair.2.html
 */
import { foreignBytes, openLibc } from "../libc.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;

/** `undefined` when there are none to be had. Whoever gets them closes both. */
export function connectedSockets(): readonly [number, number] | undefined {
  const libc = openLibc({ socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" } });
  const pair = foreignBytes(Buffer.alloc(8));
  if (libc?.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) !== 0) return undefined;
  const copy = Buffer.from(pair);
  return [copy.readInt32LE(0), copy.readInt32LE(4)];
}
