/**
 * What was changed, for the page, and taking one of it back: first what that would do, and then, when the person has seen it,
 * the undo itself.
 */
import { Failure, nowMs } from "../../../base/index.ts";
import type { Host } from "../../../host/index.ts";
import type { PageAnswers, PageAsks } from "../../../page/index.ts";
import { historyEntries, lastOwn } from "../../../review/index.ts";
import { escapeControls, escapeLine } from "../../../text/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

const MAX_TRANSACTIONS = 500;
const MAX_PATHS = 20;

/** @param own what was applied on this page */
export async function pageHistory(desk: ReviewDesk, own: ReadonlySet<string>): Promise<PageAnswers["history"]> {
  const transactions = await desk.history();
  const entries = historyEntries(transactions.slice(0, MAX_TRANSACTIONS), own, nowMs());
  return {
    entries: entries.map((entry) => ({
      ...entry,
      title: escapeLine(entry.title),
      paths: entry.paths.slice(0, MAX_PATHS).map((path) => escapeLine(path)),
    })),
  };
}

interface Undoing {
  readonly host: Host;
  readonly desk: ReviewDesk;
  readonly own: ReadonlySet<string>;
}

/** @throws Failure `stale` for what cannot be undone now, `not_found` where nothing was applied here */
export async function undoByPage(
  { host, desk, own }: Undoing,
  { transaction: given, dryRun }: PageAsks["undo"],
): Promise<PageAnswers["undo"]> {
  const transaction = given ?? lastOwn(historyEntries(await desk.history(), own, nowMs()))?.transaction;
  if (transaction === undefined)
    throw new Failure("not_found", "Nothing was applied in this review that could be taken back.", {
      hint: "History shows what was applied before.",
    });
  if (!dryRun) host.audit.record("reviewed", { by: "page", transaction, decision: "undo" });
  const { canUndo, error = "its files have changed since", summary, diff = "" } = await desk.undo(transaction, dryRun);
  if (dryRun && !canUndo) throw new Failure("stale", `Cannot undo it: ${escapeLine(error)}`);
  const said = `${dryRun ? "Undo" : "Undone"}: ${escapeLine(summary)}`;
  return { said, transaction, diff: escapeControls(diff) };
}
