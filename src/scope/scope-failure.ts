/**
 * One map from errno to answer, so that every tool says the same for the same thing, and nothing outside can be told
 * apart from anything else outside.
 */
import { Failure } from "../base/index.ts";
import { outsideScope, quotable } from "./parse-path.ts";
import type { Located, Scope } from "./scope.ts";
import { suggestPaths } from "./suggest.ts";

export function failureOf(thrown: unknown, scope: Scope, at: Located, verb: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const what = `Cannot ${verb} "${quotable(at.asked)}"`;
  switch (errnoOf(thrown)) {
    case "ENOENT":
    case "ENOTDIR":
      return notFound(scope, at, verb);
    case "EXDEV":
      return outsideScope(verb, at.asked);
    case "ELOOP":
      return new Failure("denied", `${what}: it leads through a link that cannot be followed`);
    case "EACCES":
    case "EPERM":
      return new Failure("denied", `${what}: the operating system does not permit it`, {
        hint: "Check the owner and mode with stat.",
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

export function errnoOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}
