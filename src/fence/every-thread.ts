/**
 * The way in without a second start: every thread that the runtime has by now makes the call that the main thread has made, and those that
 * are born later are born inside. It is half of what a start behind the fence takes.
 *
 * A second start also ends whatever this process holds from outside, so this is for a process that holds nothing: each descriptor has to
 * be a standard stream, one that was given, or one of the kernel's that leads to no file.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { callOnOtherThreads, errnoOf } from "../sys/index.ts";

const PR_SET_NO_NEW_PRIVS = 38;
const LAST_STREAM = 2;
/** What the runtime waits on, and the child that a launcher is: its handle can be waited on, and the filter refuses all else. */
const KERNEL_OBJECTS: readonly string[] = ["[eventpoll]", "[eventfd]", "[pidfd]"].map((kind) => `anon_inode:${kind}`);

/**
 * Asked behind Landlock by the thread that is inside already.
 * @param ruleset its descriptor
 * @param known other descriptors of the host's own
 * @returns whether every thread is inside. After `false` some may be, and the program has to start again
 */
export function bringThreadsIn(ruleset: number, known: readonly number[]): boolean {
  return (
    holdsNothingElse([ruleset, ...known]) &&
    callOnOtherThreads([
      ["prctl", PR_SET_NO_NEW_PRIVS, 1],
      ["landlock_restrict_self", ruleset, 0],
    ])
  );
}

function holdsNothingElse(known: readonly number[]): boolean {
  return readdirSync("/proc/self/fd").every((name) => {
    const fd = Number(name);
    if (fd <= LAST_STREAM || known.includes(fd)) return true;
    const target = targetOf(fd);
    return target === undefined || KERNEL_OBJECTS.includes(target);
  });
}

/** `undefined` for one that is closed by now: the reading of that directory had one of its own. */
function targetOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (thrown) {
    return errnoOf(thrown) === "ENOENT" ? undefined : "";
  }
}
