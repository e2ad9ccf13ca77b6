/**
 * Connecting a socket that another process made, without ever waiting for it.
 * C: int connect(int fd, const struct sockaddr *addr, socklen_t len); int getsockopt(int fd, int level, int name, void *value,
 * socklen_t *len); int getsockname(int fd, struct sockaddr *addr, socklen_t *len); int fcntl(int fd, int op, int arg)
 * https://man7.org/linux/man-pages/man2/connect.2.html
 */
import { errnoName, foreignBytes, openLibc } from "../libc.ts";

export interface SocketKind {
  readonly family: number;
  readonly type: number;
  readonly protocol: number;
}

export interface Sockets {
  /** `undefined` for what is no socket. */
  kindOf(fd: number): SocketKind | undefined;
  /** The name of the error, `EINPROGRESS` for one, or `undefined` when it is connected. A second time: what came of it. */
  connect(fd: number, address: Uint8Array): string | undefined;
  /** The port on this side; 0 when it has none. */
  portOf(fd: number): number;
  /** Whether calls on it do not wait. The setting is shared with everybody who has the socket. */
  neverWaits(fd: number): boolean;
  setNeverWaits(fd: number, neverWaits: boolean): void;
}

const [F_GETFL, F_SETFL, O_NONBLOCK] = [3, 4, 0o4000];
const [SOL_SOCKET, SO_TYPE, SO_PROTOCOL, SO_DOMAIN] = [1, 3, 38, 39];
const MAX_ADDRESS_BYTES = 128;

/** For Linux. `undefined` where the C library is not to be had. */
export function openSockets(): Sockets | undefined {
  const libc = openLibc({
    connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  });
  if (!libc) return undefined;
  const option = (fd: number, name: number): number | undefined => {
    const [value, length] = [foreignBytes(Buffer.alloc(4)), foreignBytes(Buffer.from([4, 0, 0, 0]))];
    if (libc.getsockopt(fd, SOL_SOCKET, name, value, length) !== 0) return undefined;
    return Buffer.from(value.subarray(0, 4)).readInt32LE(0);
  };
  return {
    kindOf(fd) {
      const [family, type, protocol] = [SO_DOMAIN, SO_TYPE, SO_PROTOCOL].map((name) => option(fd, name));
      if (family === undefined || type === undefined || protocol === undefined) return undefined;
      return { family, type, protocol };
    },
    connect(fd, address) {
      const result = libc.connect(fd, foreignBytes(address), address.length);
      return result === 0 ? undefined : errnoName(libc.__errno_location());
    },
    portOf(fd) {
      const address = foreignBytes(Buffer.alloc(MAX_ADDRESS_BYTES));
      const length = foreignBytes(Buffer.from([MAX_ADDRESS_BYTES, 0, 0, 0]));
      if (libc.getsockname(fd, address, length) !== 0) return 0;
      // sockaddr_in and sockaddr_in6 have it at the same place.
      return Buffer.from(address.subarray(0, 4)).readUInt16BE(2);
    },
    neverWaits: (fd) => (libc.fcntl(fd, F_GETFL, 0) & O_NONBLOCK) !== 0,
    setNeverWaits(fd, neverWaits) {
      const flags = libc.fcntl(fd, F_GETFL, 0);
      libc.fcntl(fd, F_SETFL, neverWaits ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
    },
  };
}
