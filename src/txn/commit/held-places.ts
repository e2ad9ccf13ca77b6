/**
 * The directories in which a transaction works, each opened once and held until it is over. So a directory that somebody
 * moves meanwhile takes the whole transaction with it: what was begun in it is finished there, or taken back there.
 *
 * What is opened only later (for an act that works on what earlier ones made, and in the recovery of another process) is
 * reached by its path, and the nearest directory above it that the transaction itself does not move must still be the one
 * that it was at the beginning.
 */
import { fstatSync, fsyncSync, statSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { fsName, type Located, type Place, type Scope } from "../../scope/index.ts";
import { isAtOrBelow, isSame, parentOf, type Identity } from "./plan.ts";
import { pathsOf, type SealedPath, type SealedStep } from "../model.ts";
import { locatedFrom } from "../prepare/target.ts";

/** A directory that was there before the first act, and that no act moves or takes away. */
export interface KnownDirectory {
  readonly at: SealedPath;
  readonly identity: Identity;
}

/** What acts ask for; nothing of it needs to be closed by them. */
export interface Places {
  /** The parent by handle and the bare name. @throws Failure `stale` when it was moved, or a link stands on the way now */
  place(path: SealedPath): Place;
  /** The nearest directory above a place that stays where it is. */
  above(path: SealedPath): SealedPath | undefined;
  /** Places as one act finds them when its turn comes. */
  late(act: number): Places;
  /**
   * Flushes a directory; one that is not there yet, or not any more, has nothing to flush.
   * @param done those that were flushed already, by what they are
   */
  flush(directory: SealedPath, done: Set<string>): void;
}

type Opened = Place["parent"];
type Parent = Opened & Disposable;

export class HeldPlaces implements Places, Disposable {
  readonly known: readonly KnownDirectory[];
  readonly #scope: Scope;
  readonly #identities: ReadonlyMap<string, Identity>;
  readonly #open = new Map<string, Parent>();
  readonly #late = new Map<number, HeldPlaces>();

  private constructor(scope: Scope, known: readonly KnownDirectory[]) {
    this.#scope = scope;
    this.known = known;
    this.#identities = new Map(known.map(({ at, identity }) => [keyOf(at), identity]));
  }

  /** For the steps of a transaction that begins. @param locked directories that stay open longer than this */
  static of(
    scope: Scope,
    steps: readonly SealedStep[],
    locked: ReadonlyMap<string, Opened> = new Map(),
  ): HeldPlaces {
    const touched = steps.flatMap(pathsOf);
    const opened = new Map<string, { at: SealedPath; parent: Parent } | undefined>();
    const open = (at: SealedPath): { at: SealedPath; parent: Parent } | undefined => {
      const key = keyOf(at);
      if (!opened.has(key)) {
        const isMoved = touched.some((path) => isAtOrBelow(at, path));
        const parent = isMoved ? undefined : shareOf(tryOpen(scope, at), locked);
        opened.set(key, parent && { at, parent });
      }
      return opened.get(key);
    };
    for (const path of touched) for (let at = parentOf(path); !open(at) && at.rel !== ""; at = parentOf(at));
    const found = [...opened.values()].filter((one) => one !== undefined);
    const places = new HeldPlaces(
      scope,
      found.map(({ at, parent }) => ({ at, identity: identityOfOpen(parent) })),
    );
    for (const { at, parent } of found) places.#open.set(keyOf(at), parent);
    return places;
  }

  /** For one that another process began. */
  static again(scope: Scope, known: readonly KnownDirectory[]): HeldPlaces {
    return new HeldPlaces(scope, known);
  }

  /** @throws Failure `stale` when one of the known directories is not where it was */
  checkAll(): void {
    for (const { at, identity } of this.known) {
      using now = tryOpen(this.#scope, at);
      if (!now || !isSame(identity, identityOfOpen(now))) throw this.#moved(at);
    }
  }

  place(path: SealedPath): Place {
    const scope = this.#scope;
    const at = locatedFrom(scope, path);
    const held = this.#held(keyOf(parentOf(path)));
    // What is refused, is refused by the scope.
    const mustAsk = !held || path.rel === "" || scope.denies(at) || scope.isAtop(at);
    // Where a directory has no handle its path may lead elsewhere by now.
    if (mustAsk || scope.containment !== "handle") return this.#throughScope(path, at);
    const name = path.rel.slice(path.rel.lastIndexOf("/") + 1);
    const entry = fsName(`${held.path}/${name}`);
    return { entry, parent: held, name, at, [Symbol.dispose]: () => undefined };
  }

  above(path: SealedPath): SealedPath | undefined {
    let at = parentOf(path);
    while (!this.#identities.has(keyOf(at)) && at.rel !== "") at = parentOf(at);
    return this.#identities.has(keyOf(at)) ? at : undefined;
  }

  late(act: number): HeldPlaces {
    const places = this.#late.get(act) ?? new HeldPlaces(this.#scope, this.known);
    this.#late.set(act, places);
    return places;
  }

  flush(directory: SealedPath, done: Set<string>): void {
    const held = this.#held(keyOf(directory));
    using found = held ? undefined : this.#scope.tryDirectory(locatedFrom(this.#scope, directory));
    const open = held ?? found;
    if (!open || open.fd < 0) return;
    const { dev, ino } = identityOfOpen(open);
    if (!done.has(`${dev}:${ino}`)) fsyncSync(open.fd);
    done.add(`${dev}:${ino}`);
  }

  [Symbol.dispose](): void {
    for (const parent of this.#open.values()) parent[Symbol.dispose]();
    this.#open.clear();
    for (const places of this.#late.values()) places[Symbol.dispose]();
  }

  /** Not one that was removed: whoever made it again made another one. */
  #held(key: string): Parent | undefined {
    const held = this.#open.get(key);
    if (!held || held.fd < 0 || fstatSync(held.fd).nlink > 0) return held;
    held[Symbol.dispose]();
    this.#open.delete(key);
    return undefined;
  }

  /** By the path, with all refusals of the scope. */
  #throughScope(path: SealedPath, at: Located): Place {
    let place: Place;
    try {
      place = this.#scope.exactPlace(at, "change");
    } catch (thrown) {
      // A sealed path has no links on its way; one that is there now leads to another place than the one that was shown.
      if (!(thrown instanceof Failure) || thrown.data.details?.["link"] !== true) throw thrown;
      throw new Failure(
        "stale",
        `Cannot apply the change of "${this.#scope.show(at)}": a directory on the way was replaced since the proposal was made`,
      );
    }
    const close = (): void => place[Symbol.dispose]();
    try {
      this.#check(parentOf(path), place.parent);
    } catch (thrown) {
      close();
      throw thrown;
    }
    if (this.#scope.containment !== "handle" || this.#open.has(keyOf(parentOf(path)))) return place;
    this.#open.set(keyOf(parentOf(path)), { ...place.parent, [Symbol.dispose]: close });
    return { ...place, [Symbol.dispose]: () => undefined };
  }

  /** After it was opened, so that a move in between is seen. */
  #check(at: SealedPath, parent: Opened): void {
    const own = this.#identities.get(keyOf(at));
    const above = own ? at : this.above(at);
    const known = own ?? (above && this.#identities.get(keyOf(above)));
    if (!above || !known) return;
    if (own) {
      if (!isSame(known, identityOfOpen(parent))) throw this.#moved(at);
      return;
    }
    using now = tryOpen(this.#scope, above);
    if (!now || !isSame(known, identityOfOpen(now))) throw this.#moved(above);
  }

  #moved(at: SealedPath): Failure {
    const shown = this.#scope.show(locatedFrom(this.#scope, at));
    return new Failure(
      "stale",
      `Cannot go on in the directory "${shown}": it was moved or replaced meanwhile`,
      {
        details: { moved: true },
      },
    );
  }
}

function tryOpen(scope: Scope, at: SealedPath): Parent | undefined {
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
  const { dev, ino } = identityOfOpen(opened);
  const same = locked.get(`${dev}:${ino}`);
  if (!same) return opened;
  opened[Symbol.dispose]();
  return { fd: same.fd, path: same.path, [Symbol.dispose]: () => undefined };
}

/** Where directories cannot be opened their path must do. */
function identityOfOpen({ fd, path }: Opened): Identity {
  const { dev, ino } = fd >= 0 ? fstatSync(fd, { bigint: true }) : statSync(path, { bigint: true });
  return { dev: String(dev), ino: String(ino) };
}

function keyOf({ root, rel }: SealedPath): string {
  return `${root}\0${rel}`;
}
