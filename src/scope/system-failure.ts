/**
 * The system's errors that no step has given a meaning to: another process changed something between two looks at it, or
 * the disk of the state folder cannot take what has to be kept there. The caller, or the person who runs the host, can do
 * something about that, so it is a failure and not a bug of this program.
 */
import { Failure } from "../base/index.ts";
import { errnoOf } from "./scope-failure.ts";

/** These say that the program itself is wrong: a descriptor that was closed too early, memory that is not there. */
const BUGS: ReadonlySet<string> = new Set(["EBADF", "EFAULT", "ENOSYS"]);

/** What was thrown as a failure; anything else as it is. */
export function systemFailure(thrown: unknown): unknown {
  const code = errnoOf(thrown);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code) || BUGS.has(code)) return thrown;
  return failureOfCode(code);
}

/** What is written in the roots has been given its meaning before, so no space is left where the host keeps its own. */
function failureOfCode(code: string): Failure {
  const what = "Cannot finish the call";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new Failure("disk_full", `${what}: no space is left for the state folder (${code})`, {
        hint: MAKE_ROOM,
      });
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new Failure("denied", `${what}: the operating system does not permit it (${code})`, {
        hint: "Check the owner and mode of what the call is about, and whether the state folder can be written.",
      });
    case "EMFILE":
    case "ENFILE":
      return new Failure("busy", `${what}: too many files are open (${code})`);
    case "EIO":
      return new Failure("conflict", `${what}: a disk failed (EIO)`, {
        hint: "Nothing says that a second try has more luck. The person who runs this host should look at the disk.",
        retry: "later",
      });
    default:
      return new Failure("conflict", `${what}: the operating system answered ${code}`, {
        hint: "Something was replaced while it was looked at. Look at it again and try once more.",
      });
  }
}

const MAKE_ROOM =
  "Proposals, outputs and what an undo needs are kept there. The person who runs this host can make room, or give another one with --state-dir DIR.";
