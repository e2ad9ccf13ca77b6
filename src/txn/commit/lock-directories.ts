/**
 * The locks of a transaction, on directories. All that are there are locked before it begins, and each one that it makes before
 * that has its name; other instances of this host respect them, whatever their state folders. Whoever changes an entry holds
 * its directory; whoever takes a tree away, or copies it, holds the directories in it too, but no more than `MAX_TREE_LOCKS`.
 * Waiting is bounded: a lock that is not had in time is `busy`, never a hang.
 */
import { closeSync, constants, openSync } from "node:fs";
import { Failure, monotonicMs } from "../../base/index.ts";
import { procPath, type Located, type OpenDirectory, type Place, type Scope } from "../../scope/index.ts";
import { tryLock } from "../../state/index.ts";
import { fsName, readDirectory } from "../../sys/index.ts";
import { keyOfOpen } from "../fingerprint.ts";
import { keyOf, locatedFrom, parentOf, pathsOf, type PreparedStep, type RootPath } from "../model.ts";
import { type Entry, READING } from "../tree-copy/tree.ts";

/** How long a change waits for others in all. */
export const LOCK_WAIT_MS = 5000;
export const LOCK_RETRY_MS = 2;
/** Each lock is an open descriptor, and a process may have no more than 1024 of them. */
const MAX_TREE_LOCKS = 500;

/**
 * The directories that a transaction makes: parents, directories of the change set, trees that are copied or brought back.
 * Another host that finds one of them would lock that alone, and write into it while the transaction does, which holds the
 * directory above. So each is locked while it has a temporary name, until the transaction is over.
 */
export class MadeLocks implements Disposable {
  readonly #scope: Scope;
  /** By what they are. */
  readonly #open = new Map<string, Opened>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** @throws Failure `busy` where somebody else is in it already */
  take(directory: Entry): void {
    this.#take(directory);
  }

  /** A directory with all directories in it; anything else needs no lock. */
  takeTree(top: Entry): void {
    const pending = [top];
    for (let next = pending.shift(); next; next = pending.shift()) {
      const taken = this.#take(next);
      if (!taken) return;
      for (const { name, type } of readDirectory(taken))
        if (type === "directory") pending.push(fsName(`${taken.path}/${name}`));
    }
  }

  /** A directory that is one of them, as it is open here: one descriptor is enough. */
  shareOf(opened: Opened): Opened | undefined {
    return this.#open.size === 0 || opened.fd < 0 ? undefined : this.#open.get(keyOfOpen(opened));
  }

