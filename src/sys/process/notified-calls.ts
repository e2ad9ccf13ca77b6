/**
 * System calls of other processes that wait for an answer of this one: seccomp's user notification. The caller sleeps in the
 * kernel until it is answered, or dies.
 * C: int ioctl(int fd, unsigned long op, void *arg); ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long liovcnt, const struct iovec *remote, unsigned
 * long riovcnt, unsigned long flags); long syscall(long number, ...) for pidfd_open and pidfd_getfd
 * https://man7.org/linux/man-pages/man2/seccomp_unotify.2.html
 *
 * Invariant: what belongs to a call (memory, descriptors) is only believed when the call still waits after it was fetched;
 * before that its process may have died, and its number be another one's.
 */
import { closeSync, readFileSync } from "node:fs";
import { ptr } from "bun:ffi";
import { errnoName, foreignBytes, openLibc } from "../libc.ts";
import { callNumber } from "./system-calls.ts";

/** A system call that waits for its answer. */
export interface NotifiedCall {
  readonly id: bigint;
  /** The thread that calls. */
  readonly thread: number;
  readonly number: number;
  readonly args: readonly bigint[];
}

export interface CallListener {
  /** The next call that waits. `undefined` when its caller has died meanwhile. */
  receive(): NotifiedCall | undefined;
  /** Whether the caller still waits. One that has died, or was called away by a signal, takes no answer. */
  isWaiting(call: NotifiedCall): boolean;
  /** Memory of the caller, and a copy of one of its descriptors, which the caller of this closes; or the name of the error. */
  take(
    call: NotifiedCall,
    at: { readonly address: bigint; readonly length: number; readonly fd: number },
  ): Fetched | string;
  /** Lets the call return 0, or fail with the number of an error. */
  answer(call: NotifiedCall, errno: number): void;
}

export interface Fetched {
  readonly memory: Buffer;
  readonly fd: number;
}

/** struct seccomp_notif and struct seccomp_notif_resp, and the requests that move them. */
const [NOTIF_BYTES, ANSWER_BYTES] = [80, 24];
const [RECEIVE, ANSWER, IS_VALID] = [0xc0502100, 0xc0182101, 0x40082102];
/** Linux 6.9: the handle is of the thread, and need not be the first of its process. */
const PIDFD_THREAD = 0o200;
const MAX_FETCHED_BYTES = 128;

/** @param listener what seccomp(2) returned. `undefined` where the C library is not to be had */
export function openCallListener(listener: number): CallListener | undefined {
  const { arch } = process;
  if (process.platform !== "linux" || (arch !== "x64" && arch !== "arm64")) return undefined;
  const libc = openCalls();
  if (!libc) return undefined;
  const openHandle = handlesOf(libc, callNumber(arch, "pidfd_open"));
  const pidfdGetfd = callNumber(arch, "pidfd_getfd");
  const errno = (): string => errnoName(libc.__errno_location());
  const nothing = Buffer.alloc(NOTIF_BYTES);
  const notif = foreignBytes(nothing);
  const said = foreignBytes(Buffer.alloc(ANSWER_BYTES));
  const memory = foreignBytes(Buffer.alloc(MAX_FETCHED_BYTES));
  const [local, remote] = [foreignBytes(Buffer.alloc(16)), foreignBytes(Buffer.alloc(16))];

  const isWaiting = ({ id }: NotifiedCall): boolean => {
    said.set(new Uint8Array(BigUint64Array.of(id).buffer));
    return libc.ioctl(listener, IS_VALID, said) === 0;
  };

  return {
    isWaiting,
    receive() {
      notif.set(nothing);
      if (libc.ioctl(listener, RECEIVE, notif) !== 0) return undefined;
      const copy = Buffer.from(notif.subarray(0, NOTIF_BYTES));
      return {
        id: copy.readBigUInt64LE(0),
        thread: copy.readUInt32LE(8),
        number: copy.readInt32LE(16),
        args: [32, 40, 48].map((at) => copy.readBigUInt64LE(at)),
      };
    },
    take(call, { address, length, fd }) {
      const handle = openHandle(call.thread);
      if (typeof handle === "string") return handle;
      try {
        local.set(new Uint8Array(BigUint64Array.of(BigInt(ptr(memory)), BigInt(length)).buffer));
        remote.set(new Uint8Array(BigUint64Array.of(address, BigInt(length)).buffer));
        const read = Number(libc.process_vm_readv(call.thread, local, 1, remote, 1, 0));
        if (read !== length) return read < 0 ? errno() : "EFAULT";
        const copy = Buffer.from(memory.subarray(0, length));
        if (!isWaiting(call)) return "ESRCH";
        const taken = libc.syscall(pidfdGetfd, handle, fd, 0);
        return taken >= 0 ? { memory: copy, fd: taken } : errno();
      } finally {
        closeSync(handle);
      }
    },
    answer({ id }, error) {
      const bytes = Buffer.alloc(ANSWER_BYTES);
      bytes.writeBigUInt64LE(id, 0);
      bytes.writeInt32LE(-error, 16);
      said.set(bytes);
      // A caller that has died needs no answer.
      libc.ioctl(listener, ANSWER, said);
    },
  };
}

type Libc = NonNullable<ReturnType<typeof openCalls>>;

function openCalls() {
  return openLibc({
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    process_vm_readv: { args: ["i32", "ptr", "u64", "ptr", "u64", "u64"], returns: "i64" },
    syscall: { args: ["i64", "i64", "i64", "i64"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  });
}

/** Makes a handle of a thread, or where the kernel knows no such handles, of its process; or gives the name of the error. */
function handlesOf(libc: Libc, pidfdOpen: number): (thread: number) => number | string {
  let knowsThreads = true;
  return (thread) => {
    if (knowsThreads) {
      const handle = libc.syscall(pidfdOpen, thread, PIDFD_THREAD, 0);
      if (handle >= 0) return handle;
      const error = errnoName(libc.__errno_location());
      if (error !== "EINVAL") return error;
      knowsThreads = false;
    }
    const first = libc.syscall(pidfdOpen, thread, 0, 0);
    if (first >= 0) return first;
    const handle = libc.syscall(pidfdOpen, processOf(thread), 0, 0);
    return handle >= 0 ? handle : errnoName(libc.__errno_location());
  };
}

/** The process that a thread belongs to, asked only where the kernel makes no handles of threads. */
function processOf(thread: number): number {
  try {
    return Number(/^Tgid:\s+(\d+)$/m.exec(readFileSync(`/proc/${thread}/status`, "latin1"))?.[1] ?? -1);
  } catch {
    return -1;
  }
}
