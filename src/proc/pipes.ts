/**
 * Pipes of our own for what a program writes. The runtime's own are sockets: `/dev/stdout` cannot be opened through them,
 * and they are slower. Both streams of a program go into one pipe, so that their order is kept.
 */
import { Failure, openLibc } from "../base/index.ts";
import { linkOf } from "./process-table.ts";

const O_CLOEXEC = 0o2000000;
const F_SETFL = 4;
const O_NONBLOCK = 0o4000;
const F_SETPIPE_SZ = 1031;
/** What an unprivileged process may have; a larger one means fewer turns. */
const PIPE_BYTES: number = 1024 * 1024;

export interface Pipe {
  /** `pipe:[123]`, as `/proc` shows it. */
  readonly name: string | undefined;
  readonly read: number;
  readonly write: number;
}

/** @throws Failure `unsupported` when there are no descriptors left */
export function openPipe(bytes: number = PIPE_BYTES): Pipe {
  libc ??= openCalls();
  const pair = Buffer.alloc(8);
  if (libc?.pipe2(pair, O_CLOEXEC) !== 0)
    throw new Failure("unsupported", "Cannot start the program: no pipe can be made");
  const [read, write] = [pair.readInt32LE(0), pair.readInt32LE(4)];
  const pipe = { read, write, name: linkOf(`/proc/self/fd/${read}`) };
  libc.fcntl(pipe.read, F_SETPIPE_SZ, bytes);
  return pipe;
}

/** Of this end of a pipe alone: nothing waits in a read, nor for a program that does not read. */
export function neverWait(fd: number): void {
  libc ??= openCalls();
  libc?.fcntl(fd, F_SETFL, O_NONBLOCK);
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
