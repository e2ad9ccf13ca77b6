/**
 * Journals of dead hosts: a transaction that came to its commit point is finished, any other is taken back. It uses held
 * handles and the locks of a commit; what cannot be reached now (a root that is not mounted) waits for the next time.
 */
import { logLine, NEVER_CANCELLED } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { Journal } from "../state/index.ts";
import { isSame } from "./commit/plan.ts";
import type { Books } from "./commit.ts";
import { identityOf, isBesideSafe, withPlace, type Disk } from "./commit/disk.ts";
import { finishTransaction } from "./commit/finish.ts";
import type { JournalBegin, ScopeSpec } from "./records.ts";
import { HeldPlaces } from "./commit/held-places.ts";
import { lockAll } from "./commit/lock-directories.ts";
import { preparedBy, rollBack } from "./commit/roll-back.ts";
import { areSameRoots, rootIdentities, withDevicesOf } from "./commit/root-identity.ts";

export interface Recovered {
  readonly transaction: string;
  readonly outcome: "finished" | "taken_back";
}

/** @param openScope the scope of the roots that the transaction was about; throws when they cannot be opened */
export function recoverTransactions(books: Books, openScope: (spec: ScopeSpec) => Scope): Recovered[] {
  return Journal.abandoned(books.journal).flatMap(({ transaction, journal }) => {
    try {
      const outcome = recoverOne(books, transaction, journal, openScope);
      if (outcome === "finished" || outcome === "noteless") journal.leave();
      else journal.finish();
      return outcome && outcome !== "noteless" ? [{ transaction, outcome }] : [];
    } catch (thrown) {
      journal.leave();
      complain(transaction, thrown);
      return [];
    }
  });
}

/** Once a process: it is tried again at every change. */
function complain(transaction: string, thrown: unknown): void {
  if (complained.has(transaction)) return;
  complained.add(transaction);
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  logLine(`cannot recover ${transaction} now: ${why}`);
}

const complained = new Set<string>();

/** `undefined` when the process died before it had written down its plan: nothing was done. */
function recoverOne(
  books: Books,
  transaction: string,
  journal: Journal,
  openScope: (spec: ScopeSpec) => Scope,
): Recovered["outcome"] | "noteless" | undefined {
  const written = journal.read();
  const [first] = written as readonly (JournalBegin | undefined)[];
  if (first?.kind !== "begin") return undefined;
  using held = new DisposableStack();
  const scope = held.use(openScope(first.about.scope));
  const roots = rootIdentities(scope);
  if (!areSameRoots(first.roots, roots)) throw new Error("another directory stands at the path of a root");
  const records = withDevicesOf(written, first.roots, roots);
  const begin = records[0] as JournalBegin;
  const places = lockAll(scope, begin.steps, held, () => HeldPlaces.again(scope, begin.directories));
  const disk: Disk = {
    besideIsSafe: isBesideSafe(begin.steps),
    scope,
    transaction,
    places,
    cancel: NEVER_CANCELLED,
    history: books.history,
    durability: "full",
  };
  const isCommitted = records.some((record) => (record as { kind?: string }).kind === "committed");
  if (isCommitted || isDone(disk, begin, records))
    return finishTransaction(disk, begin, books.answers, journal, records) ? "finished" : "noteless";
  places.checkAll();
  rollBack(disk, begin, journal, records);
  return "taken_back";
}

/** One act that stands there whole may have been answered, though its last line was lost. */
function isDone(disk: Disk, begin: JournalBegin, records: readonly unknown[]): boolean {
  const [act] = begin.acts;
  const [prepared] = preparedBy(begin.acts, records);
  if (!begin.isSingle || !act || !prepared) return false;
  return withPlace(disk, act.at, ({ entry }) => {
    const now = identityOf(entry);
    if (act.act === "put" || act.act === "make_directory") return isSame(now, prepared.staged);
    if (act.act === "move") return isSame(now, prepared.moved);
    return (act.act === "remove" || act.act === "remove_directory") && now === undefined;
  });
}
