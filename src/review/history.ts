/**
 * The changes that were made, as a reviewer sees them beside the queue: newest first, with what can be undone, and what a
 * reviewer has just applied marked.
 */
import type { Transaction } from "../calls/index.ts";

export interface HistoryEntry {
  readonly transaction: string;
  readonly title: string;
  readonly tool: string;
  readonly ageMs: number;
  readonly paths: readonly string[];
  /** undone: a later transaction has taken it back. undo: it takes one back itself. */
  readonly state: "made" | "undone" | "undo";
  /** Whether this review has applied it. */
  readonly isOwn: boolean;
  /** Why it cannot be undone. */
  readonly problem: string | undefined;
}

/** @param own the transactions of this review. @param nowMs milliseconds since 1970 */
export function historyEntries(
  transactions: readonly Transaction[],
  own: ReadonlySet<string>,
  nowMs: number,
): readonly HistoryEntry[] {
  return transactions.map(({ transaction, at, tool, summary, paths, undoes, undone_by, cannot_undo: problem }) => ({
    transaction,
    title: summary,
    tool,
    ageMs: Math.max(0, nowMs - Date.parse(at)),
    paths,
    state: undone_by === undefined ? (undoes === undefined ? "made" : "undo") : "undone",
    isOwn: own.has(transaction),
    problem,
  }));
}

/** What `u` takes back: what was applied last in this review and still stands. */
export function lastOwn(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  return entries.find(({ isOwn, state }) => isOwn && state === "made");
}
