/**
 * A commit that stops dead at its n-th look at a place or its n-th line in the journal, as if the process had died there:
 * nothing is taken back, and the lock on the journal is let go.
 */
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import type { Scope } from "../../src/scope/index.ts";
import { Journal } from "../../src/state/index.ts";
import { planTransaction } from "../../src/txn/begin.ts";
import type { Disk } from "../../src/txn/disk.ts";
import { lockAll } from "../../src/txn/lock-directory.ts";
import { runTransaction } from "../../src/txn/run.ts";
import { checkSteps, type Sealed } from "../../src/txn/index.ts";
import type { TransactionKit } from "./transaction-kit.ts";

class Death extends Error {}

/** @returns whether it died; else it came to its commit point and died after it */
export function commitUntil(kit: TransactionKit, sealed: Sealed, nth: number): boolean {
  const { books } = kit;
  let left = nth;
  const step = (): void => {
    if (left-- === 0) throw new Death();
  };
  const scope = watched(kit.scope, step);
  const transaction = `t_${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`;
  const disk: Disk = {
    scope,
    transaction,
    cancel: NEVER_CANCELLED,
    history: books.history,
    durability: "fast",
    besideIsSafe: !sealed.steps.some(({ follows }) => follows),
  };
  const about = {
    tool: "test",
    summary: sealed.summary,
    files: sealed.files,
    scope: { roots: [{ path: kit.root, readOnly: false }] },
  };
  const content = (index: number): Uint8Array => kit.contents[index] ?? new Uint8Array();
  using held = new DisposableStack();
  lockAll(kit.scope, sealed.steps, held);
  checkSteps(sealed.steps, { scope: kit.scope, cancel: NEVER_CANCELLED });
  const begin = planTransaction({ ...disk, scope: kit.scope }, sealed, about, content, undefined);
  const journal = Journal.begin(books.journal, transaction, "fast", begin.isSingle);
  kit.transaction = transaction;
  try {
    journal.write(begin);
    runTransaction(disk, begin, journal, content, { done: 0 });
    return false;
  } catch (thrown) {
    if (thrown instanceof Death) return true;
    throw thrown;
  } finally {
    journal.leave();
  }
}

/** The same scope, which tells of every place that it is asked for. */
function watched(scope: Scope, step: () => void): Scope {
  return new Proxy(scope, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === "place" || key === "exactPlace" || key === "openDirectory") step();
        return Reflect.apply(value, target, given);
      };
    },
  });
}
