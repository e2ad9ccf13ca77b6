/**
 * Where the repository of a path is, and whether all of it lies in the roots: the directory of the work tree, that of the
 * repository, the one that several work trees share, and every store of objects that it borrows from. Each is opened through
 * the scope, so a link, a `.git` file or an `alternates` file that leads out is a refusal.
 */
import { readSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import { showName, type Located, type Scope } from "../../scope/index.ts";
import type { GitFound, GitPlace } from "./git-protocol.ts";

const VERB = "use git in";
/** A configuration, or a list of borrowed stores. */
const MAX_SMALL_BYTES: number = 256 * 1024;
/** As git itself follows them. */
const MAX_BORROWED = 5;

/** What of the shared directory git gets to see. `config` and `hooks` are not among them. */
export const SHARED: readonly string[] = ["refs", "packed-refs", "reftable", "objects", "logs", "shallow", "worktrees"];

/** @throws Failure `not_found` without a repository, `outside_scope` and `denied` for one that is not in the roots as a whole */
export function findRepository(path: string, scope: Scope): GitFound {
  // By name: of a file that has been removed there is a history too.
  const asked = resolve(scope.absolute(scope.locate(path, VERB)));
  for (let directory = asked; ; directory = dirname(directory)) {
    const place = repositoryAt(directory, scope, path);
    if (place) return { place, rel: relative(directory, asked) };
    if (directory === dirname(directory) || !isIn(dirname(directory), scope)) break;
  }
  throw new Failure("not_found", `Cannot use git in "${path}": there is no repository at it or above it in the roots`, {
    hint: "Name a path in the work tree of a repository. One that begins above the roots cannot be used.",
  });
}

function repositoryAt(directory: string, scope: Scope, asked: string): GitPlace | undefined {
  const dotGit = resolve(directory, ".git");
  const own = directoryAt(dotGit, scope, asked);
  if (own !== undefined) return placeOf(directory, own, false, scope, asked);
  const text = readSmall(dotGit, scope, asked);
  if (text !== undefined) {
    const target = /^gitdir: (.+?)\s*$/s.exec(text)?.[1];
    if (target === undefined) throw broken(asked, "its .git file has not the right form");
    const gitDir = directoryAt(resolve(directory, target), scope, asked);
    if (gitDir === undefined) throw broken(asked, "its .git file names no directory");
    return placeOf(directory, gitDir, false, scope, asked);
  }
  const isBare = ["objects", "refs"].every((name) => directoryAt(`${directory}/${name}`, scope, asked) !== undefined);
  if (!isBare || readSmall(`${directory}/HEAD`, scope, asked) === undefined) return undefined;
  return placeOf(directory, directory, true, scope, asked);
}

function placeOf(top: string, gitDir: string, isBare: boolean, scope: Scope, asked: string): GitPlace {
  const head = readSmall(`${gitDir}/HEAD`, scope, asked);
  if (head === undefined || !/^(?:ref: refs\/\S+|[0-9a-f]{40,64})\s*$/.test(head))
    throw broken(asked, "its HEAD has not the right form");
  const shared = readSmall(`${gitDir}/commondir`, scope, asked)?.trim();
  const commonDir = shared === undefined ? gitDir : directoryAt(resolve(gitDir, shared), scope, asked);
  if (commonDir === undefined) throw broken(asked, "the directory that its work trees share is not there");
  for (const name of SHARED) isThere(`${commonDir}/${name}`, scope, asked);
  isThere(`${gitDir}/index`, scope, asked);
  checkBorrowed(`${commonDir}/objects`, scope, asked, 0);
  const doing = Object.entries(UNFINISHED).flatMap(([name, files]) =>
    files.some((file) => isThere(`${gitDir}/${file}`, scope, asked)) ? [name] : [],
  );
  return {
    top: scope.absolute(scope.resolve(scope.locate(showName(top), VERB), VERB)),
    isBare,
    gitDir,
    commonDir,
    doing,
  };
}

const UNFINISHED: Readonly<Record<string, readonly string[]>> = {
  merge: ["MERGE_HEAD"],
  rebase: ["rebase-merge", "rebase-apply"],
  "cherry-pick": ["CHERRY_PICK_HEAD"],
  revert: ["REVERT_HEAD"],
  bisect: ["BISECT_LOG"],
};

function unreadableStore(asked: string): Failure {
  return new Failure("unsupported", `Cannot use git on "${asked}": its list of other object stores cannot be read`, {
    hint: "A person can use git there.",
  });
}

/** A store of objects that lies elsewhere would be read like the repository's own. */
function checkBorrowed(objects: string, scope: Scope, asked: string, depth: number): void {
  const text = readSmall(`${objects}/info/alternates`, scope, asked);
  if (text !== undefined && Buffer.byteLength(text) >= MAX_SMALL_BYTES) throw unreadableStore(asked);
  for (const line of text?.split("\n") ?? []) {
    if (line === "" || line.startsWith("#")) continue;
    // git undoes escapes in such a line; what it means must be what is looked at here.
    if (line.startsWith('"')) throw unreadableStore(asked);
    const store = directoryAt(resolve(objects, line), scope, asked);
    if (store !== undefined && depth < MAX_BORROWED) checkBorrowed(store, scope, asked, depth + 1);
  }
}

/** The configuration of a repository, as much of it as is read. */
export function readConfig({ commonDir }: GitPlace, scope: Scope): string {
  return readSmall(`${commonDir}/config`, scope, commonDir) ?? "";
}

export function isThere(path: string, scope: Scope, asked: string): boolean {
  return found(path, scope, asked, (at) => scope.resolve(at, VERB)) !== undefined;
}

function directoryAt(path: string, scope: Scope, asked: string): string | undefined {
  return found(path, scope, asked, (at) => {
    const real = scope.resolve(at, VERB);
    using directory = scope.tryDirectory(real);
    return directory && scope.absolute(real);
  });
}

function readSmall(path: string, scope: Scope, asked: string): string | undefined {
  return found(path, scope, asked, (at) => {
    using file = scope.openFile(at, VERB);
    const bytes = Buffer.alloc(MAX_SMALL_BYTES);
    let length = 0;
    for (let got = 1; got > 0 && length < bytes.length; length += got)
      got = readSync(file.fd, bytes, length, bytes.length - length, length);
    return bytes.toString("utf8", 0, length);
  });
}

/** `undefined` for what is not there. */
function found<T>(path: string, scope: Scope, asked: string, look: (at: Located) => T | undefined): T | undefined {
  try {
    return look(scope.locate(showName(path), VERB));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (thrown.code === "not_found" || thrown.code === "invalid_input") return undefined;
    throw new Failure(
      thrown.code,
      `Cannot use git in "${asked}": a part of its repository cannot be reached: ${thrown.message}`,
      {
        hint: "Git works only on a repository of which everything lies in the roots, and nothing is denied.",
      },
    );
  }
}

function isIn(directory: string, scope: Scope): boolean {
  try {
    scope.locate(showName(directory), VERB);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}

function broken(asked: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot use git in "${asked}": ${why}`, {
    hint: "The repository is broken, or no repository.",
  });
}
