/**
 * Pipes of our own for what a program writes. The runtime's own are sockets: `/dev/stdout` cannot be opened through them,
 * and they are slower. Both streams of a program go into one pipe, so that their order is kept.
 * C: int pipe2(int pipefd[2], int flags); int fcntl(int fd, int op, int arg)
 */
import { readlinkSync } from "node:fs";
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
    throw new Failure("unsupported", "Cannot start the program: no pipe can be made", {
      hint: "Too many files are open: end what runs, or raise the limit (`ulimit -n`).",
    });
  const copy = Buffer.from(pair);
  const [read, write] = [copy.readInt32LE(0), copy.readInt32LE(4)];
  return { read, write, name: linkOf(`/proc/self/fd/${read}`) };
}

/** Makes the pipe larger, so that its writer waits less often. */
export function widen(fd: number): void {
  libc ??= openCalls();
  libc?.fcntl(fd, F_SETPIPE_SZ, WIDE_PIPE_BYTES);
}

/** Makes this end of the pipe non-blocking: no read waits, and no write waits for a program that does not read. */
export function neverWait(fd: number): void {
  libc ??= openCalls();
  libc?.fcntl(fd, F_SETFL, O_NONBLOCK);
}

let libc: ReturnType<typeof openCalls>;

function openCalls() {
  return openLibc({
    pipe2: { args: ["ptr", "i32"], returns: "i32" },
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