  [Symbol.dispose](): void {
    for (const { fd } of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }

  /** @returns `undefined` where there are no handles, or too many of them */
  #take(directory: Entry): Opened | undefined {
    if (this.#scope.containment !== "handle" || this.#open.size >= MAX_TREE_LOCKS) return undefined;
    const fd = openSync(directory, READING | constants.O_DIRECTORY);
    const opened = { fd, path: procPath(fd) };
    let isTaken = false;
    try {
      isTaken = tryLock(fd, "the directory that is made");
    } finally {
      if (!isTaken) closeSync(fd);
    }
    if (!isTaken) throw new Failure("busy", "Cannot make the change: another process is in a directory that it makes");
    this.#open.set(keyOfOpen(opened), opened);
    return opened;
  }
}

type Opened = Place["parent"];

/** Open directories by what they are, `DEV:INO`: two ways to one directory are one lock. */
type Directories = ReadonlyMap<string, OpenDirectory>;

/**
 * Locks the directories of all steps until `held` is released, in one order for everybody, so that nobody waits in a circle.
 * @param open what has to be open when all locks are had, before it is looked at whether all still stands where it stood
 */
export function lockAll<T extends Disposable>(
  scope: Scope,
  steps: readonly PreparedStep[],
  held: DisposableStack,
  open: (locked: Directories) => T,
  deadline: number = monotonicMs() + LOCK_WAIT_MS,
): T {
  for (;;) {
    using locking = new DisposableStack();
    const directories = openAll(scope, steps, locking);
    for (const [, directory] of [...directories].sort(([a], [b]) => (a < b ? -1 : 1)))
      lockDirectory(directory.fd, scope.show(directory.at), deadline);
    const opened = locking.use(open(directories));
    if (areStill(directories, scope, steps)) {
      held.use(locking.move());
      return opened;
    }
    if (monotonicMs() > deadline)
      throw new Failure("busy", "Cannot make the change: its directories are moved all the time");
  }
}

/** What `lockAll` would lock now, `DEV:INO`. */
export function directoriesOf(scope: Scope, steps: readonly PreparedStep[]): string[] {
  using open = new DisposableStack();
  return [...openAll(scope, steps, open).keys()];
}

function openAll(scope: Scope, steps: readonly PreparedStep[], open: DisposableStack): Directories {
  const directories = new Map<string, OpenDirectory>();
  const add = (directory: OpenDirectory): void => {
    const key = idOf(scope, directory);
    if (directories.has(key)) directory[Symbol.dispose]();
    else directories.set(key, open.use(directory));
  };
  for (const path of distinct(steps.flatMap(pathsOf).map(parentOf))) add(deepestExisting(scope, path));
  let left = MAX_TREE_LOCKS;
  for (const path of distinct(steps.flatMap(wholeTrees)))
    for (const directory of openTreeDirectories(scope, locatedFrom(scope, path), left)) {
      left--;
      add(directory);
    }
  return directories;
}

function distinct(paths: readonly RootPath[]): RootPath[] {
  return [...new Map(paths.map((path) => [keyOf(path), path])).values()];
}

function deepestExisting(scope: Scope, path: RootPath): OpenDirectory {
  for (let at = path; at.rel !== ""; at = parentOf(at)) {
    const directory = scope.tryDirectory(locatedFrom(scope, at));
    if (directory) return directory;
  }
  return scope.openDirectory(locatedFrom(scope, { root: path.root, rel: "" }), "change");
}

/** The directories that the step takes away or copies, with everything in them: also what others have staged there. */
function wholeTrees(step: PreparedStep): RootPath[] {
  // `remove_directory` takes an empty directory, in which nothing needs a lock.
  const taken = step.before.kind === "directory" && step.op !== "remove_directory" ? [step.at] : [];
  return "from" in step && step.source.kind === "directory" ? [step.from, ...taken] : taken;
}

/**
 * Opens at most `most` directories, level by level. It skips what cannot be opened: the change itself will fail with
 * the reason.
 */
function* openTreeDirectories(scope: Scope, top: Located, most: number): Generator<OpenDirectory> {
  const pending = [top];
  for (let count = 0; count < most; count++) {
    const next = pending.shift();
    if (!next) return;
    let directory: OpenDirectory;
    try {
      directory = scope.openDirectory(next, "change", "refuse");
    } catch {
      continue;
    }
    for (const { name, type } of readDirectory(directory))
      if (type === "directory") pending.push(scope.child(next, name));
    yield directory;
  }
}

/** Where directories cannot be opened nothing is locked, and their paths must do. */
function idOf(scope: Scope, directory: OpenDirectory): string {
  return directory.fd < 0 ? scope.absolute(directory.at) : keyOfOpen(directory);
}

function areStill(locked: Directories, scope: Scope, steps: readonly PreparedStep[]): boolean {
  using open = new DisposableStack();
  const now = openAll(scope, steps, open);
  return now.size === locked.size && [...now.keys()].every((key) => locked.has(key));
}

/** Holds the lock until the descriptor is closed. @throws Failure `busy` */
function lockDirectory(fd: number, shown: string, deadline: number): void {
  while (!tryLock(fd, shown)) {
    if (monotonicMs() > deadline)
      throw new Failure("busy", `Cannot change "${shown}": another process holds its directory`);
    Bun.sleepSync(LOCK_RETRY_MS);
  }
}
