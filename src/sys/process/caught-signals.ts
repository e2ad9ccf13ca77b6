/**
 * SIGTERM, SIGINT and SIGHUP for a thread that runs no event loop. A handler of JavaScript runs on the main thread, which
 * is the one that may be stuck; so while it is at work the handler is the C library's own `alarm`. It is given the number of
 * the signal as seconds: another thread can ask for what is left of them, and if even that thread does not run any more,
 * the kernel ends the process when they are over.
 * C: unsigned alarm(unsigned seconds); int sigaction(int signum, const struct sigaction *act, struct sigaction *oldact);
 * int ioctl(int fd, unsigned long request, int *count); void *dlsym(void *handle, const char *symbol); void _exit(int status)
 */
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { foreignBytes, openLibc } from "../libc.ts";
import { openPoll, POLL } from "./poll.ts";

export interface CaughtSignals {
  /** From here on they are not given to the main thread. */
  hold(): void;
  /** The main thread has them again. */
  release(): void;
  /** The number of one that came meanwhile, or 0. It is told once. */
  taken(): number;
  /** The state of standard input. Nothing more will be written after its end, but something may wait there to be read. */
  inputState(): "open" | "unread" | "ended";
  /** Ends the process, with all its threads, now. */
  end(code: number): void;
}

/** `undefined` where the C library is not to be had. */
export function openSignals(): CaughtSignals | undefined {
  const libc = openLibc({
    alarm: { args: ["u32"], returns: "u32" },
    sigaction: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    dlsym: { args: ["ptr", "ptr"], returns: "u64" },
    _exit: { args: ["i32"], returns: "void" },
  });
  const handler = libc?.dlsym(null, foreignBytes(Buffer.from("alarm\0"))) ?? 0;
  const poll = openPoll();
  if (!libc || !poll || BigInt(handler) === 0n) return undefined;
  const action = Buffer.alloc(ACTION_BYTES);
  // What begins with the handler on every system; no flags, nothing blocked.
  action.writeBigUInt64LE(BigInt(handler), 0);
  const before = new Map<number, Buffer>();
  // A socket can be read at its end, where there is nothing; only Linux is asked, where the call takes no variable arguments.
  const unreadBytes = (): number => {
    const count = Buffer.alloc(ACTION_BYTES);
    if (process.platform !== "linux" || libc.ioctl(0, FIONREAD, foreignBytes(count)) !== 0) return 1;
    return Buffer.from(count).readInt32LE(0);
  };
  return {
    hold() {
      for (const signal of SIGNALS) {
        const known = Buffer.alloc(ACTION_BYTES);
        if (libc.sigaction(signal, foreignBytes(action), known) === 0) before.set(signal, known);
      }
    },
    release() {
      for (const [signal, known] of before) libc.sigaction(signal, foreignBytes(known), null);
      before.clear();
    },
    taken() {
      const seconds = libc.alarm(0);
      // What is left is rounded, and less than what was given.
      return seconds === 0 ? 0 : (SIGNALS.find((signal) => seconds <= signal) ?? constants.signals.SIGTERM);
    },
    inputState() {
      if (isFile()) return "unread";
      const told = poll(0, POLL.in | POLLRDHUP);
      if ((told & (POLL.hangUp | POLL.error | POLL.invalid | POLLRDHUP)) === 0) return "open";
      return (told & POLL.in) === 0 || unreadBytes() === 0 ? "ended" : "unread";
    },
    end: (code) => libc._exit(code),
  };
}

/** All of a file is there; how much of it has been read is the main thread's to know. */
function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    // Standard input is closed, which `poll` tells too.
    return false;
  }
}

/** From the lowest number on. */
const SIGNALS: readonly number[] = [constants.signals.SIGHUP, constants.signals.SIGINT, constants.signals.SIGTERM];
const FIONREAD = 0x541b;
/** The other side of a socket writes no more. Linux only. */
const POLLRDHUP: number = process.platform === "linux" ? 0x2000 : 0;
/** More than the structure has anywhere, and enough not to be moved while the C library has its address. */
const ACTION_BYTES = 4096;
