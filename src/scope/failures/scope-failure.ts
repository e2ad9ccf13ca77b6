/**
 * One map from errno to answer, so that every tool says the same for the same thing, and nothing outside can be told
 * apart from anything else outside.
 *
 * Errors that no step has given a meaning to are failures too: another process changed something between two looks at it,
 * or the disk of the state folder cannot take what has to be kept there. The caller, or the person who runs the host, can do
 * something about that, so they are no bugs of this program.
 */
import { errnoOf } from "../../sys/index.ts";
import type { BigIntStats } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { Located } from "../located.ts";
import { outsideScope, quotable } from "../paths/parse-path.ts";
import { suggestPaths, type ScopeOfFailure } from "./suggest.ts";

export function failureOf(thrown: unknown, scope: ScopeOfFailure, at: Located, verb: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const what = `Cannot ${verb} "${quotable(at.asked)}"`;
  switch (errnoOf(thrown)) {
    case "ENOENT":
    case "ENOTDIR":
      return scope.isGone(at.root) ? rootGone(at, verb) : notFound(scope, at, verb);
    case "ESTALE":
      return new Failure("denied", `${what}: its root was replaced since the host started`);
    case "EXDEV":
      return isRename(thrown) ? notInOneStep(what) : outsideScope(verb, at.asked);
    case "ELOOP":
      return new Failure("denied", `${what}: it leads through a link that cannot be followed`, {
        details: { link: true },
      });
    case "EACCES":
      return new Failure("denied", `${what}: the operating system does not permit it`, {
        hint: "Check the owner and mode with stat, also of its directory.",
      });
    case "EPERM":
      return notPermitted(what);
    case "EBUSY":
      return new Failure("denied", `${what}: something is mounted there, or the system itself uses it`, {
        hint: "A mounted file can be changed in place only (edit_file with in_place: true).",
      });
    case "ENXIO":
      return new Failure("denied", `${what}: it is a socket or a device, and only regular files are read`);
    case "ENAMETOOLONG":
      return new Failure("invalid_input", `${what}: the name is too long for this file system`);
    case "EMFILE":
    case "ENFILE":
      return new Failure("busy", `${what}: too many files are open`);
    case "ENOSPC":
    case "EDQUOT":
      return new Failure("disk_full", `${what}: no space is left`);
    case "EROFS":
      return new Failure("denied", `${what}: the file system is read-only`);
    case "EISDIR":
      return new Failure("invalid_input", `${what}: it is a directory`);
    case undefined:
      throw thrown;
    default:
      return new Failure("conflict", `${what}: the operating system answered ${errnoOf(thrown)}`);
  }
}

/** An open that leaves the roots is told by the same number, and by no system call of node:fs. */
function isRename(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as NodeJS.ErrnoException).syscall !== undefined;
}

function notInOneStep(what: string): Failure {
  return new Failure("unsupported", `${what}: its file system cannot rename it there`, {
    hint: "It is another mount, or a directory of a lower layer in a container. Copy it, and then delete what is in the old one.",
  });
}

/** Not the mode: of that the system says EACCES. */
function notPermitted(what: string): Failure {
  return new Failure("denied", `${what}: the operating system does not permit it, whatever its mode`, {
    hint: "It or its directory may be immutable or append-only (lsattr shows that), or only its owner may do this. The person who runs this host can change it.",
  });
}

/** A missing path, with the nearest existing ones inside the roots. */
export function notFound(
  scope: ScopeOfFailure,
  at: Located,
  verb: string,
  state = "no such file or directory",
): Failure {
  const candidates = suggestPaths(scope, at);
  const hint = candidates.length
    ? `Did you mean ${candidates.map((path) => `"${path}"`).join(", ")}?`
    : "List the parent directory to see what is there.";
  return new Failure("not_found", `Cannot ${verb} "${quotable(at.asked)}": ${state}`, { hint, candidates });
}

/** What stands where a root begins is never made, moved, replaced or removed. */
export function isRoot(at: Located, verb: string): Failure {
  return new Failure("denied", `Cannot ${verb} "${quotable(at.asked)}": it is the root itself`);
}

/** The directory that was opened at the start is no longer there, so nothing is below it. */
export function rootGone(at: Located, verb: string): Failure {
  return new Failure("not_found", `Cannot ${verb} "${quotable(at.asked)}": its root was removed`, {
    hint: "The person who runs this host must start it again.",
    retry: "never",
  });
}

/** @param isSecret the name gives away that the file holds secrets, which is said because its owner may except it */
export function denied(at: Located, verb: string, isSecret: boolean): Failure {
  const what = `Cannot ${verb} "${quotable(at.asked)}"`;
  if (!isSecret) return new Failure("denied", `${what}: a deny rule of this host covers it`);
  return new Failure("denied", `${what}: files of this name hold secrets`, {
    hint: "No tool reaches it. The person who runs this host can except its exact path (secrets.except).",
  });
}

/** For everything that can be opened and is no regular file. */
export function notRegular(at: Located, verb: string, stat: BigIntStats): Failure {
  const what = `Cannot ${verb} "${quotable(at.asked)}"`;
  if (stat.isDirectory())
    return new Failure("invalid_input", `${what}: it is a directory`, {
      hint: "Use list_directory, glob or grep on it.",
    });
  return new Failure("denied", `${what}: it is ${kindName(stat)}, and only regular files are read`);
}

function kindName(stat: BigIntStats): string {
  if (stat.isFile()) return "a file that the kernel makes up";
  if (stat.isFIFO()) return "a FIFO";
  if (stat.isSocket()) return "a socket";
  return "a device";
}

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
