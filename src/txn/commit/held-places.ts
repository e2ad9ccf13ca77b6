/**
 * The directories in which a transaction works. All of them are locked before it begins; the locks are respected by other
 * instances of this host, whatever their state folders. Whoever changes an entry holds its directory; whoever takes a tree
 * away holds the directories in it too, but no more than `MAX_TREE_LOCKS`. Waiting is bounded: a lock that is not had in time
 * is `busy`, never a hang.
 *
 * Each directory is opened once and held until the transaction is over, so one that somebody moves meanwhile takes the whole
 * transaction with it. What is opened only later is reached by its path, and the nearest directory above it that the
 * transaction itself does not move must still be the one that it was at the beginning.
 */
import { fstatSync, fsyncSync } from "node:fs";
import { Failure, monotonicMs } from "../../base/index.ts";
import type { Located, OpenDirectory, Place, Scope } from "../../scope/index.ts";
import { tryLock } from "../../state/index.ts";
import { fsName, readDirectory } from "../../sys/index.ts";
import { identityOfOpen, isSame, keyOfOpen } from "../fingerprint.ts";
import { isAtOrBelow, keyOf, locatedFrom, parentOf, pathsOf, type PreparedStep, type RootPath } from "../model.ts";
import type { KnownDirectory } from "../records.ts";

/** What an operation asks for; it need not close any of it. */
export type Places = Pick<HeldPlaces, "place" | "above" | "flush"> & { late(operation: number): Places };

type Opened = Place["parent"];
type Parent = Opened & Disposable;

export class HeldPlaces implements Disposable {
  readonly known: readonly KnownDirectory[];
  readonly #scope: Scope;
  readonly #knownByKey: ReadonlyMap<string, KnownDirectory>;
  readonly #open = new Map<string, Parent>();
  readonly #late = new Map<number, HeldPlaces>();

  /** @param known what another process, or an earlier part of this one, knew of the directories at the beginning */
  constructor(scope: Scope, known: readonly KnownDirectory[]) {
    this.#scope = scope;
    this.known = known;
    this.#knownByKey = new Map(known.map((one) => [keyOf(one.at), one]));
  }

  /** Opens the places of a transaction that begins. @param locked directories that stay open longer than this */
  static of(scope: Scope, steps: readonly PreparedStep[], locked: ReadonlyMap<string, Opened> = new Map()): HeldPlaces {
    const touched = steps.flatMap(pathsOf);
    const opened = new Map<string, { at: RootPath; parent: Parent } | undefined>();
    const open = (at: RootPath): boolean => {
      const key = keyOf(at);
      if (!opened.has(key)) {
        const isMoved = touched.some((path) => isAtOrBelow(at, path));
        const parent = isMoved ? undefined : shareOf(tryOpen(scope, at), locked);
        opened.set(key, parent && { at, parent });
      }
      return opened.get(key) !== undefined;
    };
    for (const path of touched) for (let at = parentOf(path); !open(at) && at.rel !== ""; at = parentOf(at));
    const found = [...opened.values()].filter((one) => one !== undefined);
    const known = found.map(({ at, parent }) => ({ at, identity: identityOfOpen(parent) }));
    const places = new HeldPlaces(scope, known);
    for (const { at, parent } of found) places.#open.set(keyOf(at), parent);
    return places;
  }

  /** @throws Failure `stale` when one of the known directories is not where it was */
  checkAll(): void {
    for (const known of this.known) this.#check(known, undefined);
  }

  /** The parent by handle and the bare name. @throws Failure `stale` when it was moved, or a link stands on the way now */
  place(path: RootPath): Place {
    const scope = this.#scope;
    const at = locatedFrom(scope, path);
    const held = this.#held(keyOf(parentOf(path)));
    // Only the scope refuses places, so ask it whenever it might.
    const mustAsk = !held || path.rel === "" || scope.denies(at) || scope.isAtop(at);
    // Without a handle, the path of the directory may lead elsewhere by now.
    if (mustAsk || scope.containment !== "handle") return this.#throughScope(path, at);
    const name = path.rel.slice(path.rel.lastIndexOf("/") + 1);
    const entry = fsName(`${held.path}/${name}`);
    return { entry, parent: held, name, at, [Symbol.dispose]: () => undefined };
  }

  /** The nearest directory above a place that stays where it is. */
  above(path: RootPath): RootPath | undefined {
    return this.#nearestKnown(path)?.at;
  }

  /** Places as one operation finds them when its turn comes. */
  late(operation: number): HeldPlaces {
    const places = this.#late.get(operation) ?? new HeldPlaces(this.#scope, this.known);
    this.#late.set(operation, places);
    return places;
  }

