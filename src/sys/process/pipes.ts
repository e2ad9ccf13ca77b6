/**
 * Pipes of our own for what a program writes. The runtime's own are sockets: `/dev/stdout` cannot be opened through them,
 * and they are slower. Both streams of a program go into one pipe, so that their order is kept.
 * C: int pipe2(int pipefd[2], int flags); int fcntl(int fd, int op, int arg)
 */
import { closeSync, openSync, readlinkSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { foreignBytes, openLibc } from "../libc.ts";

const O_CLOEXEC = 0o2000000;
const F_SETFL = 4;
const O_NONBLOCK = 0o4000;
const F_SETPIPE_SZ = 1031;
/** What an unprivileged process may have. */
const WIDE_PIPE_BYTES: number = 1024 * 1024;

export interface Pipe {
  /** `pipe:[123]`, as `/proc` shows it. */
  readonly name: string | undefined;
  readonly read: number;
  readonly write: number;
}

/**
 * As large as the kernel makes it, 64 KiB.
 *
 * @throws Failure `unsupported` when there are no descriptors left
 */
export function openPipe(): Pipe {
  libc ??= openCalls();
  const pair = foreignBytes(Buffer.alloc(8));
  if (libc?.pipe2(pair, O_CLOEXEC) !== 0)
    throw new Failure("unsupported", "Cannot start the program: no pipe can be made");
  const copy = Buffer.from(pair);
  const [read, write] = [copy.readInt32LE(0), copy.readInt32LE(4)];
  return { read, write, name: linkOf(`/proc/self/fd/${read}`) };
}

/** Its writer must wait less often. Not from the start: a reader finds a small one empty sooner. */
export function widen(fd: number): void {
  libc ??= openCalls();
  libc?.fcntl(fd, F_SETPIPE_SZ, WIDE_PIPE_BYTES);
}

/** Of this end of a pipe alone: nothing waits in a read, nor for a program that does not read. */
export function neverWait(fd: number): void {
  libc ??= openCalls();
  libc?.fcntl(fd, F_SETFL, O_NONBLOCK);
}

/**
 * Throws away what waits in a pipe, but for its end, without looking at it. Its reader must be the only one: what is counted
 * is then still there when it is thrown away.
 */
export class PipeSkipper implements Disposable {
  readonly #pipe: number;
  readonly #size = Buffer.allocUnsafeSlow(4096);
  #nothing: number | undefined;

  constructor(pipe: number) {
    this.#pipe = pipe;
  }

  /**
   * @param end bytes that are left in it
   * @returns how many are gone; 0 when there are hardly more than `end`
   */
  skipBut(end: number): number {
    skipCalls ??= openSkipCalls();
    if (!skipCalls || skipCalls.ioctl(this.#pipe, FIONREAD, this.#size) !== 0) return 0;
    const waiting = Buffer.from(this.#size).readInt32LE(0);
    if (waiting < end + MIN_SKIPPED_BYTES) return 0;
    const { splice } = skipCalls;
    try {
      this.#nothing ??= openSync("/dev/null", "w");
    } catch {
      // No descriptor is left: it is read, then.
      return 0;
    }
    const gone = splice(this.#pipe, NO_OFFSET, this.#nothing, NO_OFFSET, waiting - end, SPLICE_F_NONBLOCK);
    return Math.max(0, Number(gone));
  }

  [Symbol.dispose](): void {
    if (this.#nothing !== undefined) closeSync(this.#nothing);
  }
}

const FIONREAD = 0x541b;
/** Less is read as fast. */
const MIN_SKIPPED_BYTES: number = 64 * 1024;
/** The program can read its own output too, and so leave less than was counted: nothing here may wait for more. */
const SPLICE_F_NONBLOCK = 2;
/** A null pointer. */
const NO_OFFSET = 0;

let skipCalls: ReturnType<typeof openSkipCalls>;

/** All of one type: a call with five or more arguments of mixed types ends Bun 1.4.5. */
function openSkipCalls() {
  return openLibc({
    ioctl: { args: ["i32", "u32", "ptr"], returns: "i32" },
    splice: { args: ["i64", "i64", "i64", "i64", "i64", "i64"], returns: "i64" },
  });
}

/** Blocks this thread: for less than a timer can. */
export function nap(microseconds: number): void {
  libc ??= openCalls();
  libc?.usleep(microseconds);
}

let libc: ReturnType<typeof openCalls>;

function openCalls() {
  return openLibc({
    pipe2: { args: ["ptr", "i32"], returns: "i32" },
    usleep: { args: ["u32"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  });
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
