/**
 * Journals of dead hosts: a transaction that came to its commit point is finished, any other is taken back. It uses held
 * handles and the locks of a commit; what cannot be reached now (a root that is not mounted) waits for the next time.
 */
import { logLine, NEVER_CANCELLED } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { Journal } from "../state/index.ts";
import { rootIdentities } from "./begin.ts";
import type { Books } from "./commit.ts";
import type { Disk } from "./disk.ts";
import { finishTransaction } from "./finish.ts";
import type { JournalBegin, ScopeSpec } from "./history.ts";
import { lockAll } from "./lock-directory.ts";
import { rollBack } from "./roll-back.ts";

export interface Recovered {
  readonly transaction: string;
  readonly outcome: "finished" | "taken_back";
}

/** @param openScope the scope of the roots that the transaction was about; throws when they cannot be opened */
export function recoverTransactions(books: Books, openScope: (spec: ScopeSpec) => Scope): Recovered[] {
  return Journal.abandoned(books.journal).flatMap(({ transaction, journal }) => {
    try {
      const outcome = recoverOne(books, transaction, journal.read(), openScope);
      journal.finish();
      return outcome ? [{ transaction, outcome }] : [];
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
  records: readonly unknown[],
  openScope: (spec: ScopeSpec) => Scope,
): Recovered["outcome"] | undefined {
  const begin = records[0] as JournalBegin | undefined;
  if (begin?.kind !== "begin") return undefined;
  using held = new DisposableStack();
  const scope = held.use(openScope(begin.about.scope));
  if (JSON.stringify(rootIdentities(scope)) !== JSON.stringify(begin.roots))
    throw new Error("another directory stands at the path of a root");
  lockAll(scope, begin.steps, held);
  const disk: Disk = {
    scope,
    transaction,
    cancel: NEVER_CANCELLED,
    history: books.history,
    durability: "full",
  };
  if (records.some((record) => (record as { kind?: string }).kind === "committed")) {
    finishTransaction(disk, begin, books.answers);
    return "finished";
  }
  rollBack(disk, begin, records);
  return "taken_back";
}