  /**
   * Flushes a directory; one that is not there yet, or not any more, has nothing to flush.
   * @param done those that were flushed already, by what they are
   */
  flush(directory: RootPath, done: Set<string>): void {
    const held = this.#held(keyOf(directory));
    using found = held ? undefined : this.#scope.tryDirectory(locatedFrom(this.#scope, directory));
    const open = held ?? found;
    if (!open || open.fd < 0) return;
    const key = keyOfOpen(open);
    if (!done.has(key)) fsyncSync(open.fd);
    done.add(key);
  }

  [Symbol.dispose](): void {
    for (const parent of this.#open.values()) parent[Symbol.dispose]();
    this.#open.clear();
    for (const places of this.#late.values()) places[Symbol.dispose]();
  }

  /** A removed directory is not held any more: one that was made again is another directory. */
  #held(key: string): Parent | undefined {
    const held = this.#open.get(key);
    if (!held || held.fd < 0 || fstatSync(held.fd).nlink > 0) return held;
    held[Symbol.dispose]();
    this.#open.delete(key);
    return undefined;
  }

  /** Opens the place by its path, with all refusals of the scope. */
  #throughScope(path: RootPath, at: Located): Place {
    const parentAt = parentOf(path);
    let place: Place;
    try {
      place = this.#scope.exactPlace(at, "change");
    } catch (thrown) {
      // A prepared path has no links on its way; one that is there now leads to another place than the one that was shown.
      if (!(thrown instanceof Failure) || thrown.data.details?.["link"] !== true) throw thrown;
      throw new Failure(
        "stale",
        `Cannot apply the change of "${this.#scope.show(at)}": a directory on the way was replaced since the proposal was made`,
      );
    }
    const close = (): void => place[Symbol.dispose]();
    try {
      // Checked only when it is open, so that a move in between is noticed.
      const own = this.#knownByKey.get(keyOf(parentAt));
      const known = own ?? this.#nearestKnown(parentAt);
      if (known) this.#check(known, own && place.parent);
    } catch (thrown) {
      close();
      throw thrown;
    }
    if (this.#scope.containment !== "handle" || this.#open.has(keyOf(parentAt))) return place;
    this.#open.set(keyOf(parentAt), { ...place.parent, [Symbol.dispose]: close });
    return { ...place, [Symbol.dispose]: () => undefined };
  }

  #nearestKnown(path: RootPath): KnownDirectory | undefined {
    let at = parentOf(path);
    while (!this.#knownByKey.has(keyOf(at)) && at.rel !== "") at = parentOf(at);
    return this.#knownByKey.get(keyOf(at));
  }

  /** @param opened what stands there now, where it is open already. @throws Failure `stale` for another directory */
  #check({ at, identity }: KnownDirectory, opened: Opened | undefined): void {
    using found = opened ? undefined : tryOpen(this.#scope, at);
    const now = opened ?? found;
    if (now && isSame(identity, identityOfOpen(now))) return;
    const shown = this.#scope.show(locatedFrom(this.#scope, at));
    throw new Failure("stale", `Cannot go on in the directory "${shown}": it was moved or replaced meanwhile`, {
      details: { moved: true },
    });
  }
}

function tryOpen(scope: Scope, at: RootPath): Parent | undefined {
  try {
    return scope.openDirectory(locatedFrom(scope, at), "change", "refuse");
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

/** One descriptor for each directory is enough. */
function shareOf(opened: Parent | undefined, locked: ReadonlyMap<string, Opened>): Parent | undefined {
  if (!opened || opened.fd < 0) return opened;
  const same = locked.get(keyOfOpen(opened));
  if (!same) return opened;
  opened[Symbol.dispose]();
  return { fd: same.fd, path: same.path, [Symbol.dispose]: () => undefined };
}

const WAIT_MS = 5000;
const RETRY_MS = 2;
/** Each lock is an open descriptor, and a process may have no more than 1024 of them. */
const MAX_TREE_LOCKS = 500;

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
): T {
  const deadline = monotonicMs() + WAIT_MS;
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

function openAll(scope: Scope, steps: readonly PreparedStep[], open: DisposableStack): Directories {
  const directories = new Map<string, OpenDirectory>();
  const add = (directory: OpenDirectory): void => {
    const key = idOf(scope, directory);
    if (directories.has(key)) directory[Symbol.dispose]();
    else directories.set(key, open.use(directory));
  };
  for (const path of distinct(steps.flatMap(pathsOf).map(parentOf))) add(deepestExisting(scope, path));
  let left = MAX_TREE_LOCKS;
  for (const path of distinct(steps.flatMap(takenTrees)))
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

/** The directories that the step takes away with everything in them. */
function takenTrees(step: PreparedStep): RootPath[] {
  // `remove_directory` takes an empty directory, in which nothing needs a lock.
  const taken = step.before.kind === "directory" && step.op !== "remove_directory" ? [step.at] : [];
  return step.op === "move" && step.source.kind === "directory" ? [step.from, ...taken] : taken;
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
    Bun.sleepSync(RETRY_MS);
  }
}
