/**
 * A commit that stops dead at its n-th look at a place or its n-th line in the journal, as if the process had died there:
 * nothing is taken back, and the lock on the journal is let go.
 */
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import type { Scope } from "../../src/scope/index.ts";
import { Journal } from "../../src/state/index.ts";
import { begun, type Disk, isBesideSafe } from "../../src/txn/commit/disk.ts";
import { HeldPlaces, type Places } from "../../src/txn/commit/held-places.ts";
import { lockAll } from "../../src/txn/commit/lock-directories.ts";
import { planTransaction } from "../../src/txn/commit/plan.ts";
import { runTransaction } from "../../src/txn/commit.ts";
import { checkSteps, type PreparedChanges } from "../../src/txn/index.ts";
import type { TransactionKit } from "./transaction-kit.ts";

class Death extends Error {}

/** @returns whether it died; else it came to its commit point and died after it */
export function commitUntil(kit: TransactionKit, prepared: PreparedChanges, nth: number): boolean {
  const { stores } = kit;
  let left = nth;
  const step = (): void => {
    if (left-- === 0) throw new Death();
  };
  const scope = watched(kit.scope, step);
  const transaction = `t_${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`;
  using held = new DisposableStack();
  const places = lockAll(kit.scope, prepared.steps, held, (locked) => HeldPlaces.of(kit.scope, prepared.steps, locked));
  const disk: Disk = {
    scope,
    transaction,
    places,
    cancel: NEVER_CANCELLED,
    history: stores.history,
    durability: "fast",
    besideIsSafe: isBesideSafe(prepared.steps),
    seen: new Map(),
  };
  const about = {
    tool: "test",
    summary: prepared.summary,
    files: prepared.files,
    scope: { roots: [{ path: kit.root, readOnly: false }] },
  };
  const content = (index: number): Uint8Array => kit.contents[index] ?? new Uint8Array();
  checkSteps(prepared.steps, { scope: kit.scope, cancel: NEVER_CANCELLED });
  const known = { directories: places.known };
  const begin = planTransaction({ ...disk, scope: kit.scope }, prepared, about, content, known);
  const journal = Journal.begin(stores.journal, transaction, "fast", begin.isSingle);
  kit.transaction = transaction;
  try {
    journal.write(begin);
    const onDisk = { ...disk, places: watchedPlaces(places, step) };
    runTransaction(begun(onDisk, begin, journal), content, { done: 0 });
    return false;
  } catch (thrown) {
    if (thrown instanceof Death) return true;
    throw thrown;
  } finally {
    journal.leave();
  }
}

/** Wraps the places and reports each one that is asked for. */
function watchedPlaces(places: Places, step: () => void): Places {
  return {
    place(path) {
      step();
      return places.place(path);
    },
    above: (path) => places.above(path),
    made: places.made,
    late: (act) => watchedPlaces(places.late(act), step),
    flush: (directory, done) => places.flush(directory, done),
  };
}

/** Wraps the scope and reports every place that is asked for. */
function watched(scope: Scope, step: () => void): Scope {
  return new Proxy(scope, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === "place" || key === "openDirectory") step();
        return Reflect.apply(value, target, given);
      };
    },
  });
}
