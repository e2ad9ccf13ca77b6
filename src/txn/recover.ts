/**
 * Journals of dead hosts: a transaction that came to its commit point is finished, any other is taken back. It uses held
 * handles and the locks of a commit; what cannot be reached now (a root that is not mounted) waits for the next time.
 */
import { logLine, NEVER_CANCELLED } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { Journal } from "../state/index.ts";
import type { Books } from "./commit.ts";
import { begun, isBesideSafe, withPlace, type Disk, type Transaction } from "./commit/disk.ts";
import { finishTransaction } from "./commit/finish.ts";
import { HeldPlaces } from "./commit/held-places.ts";
import { lockAll } from "./commit/lock-directories.ts";
import { rollBack } from "./commit/roll-back.ts";
import { areSameRoots, identityOf, isSame, rootIdentities, type RootIdentity } from "./fingerprint.ts";
import { stagedBy, type JournalRecord, type JournalRecords, type ScopeSpec } from "./records.ts";

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

/** Said only one time in a process, because it is tried again at every change. */
function complain(transaction: string, thrown: unknown): void {
  if (complained.has(transaction)) return;
  complained.add(transaction);
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  logLine(`cannot recover ${transaction} now: ${why}`);
}

const complained = new Set<string>();

/** @returns `undefined` when the process died before it had written down its plan: nothing was done */
function recoverOne(
  books: Books,
  id: string,
  journal: Journal,
  openScope: (spec: ScopeSpec) => Scope,
): Recovered["outcome"] | "noteless" | undefined {
  const written = journal.read() as JournalRecords;
  const [first] = written;
  if (first?.kind !== "begin") return undefined;
  using held = new DisposableStack();
  const scope = held.use(openScope(first.about.scope));
  const roots = rootIdentities(scope);
  if (!areSameRoots(first.roots, roots)) throw new Error("another directory stands at the path of a root");
  const records = withDevicesOf(written, first.roots, roots);
  const begin = records[0] as JournalRecord & { kind: "begin" };
  const places = lockAll(scope, begin.steps, held, () => new HeldPlaces(scope, begin.directories));
  const disk: Disk = {
    besideIsSafe: isBesideSafe(begin.steps),
    scope,
    transaction: id,
    places,
    cancel: NEVER_CANCELLED,
    history: books.history,
    durability: "full",
  };
  const transaction = begun(disk, begin, journal, records);
  if (records.some(({ kind }) => kind === "committed") || isDone(transaction))
    return finishTransaction(transaction, books.answers) ? "finished" : "noteless";
  places.checkAll();
  rollBack(transaction);
  return "taken_back";
}

/** One operation that stands there whole may have been answered, though its last line was lost. */
function isDone({ disk, begin, operations: [op], records }: Transaction): boolean {
  const [known] = stagedBy(begin, records);
  if (!begin.isSingle || !op || !known) return false;
  return withPlace(disk, op.at, ({ entry }) => {
    const now = identityOf(entry);
    if (op.act === "put" || op.act === "make_directory") return isSame(now, known.staged);
    if (op.act === "move") return isSame(now, known.moved);
    return (op.act === "remove" || op.act === "remove_directory") && now === undefined;
  });
}

/** The lines of a journal with the numbers that the devices of the roots have now. */
function withDevicesOf(
  records: JournalRecords,
  was: readonly RootIdentity[],
  now: readonly RootIdentity[],
): JournalRecords {
  const numbers = new Map(was.map(({ dev }, at) => [dev, now[at]?.dev ?? dev]));
  if ([...numbers].every(([old, number]) => old === number)) return records;
  // Text in a string has its quotes escaped, so this is always a member.
  const text = JSON.stringify(records).replaceAll(
    /"dev":"(\d+)"/g,
    (_member, dev: string) => `"dev":"${numbers.get(dev) ?? dev}"`,
  );
  return JSON.parse(text) as JournalRecords;
}
