/**
 * What the kernel knows of an open descriptor at this moment, asked without waiting.
 * C: int poll(struct pollfd *fds, nfds_t nfds, int timeout) https://man7.org/linux/man-pages/man2/poll.2.html
 *
 * Usual mistake: to ask for nothing. Linux tells of errors and hang-ups all the same; macOS looks only at what was asked.
 */
import { foreignBytes, openLibc } from "../libc.ts";

/** The flags of poll(2), which are the same on Linux and macOS. */
export const POLL = { in: 0x01, out: 0x04, error: 0x08, hangUp: 0x10, invalid: 0x20 } as const;

/** Takes the flags that are asked for, and gives those that hold. `undefined` where the C library is not to be had. */
export function openPoll(): ((fd: number, asked: number) => number) | undefined {
  const libc = openLibc({ poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
  if (!libc) return undefined;
  return (fd, asked) => {
    // struct pollfd: the descriptor, what is asked, what is told.
    const one = Buffer.alloc(POLLFD_BYTES);
    one.writeInt32LE(fd, 0);
    one.writeInt16LE(asked, 4);
    const told = foreignBytes(one);
    return libc.poll(told, 1, 0) > 0 ? Buffer.from(told).readInt16LE(6) : 0;
  };
}

const POLLFD_BYTES = 8;
