/**
 * The directories in which a transaction works, by handle; `lock-directories.ts` has their locks. Each is opened once and held
 * until the transaction is over, so one that somebody moves meanwhile takes the whole transaction with it. What is opened only
 * later is reached by its path, and the nearest directory above it that the transaction itself does not move must still be the
 * one that it was at the beginning.
 */
import { fstatSync, fsyncSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { Located, Place, Scope } from "../../scope/index.ts";
import { fsName } from "../../sys/index.ts";
import { identityOfOpen, isSame, keyOfOpen } from "../fingerprint.ts";
import { isAtOrBelow, keyOf, locatedFrom, parentOf, pathsOf, type PreparedStep, type RootPath } from "../model.ts";
import type { KnownDirectory } from "../records.ts";
import { MadeLocks } from "./lock-directories.ts";

/** What an operation asks for; it need not close any of it. */
export type Places = Pick<HeldPlaces, "place" | "above" | "flush" | "made"> & { late(operation: number): Places };

type Opened = Place["parent"];
type Parent = Opened & Disposable;

export class HeldPlaces implements Disposable {
  readonly known: readonly KnownDirectory[];
  /** The locks of the directories that the transaction makes. */
  readonly made: MadeLocks;
  readonly #scope: Scope;
  readonly #knownByKey: ReadonlyMap<string, KnownDirectory>;
  readonly #open = new Map<string, Parent>();
  readonly #late = new Map<number, HeldPlaces>();

  /**
   * @param known what another process, or an earlier part of this one, knew of the directories at the beginning
   * @param made those of the transaction, for a part of it
   */
  constructor(scope: Scope, known: readonly KnownDirectory[], made?: MadeLocks) {
    this.#scope = scope;
    this.made = made ?? new MadeLocks(scope);
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
    const places = this.#late.get(operation) ?? new HeldPlaces(this.#scope, this.known, this.made);
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
    this.made[Symbol.dispose]();
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
        `Cannot apply the change of "${this.#scope.show(at)}": a directory on the way was replaced meanwhile`,
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
    const shared = this.made.shareOf(place.parent);
    if (shared) {
      this.#open.set(keyOf(parentAt), { ...shared, [Symbol.dispose]: () => undefined });
      return place;
    }
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
