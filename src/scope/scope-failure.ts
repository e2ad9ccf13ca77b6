/**
 * One map from errno to answer, so that every tool says the same for the same thing, and nothing outside can be told
 * apart from anything else outside.
 *
 * Errors that no step has given a meaning to are failures too: another process changed something between two looks at it,
 * or the disk of the state folder cannot take what has to be kept there. The caller, or the person who runs the host, can do
 * something about that, so they are no bugs of this program.
 */
import { type BigIntStats, readdirSync } from "node:fs";
import { Failure } from "../base/index.ts";
import { errnoOf, fsName, nameFromBytes } from "../sys/index.ts";
import { nearestNames } from "../text/index.ts";
import type { OpenRoot, Located, OpenDirectory } from "./backend.ts";
import { outsideScope, quotable } from "./parse-path.ts";

export function failureOf(thrown: unknown, scope: ScopeOfFailure, at: Located, verb: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const what = `Cannot ${verb} "${quotable(at.asked)}"`;
  const code = errnoOf(thrown);
  if (code === undefined) throw thrown;
  if (code === "ENOENT" || code === "ENOTDIR")
    return scope.isGone(at.root) ? rootGone(at, verb) : notFound(scope, at, verb);
  // An open that leaves the roots is told by the same number as a rename, and by no system call of node:fs.
  if (code === "EXDEV" && (thrown as NodeJS.ErrnoException).syscall === undefined) return outsideScope(verb, at.asked);
  const [kind, state, more] = ANSWERS[code] ?? ["conflict", `the operating system answered ${code}`];
  return new Failure(kind, `${what}: ${state}`, more);
}

const NO_SPACE: Answer = ["disk_full", "no space is left"];
const TOO_MANY_FILES: Answer = ["busy", "too many files are open"];

type Answer = readonly [...ConstructorParameters<typeof Failure>];

/** What each errno means for what was asked: the code, the state, and what else the failure says. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  ESTALE: ["denied", "its root was replaced since the host started"],
  EXDEV: [
    "unsupported",
    "its file system cannot rename it there",
    {
      hint: "It is another mount, or a directory of a lower layer in a container. Copy it, and then delete what is in the old one.",
    },
  ],
  ELOOP: ["denied", "it leads through a link that cannot be followed", { details: { link: true } }],
  EACCES: [
    "denied",
    "the operating system does not permit it",
    { hint: "Check the owner and mode with stat, also of its directory." },
  ],
  // The mode is not the reason: of that the system says EACCES.
  EPERM: [
    "denied",
    "the operating system does not permit it, whatever its mode",
    {
      hint: "It or its directory may be immutable or append-only (lsattr shows that), or only its owner may do this. The person who runs this host can change it.",
    },
  ],
  EBUSY: [
    "denied",
    "something is mounted there, or the system itself uses it",
    { hint: "A mounted file can be changed in place only (edit_file with in_place: true)." },
  ],
  ENXIO: ["denied", "it is a socket or a device, and only regular files are read"],
  ENAMETOOLONG: ["invalid_input", "the name is too long for this file system"],
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EROFS: ["denied", "the file system is read-only"],
  EISDIR: ["invalid_input", "it is a directory"],
};

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

/**
 * A slash behind a path asks for a directory, or a link to one.
 * @param kind what stands there, a link not followed
 * @throws Failure `not_found`, and what else keeps a link from being followed: `outside_scope` for one that leads out
 */
export function refuseNoDirectory(scope: ScopeOfLinks, at: Located, verb: string, kind: string): void {
  if (kind === "directory") return;
  try {
    if (kind === "symlink") {
      scope.openDirectory(at, verb)[Symbol.dispose]();
      return;
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
  }
  throw notFound(scope, at, verb, "it is not a directory, and the path ends in a slash");
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
      hint: "Use list_directory on it, or glob or grep.",
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

/** What a failure asks of the scope that it came from. */
export interface ScopeOfFailure {
  readonly isGone: (root: OpenRoot) => boolean;
  readonly tryDirectory: (at: Located) => OpenDirectory | undefined;
  readonly denies: (at: Located) => boolean;
  readonly child: (at: Located, name: string) => Located;
  readonly show: (at: Located) => string;
}

interface ScopeOfLinks extends ScopeOfFailure {
  readonly openDirectory: (at: Located, verb: string) => OpenDirectory;
}

const MAX_SUGGESTIONS = 3;
/** Names looked at: a hint is not worth more than a few milliseconds. */
const MAX_NAMES = 5000;

function suggestPaths(scope: ScopeOfFailure, at: Located): string[] {
  const names = at.rel.split("/");
  if (names.includes("..")) return [];
  const parentAt = (depth: number): Located => ({
    ...at,
    rel: names.slice(0, depth).join("/"),
    mustBeDirectory: false,
  });
  const depth = deepestThere(names.length - 1, (level) => {
    using directory = scope.tryDirectory(parentAt(level));
    return directory !== undefined;
  });
  const parent = parentAt(depth);
  const found = listNames(scope, parent) ?? [];
  const wanted = names[depth] ?? "";
  // A name that is there and was not found is a link to nothing.
  const others = found.filter((name) => name !== wanted);
  return nearestNames(wanted, others, MAX_SUGGESTIONS).map((name) => scope.show(scope.child(parent, name)));
}

function listNames(scope: ScopeOfFailure, at: Located): string[] | undefined {
  // A plain refusal, not `openDirectory`: its failure would come back here for suggestions.
  const opened = scope.tryDirectory(at);
  if (!opened) return undefined;
  using directory = opened;
  try {
    // What is denied is told by the directory's own path, not by the one that may lead through a link.
    return readdirSync(fsName(directory.path), { encoding: "buffer" })
      .slice(0, MAX_NAMES)
      .map(nameFromBytes)
      .filter((name) => !scope.denies(scope.child(directory.at, name)));
  } catch {
    return undefined;
  }
}

/**
 * How deep a path exists, in few looks: where a directory is missing all below it is missing too. A path may have two
 * thousand levels, and a look at each of them from each of them takes minutes. The level above the end comes first, because
 * that is nearly always it.
 *
 * @param isThere asked of 1 to `levels`. @returns the deepest level that is there, 0 for none
 */
export function deepestThere(levels: number, isThere: (level: number) => boolean): number {
  if (levels === 0 || isThere(levels)) return levels;
  let [there, missing] = [0, levels];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (isThere(middle)) there = middle;
    else missing = middle;
  }
  return there;
}
