/**
 * Small files of the state folder that several processes use at once: each is written whole under another name and then
 * renamed, so that nobody reads half of it; and advisory locks by flock(2), which the kernel lets go when their owner dies,
 * however it dies. Locks belong to the open file, so two opens of one process exclude each other too.
 * https://man7.org/linux/man-pages/man2/flock.2.html
 *
 * Where flock cannot be called (Windows) every lock is had at once: hosts on one root are not kept apart there.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Failure, nowMs } from "../base/index.ts";
import { lockExclusively } from "../sys/index.ts";

/** @param temporary a name of its own, where several processes may write the file at once */
export function writeWhole(path: string, text: string, temporary: string = `${path}.new`): void {
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** A file that a person asked for by its name, and that was not there. @throws the system's error, EEXIST if it was */
export function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { flag: "wx" });
}

/** @returns none for a folder that was not made so far */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** @returns `undefined` for a file that is not there or cannot be read */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** Two changes within this time may leave the same time stamp: a tick of the kernel, or the seconds of old file systems. */
const TICK_MS = 50;
const SECONDS_MS = 2500;

/** Whether every later change of a file or folder leaves another time. What was read before may be kept by its time only then. */
export function isSettled(mtimeMs: number): boolean {
  return nowMs() - mtimeMs > (mtimeMs % 1000 === 0 ? SECONDS_MS : TICK_MS);
}

/** The codes of systems for a lock that somebody else holds, and for a signal that came in between. */
const HELD: ReadonlySet<string> = new Set(["EAGAIN", "EWOULDBLOCK", "EINTR"]);
/** The codes of a file system without such locks, also of a share whose lock service does not run. */
const NO_LOCKS: ReadonlySet<string> = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ENOLCK", "EINVAL"]);

/**
 * Whether the lock was had; it is held until the descriptor is closed. Never waits.
 * @param what the object, for the failure. @throws Failure `unsupported` where the file system has no locks; else the
 * system's error
 */
export function tryLock(fd: number, what = "the state folder"): boolean {
  const code = fd < 0 ? undefined : lockExclusively(fd);
  if (code === undefined) return true;
  if (HELD.has(code)) return false;
  if (!NO_LOCKS.has(code)) throw Object.assign(new Error(`${code}: cannot lock ${what}`), { code, syscall: "flock" });
  throw new Failure("unsupported", `Cannot lock "${what}": its file system has no locks (flock: ${code})`, {
    hint: "Without locks two hosts would change the same files at once. A network share has to be mounted with its lock service, or with locks of this machine only (NFS: local_lock=flock); or the files have to lie on another disk.",
  });
}

/**
 * A file that is there only as a lock, made when it is missing; `undefined` while somebody else holds it. It goes when
 * the lock does. Whoever finds the file after its owner has died finds it free.
 */
export function tryLockFile(path: string): Disposable | undefined {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let isOwner = false;
  try {
    // The one that was held until now may be gone, and another have come in its place.
    isOwner = tryLock(fd) && statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
  } finally {
    if (!isOwner) closeSync(fd);
  }
  if (!isOwner) return undefined;
  return {
    [Symbol.dispose]() {
      try {
        rmSync(path, { force: true });
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** As `tryLockFile`, for a file of one's own: others hold it for a moment to ask whether it is free. */
export function lockOwnFile(path: string): Disposable | undefined {
  for (let tries = 1; ; tries++) {
    const lock = tryLockFile(path);
    if (lock || tries === OWN_TRIES) return lock;
    Bun.sleepSync(OWN_RETRY_MS);
  }
}

/** Each asks for microseconds; a machine that is busy may stop it meanwhile. */
const OWN_TRIES = 100;
const OWN_RETRY_MS = 1;

/** Tells whether a lock file is held, by taking its lock for a moment. */
export function lockState(path: string): "held" | "free" | "gone" {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR);
  } catch {
    return "gone";
  }
  try {
    return tryLock(fd) ? "free" : "held";
  } finally {
    closeSync(fd);
  }
}

export function withOpen<T>(path: string | Buffer, flags: number, work: (fd: number) => T, mode?: number): T {
  const fd = openSync(path, flags, mode);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}
