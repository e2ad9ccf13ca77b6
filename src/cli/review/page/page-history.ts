/**
 * What was changed, for the page, and taking one of it back: first what that would do, and then, when the person has seen it,
 * the undo itself.
 */
import { Failure } from "../../../base/index.ts";
import type { Host } from "../../../host/index.ts";
import type { PageAnswers, PageAsks } from "../../../page/index.ts";
import { escapeControls, escapeLine } from "../../../text/index.ts";
import { askHost } from "../../open-host.ts";

const MAX_TRANSACTIONS = 500;
const MAX_PATHS = 20;

export async function pageHistory(host: Host): Promise<PageAnswers["history"]> {
  const { transactions } = await askHost(host, "ringfence/history/list", {});
  return {
    transactions: transactions.slice(0, MAX_TRANSACTIONS).map((one) => ({
      ...one,
      summary: escapeLine(one.summary),
      paths: one.paths.slice(0, MAX_PATHS).map((path) => escapeLine(path)),
    })),
  };
}

/** @throws Failure `stale` for what cannot be undone now */
export async function undoByPage(host: Host, { transaction, dryRun }: PageAsks["undo"]): Promise<PageAnswers["undo"]> {
  if (!dryRun) host.audit.record("reviewed", { by: "page", transaction, decision: "undo" });
  const undone = await askHost(host, "ringfence/history/undo", { transaction, dry_run: dryRun });
  const { canUndo, error = "its files have changed since", summary, diff } = undone;
  if (dryRun && !canUndo) throw new Failure("stale", `Cannot undo it: ${escapeLine(error)}`);
  const said = `${dryRun ? "Undo" : "Undone"}: ${escapeLine(summary)}`;
  return { said, ...(diff === undefined ? {} : { diff: escapeControls(diff) }) };
}
