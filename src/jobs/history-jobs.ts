/**
 * What the change worker does about the past: list transactions, undo one, recover what dead hosts have left.
 */
import { Failure, isoTime } from "../base/index.ts";
import type { JobContext } from "../pool/index.ts";
import { Scope } from "../scope/index.ts";
import {
  checkSteps,
  commitChanges,
  invertTransaction,
  recoverTransactions,
  removeMadeParents,
  undoDiff,
  type Inverse,
  type Recovered,
  type TransactionRecord,
} from "../txn/index.ts";
import type { ChangeBench } from "./change-jobs.ts";
import type { ScopeConfig } from "./worker-config.ts";

/** As `ringfence/history/list` shows it. */
export interface HistoryView {
  readonly transaction: string;
  readonly at: string;
  readonly tool: string;
  readonly summary: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly undoes?: string;
  readonly undone_by?: string;
}

export function listHistory(bench: ChangeBench): HistoryView[] {
  return bench.books.history.list().map((record) => ({
    transaction: record.transaction,
    at: isoTime(record.at),
    tool: record.tool,
    summary: record.summary,
    paths: record.files.map(({ absolute }) => absolute),
    bytes: record.bytes,
    ...(record.undoes === undefined ? {} : { undoes: record.undoes }),
    ...(record.undoneBy === undefined ? {} : { undone_by: record.undoneBy }),
  }));
}

export interface UndoInput {
  /** Default: the last one that was not undone and is no undo itself. */
  readonly transaction?: string;
  readonly dry_run?: boolean;
}

export interface UndoAnswer {
  /** The transaction that the answer is about. */
  readonly transaction: string;
  readonly summary: string;
  readonly canUndo: boolean;
  /** Why not. */
  readonly error?: string;
  /** What the undo would change now, when it cannot be made because files have changed since. */
  readonly diff?: string;
  readonly files: readonly { readonly path: string; readonly operation: string }[];
  readonly insertions: number;
  readonly deletions: number;
  /** The transaction that the undo itself is. */
  readonly undo?: string;
}

/** @throws Failure `stale` with `details.diff` when files have changed since; `not_found`; `conflict` */
export function undo(input: UndoInput, bench: ChangeBench, job: JobContext): UndoAnswer {
  const { history } = bench.books;
  const record = input.transaction === undefined ? lastOf(history.list()) : history.get(input.transaction);
  const scope = bench.scopeOf(record.scope as unknown as ScopeConfig);
  const about = {
    transaction: record.transaction,
    summary: record.summary,
    files: record.files.map(({ absolute, operation }) => ({ path: absolute, operation })),
    insertions: record.files.reduce((sum, { removed }) => sum + removed, 0),
    deletions: record.files.reduce((sum, { added }) => sum + added, 0),
  };
  try {
    const inverse = invertTransaction(record, history);
    checkSteps(inverse.sealed.steps, { scope, cancel: job.cancel });
    if (input.dry_run) return { ...about, canUndo: true };
    return { ...about, canUndo: true, undo: commitUndo(record, inverse, scope, bench, job) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const diff = thrown.code === "stale" ? undoDiff(record, scope, history) : "";
    if (input.dry_run)
      return { ...about, canUndo: false, error: thrown.message, ...(diff === "" ? {} : { diff }) };
    throw diff === "" ? thrown : new Failure("stale", thrown.message, { ...thrown.data, details: { diff } });
  }
}

function commitUndo(
  record: TransactionRecord,
  { sealed, contents }: Inverse,
  scope: Scope,
  bench: ChangeBench,
  job: JobContext,
): string {
  const content = (index: number): Uint8Array => contents[index] ?? new Uint8Array();
  const { summary, files } = sealed;
  const about = { tool: "undo", summary, files, scope: record.scope, undoes: record.transaction };
  const ctx = { scope, cancel: job.cancel, content, books: bench.books };
  const { transaction } = commitChanges(sealed, about, ctx);
  removeMadeParents(scope, record);
  return transaction;
}

function lastOf(records: readonly TransactionRecord[]): TransactionRecord {
  const last = records.find(({ undoneBy, undoes, conflict }) => !undoneBy && !undoes && !conflict);
  if (last) return last;
  throw new Failure("not_found", "Cannot undo: there is nothing that can be undone", {
    hint: "Transactions are kept for a week, the newest within a gigabyte.",
  });
}

/** At the start and before every change: what a dead host has begun is finished or taken back first. */
export function recover(bench: ChangeBench): Recovered[] {
  return recoverTransactions(bench.books, (spec) => new Scope(spec as unknown as ScopeConfig));
}
