/**
 * `ringfence history`: the changes that were made, newest first, and which of them cannot be undone any more.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import type { Transaction } from "../../calls/index.ts";
import { configFlags, JSON_FLAG, parseFlags, STATE_FLAG } from "../flags.ts";
import { askHost, openRootlessHost } from "../open-host.ts";
import { messages, printJson, printTable } from "../print.ts";
import { EXIT, type ExitCode } from "../usage-error.ts";

const FLAGS: ArgsDef = { ...STATE_FLAG, ...JSON_FLAG };

export const historyCommand: CommandDef = defineCommand({
  meta: { name: "history", description: "List the changes that were made, and which can be undone." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS);
    using host = await openRootlessHost(configFlags(typed));
    const { transactions } = await askHost(host, "ringfence/history/list", { check: true });
    if (typed.has("json")) printJson(transactions, 2);
    else if (transactions.length === 0)
      messages().info(`Nothing was changed, or nothing of it is kept, in ${host.config.stateDir}.`);
    else
      printTable([
        ["ID", "AT", "CHANGE", ""],
        ...transactions.map((view) => [view.transaction, view.at, view.summary, markOf(view)]),
      ]);
    return EXIT.ok;
  },
});

function markOf({ undone_by: undoneBy, conflict, cannot_undo: why }: Transaction): string {
  if (undoneBy !== undefined) return "(undone)";
  if (conflict) return "(taken back after a crash, as far as it could be)";
  return why === undefined ? "" : `(${why.charAt(0).toLowerCase()}${why.slice(1)})`;
}
