/**
 * The way in without a second start: every thread that the runtime has by now makes the calls that the main thread has made, and those that
 * are born later are born inside. A second start is half of what a start behind the fence takes.
 *
 * A second start also ends whatever this process holds from outside, so this way is for a process that holds nothing: each descriptor has to be a
 * standard stream, one that was given, or one that leads to no file, and each mapped file is one of those that are run.
 */
import { fstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { callOnOtherThreads, errnoOf, type SystemCalls } from "../sys/index.ts";
import { mappedFiles } from "./fence-rules.ts";
import { reachesOwnThreads } from "./landlock.ts";

const PR_SET_NO_NEW_PRIVS = 38;
const STREAMS: readonly number[] = [0, 1, 2];
/** What the runtime waits on. */
const KERNEL_OBJECTS: readonly string[] = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]"];
/** A child of this process, which a launcher is. The filter refuses all but waiting for it. */
const CHILD = "anon_inode:[pidfd]";

export interface Held {
  /** The descriptor of what the main thread is restricted to. */
  readonly ruleset: number;
  /** Other descriptors of the host's own. */
  readonly known: readonly number[];
  readonly hasLauncher: boolean;
}

/**
 * Asked behind Landlock by the thread that is inside already.
 * @returns whether every thread is inside. After `false` some may be, and the program has to start again
 */
export function bringThreadsIn(calls: SystemCalls, abi: number, { ruleset, known, hasLauncher }: Held): boolean {
  const holdsNothingElse = (): boolean => holdsOnly([ruleset, ...known], hasLauncher) && mapsOnlyCode();
  try {
    return (
      reachesOwnThreads(calls, abi) &&
      holdsNothingElse() &&
      callOnOtherThreads([
        ["prctl", PR_SET_NO_NEW_PRIVS, 1],
        ["landlock_restrict_self", ruleset, 0],
      ]) &&
      // A thread may have opened something while it was outside.
      holdsNothingElse()
    );
  } catch {
    return false;
  }
}

function holdsOnly(known: readonly number[], hasLauncher: boolean): boolean {
  const children = hasLauncher ? [CHILD] : [];
  const others = readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => !STREAMS.includes(fd) && !known.includes(fd));
  return others.every((fd) => {
    const target = targetOf(fd);
    if (target === undefined || KERNEL_OBJECTS.includes(target)) return true;
    return target === CHILD
      ? children.pop() !== undefined
      : STREAMS.some((stream) => isOpen(stream) && isSame(fd, stream));
  });
}

/** As the runtime copies a standard stream: the same object, opened with the same flags. Of the kernel's nameless objects all look alike. */
function isSame(fd: number, stream: number): boolean {
  const [one, other] = [fd, stream].map((each) => fstatSync(each, { bigint: true }));
  if (one?.dev !== other?.dev || one?.ino !== other?.ino || targetOf(fd)?.startsWith("anon_inode:")) return false;
  return flagsOf(fd) === flagsOf(stream);
}

function isOpen(stream: number): boolean {
  return targetOf(stream) !== undefined;
}

/** `undefined` for one that is closed by now: the reading of that directory had one of its own. */
function targetOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

/** How it was opened, which the kernel writes in octal; whether it ends with an execve is each descriptor's own. */
function flagsOf(fd: number): number {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "";
  return Number.parseInt(flags, 8) & ~O_CLOEXEC;
}

const O_CLOEXEC = 0o2000000;

/** A file that is mapped stays readable, or writable, without a descriptor. What the system brings, such as locales, may be read. */
function mapsOnlyCode(): boolean {
  const maps = readFileSync("/proc/self/maps", "latin1");
  const code = mappedFiles(maps);
  const files = [...maps.matchAll(/^\S+ ..(.)(.) \S+ \S+ [1-9]\d* +(.*)$/gm)];
  return files.every(
    ([, , sharing, path = ""]) => sharing === "p" && (code.includes(path) || path.startsWith("/usr/")),
  );
}
