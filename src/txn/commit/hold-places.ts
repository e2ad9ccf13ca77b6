/**
 * The places of a change, open and locked, when nothing half made lies in them. Whoever had the locks before may have died with
 * a change half made, after this process last looked for such ones: this change would build on it, or carry it away, and then
 * nobody could take it back.
 *
 * Whoever works in a directory has its lock, from before its journal begins until after it has ended. So a journal that tells
 * of a directory whose lock is had here belongs to a host that has died or is dying, or to one that is about to recover it.
 *
 * Usual mistake: to compare the directories that were there at the beginning alone. What is staged may lie in one that the
 * change itself has made, copied or moved, and whoever carries that away carries it along.
 */
import { Failure, monotonicMs } from "../../base/index.ts";
import { Journal, type JournalSeen } from "../../state/index.ts";
import type { Scope } from "../../scope/index.ts";
import { areSameRoots, rootIdentities } from "../fingerprint.ts";
import type { PreparedStep } from "../model.ts";
import type { JournalRecord } from "../records.ts";
import type { Stores } from "./disk.ts";
import { HeldPlaces } from "./held-places.ts";
import { directoriesOf, LOCK_RETRY_MS, LOCK_WAIT_MS, lockAll } from "./lock-directories.ts";

interface HoldContext {
  readonly scope: Scope;
  readonly stores: Stores;
  /** Finishes or takes back what dead hosts have begun. */
  readonly recover: () => void;
}

/** Others hold a journal for a moment to ask whether it is free, and it is passed over then. */
const MAX_TRIES = 3;

/** @throws Failure `busy` when all that is in the way takes longer than `LOCK_WAIT_MS` */
export function holdPlaces(
  steps: readonly PreparedStep[],
  { scope, stores, recover }: HoldContext,
  held: DisposableStack,
): HeldPlaces {
  const deadline = monotonicMs() + LOCK_WAIT_MS;
  const tries = new Map<string, number>();
  for (;;) {
    using locks = new DisposableStack();
    let locked: ReadonlySet<string> = new Set();
    const places = lockAll(
      scope,
      steps,
      locks,
      (directories) => {
        locked = new Set(directories.keys());
        return HeldPlaces.of(scope, steps, directories);
      },
      deadline,
    );
    const left = leftIn(scope, locked, stores.journal).filter(({ name }) => (tries.get(name) ?? 0) < MAX_TRIES);
    if (left.length === 0) {
      held.use(locks.move());
      return places;
    }
    // Recovery needs the locks itself.
    locks[Symbol.dispose]();
    if (monotonicMs() > deadline)
      throw new Failure("busy", "Cannot make the change: what a host that died has left there is being taken back", {
        retry: "later",
      });
    recover();
    // What could not be recovered is not in the way of everything that comes after it.
    for (const { name, isHeld } of left) if (!isHeld) tries.set(name, (tries.get(name) ?? 0) + 1);
    Bun.sleepSync(LOCK_RETRY_MS);
  }
}

/** Journals that tell of one of the directories, `DEV:INO`, or whose recovery needs one of them. */
function leftIn(scope: Scope, locked: ReadonlySet<string>, journals: string): JournalSeen[] {
  return Journal.all(journals).filter(({ first }) => {
    const begin = first as JournalRecord | undefined;
    if (begin?.kind !== "begin") return false;
    if (begin.directories.some(({ identity: { dev, ino } }) => locked.has(`${dev}:${ino}`))) return true;
    // Its paths mean something only in its own roots.
    if (!areSameRoots(begin.roots, rootIdentities(scope))) return false;
    return directoriesOf(scope, begin.steps).some((key) => locked.has(key));
  });
}
