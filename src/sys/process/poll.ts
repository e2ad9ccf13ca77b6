/**
 * What the kernel knows of open descriptors: of one at this moment, asked without waiting, or of several, waited for.
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

/** Tells on which of these descriptors something happened. @param timeoutMs -1 waits for ever */
export type PollMany = (
  asked: readonly (readonly [fd: number, flags: number])[],
  timeoutMs: number,
) => ReadonlyMap<number, number>;

/** As `openPoll`, for several descriptors. Whoever waits in it does nothing else: it is for threads of their own. */
export function openPollMany(): PollMany | undefined {
  const libc = openLibc({ poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
  if (!libc) return undefined;
  return (asked, timeoutMs) => {
    const list = Buffer.alloc(asked.length * POLLFD_BYTES);
    asked.forEach(([fd, flags], at) => {
      list.writeInt32LE(fd, at * POLLFD_BYTES);
      list.writeInt16LE(flags, at * POLLFD_BYTES + 4);
    });
    const polled = foreignBytes(list);
    if (libc.poll(polled, asked.length, timeoutMs) <= 0) return new Map();
    const told = Buffer.from(polled.subarray(0, list.length));
    const flags = asked.map(([fd], at) => [fd, told.readInt16LE(at * POLLFD_BYTES + 6)] as const);
    return new Map(flags.filter(([, happened]) => happened !== 0));
  };
}

const POLLFD_BYTES = 8;
