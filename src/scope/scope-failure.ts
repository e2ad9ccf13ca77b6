/**
 * One map from errno to answer, so that every tool says the same for the same thing, and nothing outside can be told
 * apart from anything else outside.
 */
import type { BigIntStats } from "node:fs";
import { Failure } from "../base/index.ts";
import { outsideScope, quotable } from "./parse-path.ts";
import type { Located } from "./located.ts";
import type { Scope } from "./scope.ts";
import { suggestPaths } from "./suggest.ts";

export function failureOf(thrown: unknown, scope: Scope, at: Located, verb: string): Failure {
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
  scope: Scope,
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

export function denied(at: Located, verb: string): Failure {
  return new Failure("denied", `Cannot ${verb} "${quotable(at.asked)}": a deny rule of this host covers it`);
}

/** Files that hold secrets have names that give them away; who runs the host may except one. */
export function secret(at: Located, verb: string): Failure {
  return new Failure("denied", `Cannot ${verb} "${quotable(at.asked)}": files of this name hold secrets`, {
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

export function errnoOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}
