/**
 * `ringfence history`: the changes that were made, newest first, and which of them cannot be undone any more. And `ringfence
 * undo`: takes one back, if what it left is still there.
 */
import type { Host } from "../../host/index.ts";
import type { Transaction, Undone } from "../../calls/index.ts";
import { configFlags, EXIT, JSON_FLAG, LIST_FLAGS, STATE_FLAG, type CliCommand } from "../command.ts";
import { askHost, openRootlessHost, wholeId } from "../open-host.ts";
import { messages, printDiff, printDiffs, printJson, printRows, shownAge, tryEach, withProgress } from "../print.ts";

export const historyCommand: CliCommand = {
  about: "List the changes that were made, and which can be undone.",
  flags: { ...STATE_FLAG, ...LIST_FLAGS },
  examples: ["ringfence history", "ringfence history --json"],
  async run(typed) {
    using host = await openRootlessHost(configFlags(typed));
    printRows(await transactionsOf(host, { check: true }), {
      json: typed.has("json"),
      isWide: typed.has("wide"),
      none: `Nothing was changed, or nothing of it is kept, in ${host.config.stateDir}.`,
      heads: ["ID", "AT", "CHANGE", ""],
      rowOf: (view) => [view.transaction, shownAge(view.at), view.summary, markOf(view)],
    });
    return EXIT.ok;
  },
};

async function transactionsOf(host: Host, params: { readonly check?: true } = {}): Promise<readonly Transaction[]> {
  return (await askHost(host, "ringfence/history/list", params)).transactions;
}

function markOf({ undone_by: undoneBy, conflict, cannot_undo: why }: Transaction): string {
  if (undoneBy !== undefined) return "(undone)";
  if (conflict) return "(taken back after a crash, as far as it could be)";
  return why === undefined ? "" : `(${why.charAt(0).toLowerCase()}${why.slice(1)})`;
}

export const undoCommand: CliCommand = {
  about: "Take back the last change that can be taken back, or the one with this ID.",
  takes: "[ID]",
  most: 1,
  flags: {
    ...STATE_FLAG,
    ...JSON_FLAG,
    "dry-run": { about: "Show what would happen, with its diff, and change nothing." },
  },
  examples: ["ringfence undo", "ringfence undo --dry-run", "ringfence undo t_..."],
  async run(typed) {
    using host = await openRootlessHost(configFlags(typed));
    const undo = async (given: string | undefined): Promise<0 | 1> => {
      const params = {
        ...(given === undefined ? {} : { transaction: await wholeId(given, async () => await knownIds(host)) }),
        ...(typed.has("dry-run") ? { dry_run: true } : {}),
      };
      const answer = await withProgress(
        async (report) => await askHost(host, "ringfence/history/undo", params, report),
      );
      if (typed.has("json")) printJson(answer, 2);
      else {
        for (const { transaction: newer, summary, error } of answer.skipped ?? [])
          messages().warn(`Passed over ${newer} (${summary}): ${error}`);
        printDiffs(describe(answer));
      }
      return answer.canUndo ? EXIT.ok : EXIT.failed;
    };
    const tell = "What the undo would change now:";
    return await tryEach([typed.positionals[0]], undo, (failure) => printDiff(failure, tell));
  },
};

async function knownIds(host: Host): Promise<{ id: string; what: string }[]> {
  return (await transactionsOf(host)).map(({ transaction, summary }) => ({ id: transaction, what: summary }));
}

function describe({ transaction, summary, canUndo, error, diff, undo, ...counts }: Undone): string {
  const head = undo
    ? `Undone: ${summary} (transaction ${transaction}, by ${undo})`
    : canUndo
      ? `Would undo: ${summary} (transaction ${transaction})`
      : `Cannot undo ${transaction}: ${error}`;
  const { files, insertions, deletions } = counts;
  const lines = files.map(
    ({ path, operation, source }) => `  ${operation} ${source === undefined ? "" : `${source} -> `}${path}`,
  );
  return [head, ...lines, `  +${insertions} -${deletions} lines`, ...(diff ? ["", diff] : [])].join("\n");
}
