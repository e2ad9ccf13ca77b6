/**
 * `ringfence history`: what was changed, newest first, as long as it can be undone.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import type { HistoryView } from "../jobs/index.ts";
import { askExtension } from "./ask-extension.ts";
import { configFlags, parseFlags, STATE_FLAG } from "./flags.ts";
import { openRootlessHost } from "./open-host.ts";
import { messages, print, printTable } from "./print.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

const FLAGS: ArgsDef = { ...STATE_FLAG, json: { type: "boolean", description: "Print JSON." } };

export const historyCommand: CommandDef = defineCommand({
  meta: { name: "history", description: "List the changes that were made and can be undone." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS);
    using host = await openRootlessHost(configFlags(typed));
    const { transactions } = (await askExtension(host, "ringfence/history/list", {})) as {
      transactions: HistoryView[];
    };
    if (typed.has("json")) print(JSON.stringify(transactions, null, 2));
    else if (transactions.length === 0) messages().info("Nothing was changed, or nothing of it is kept.");
    else
      printTable([
        ["ID", "AT", "CHANGE", ""],
        ...transactions.map(({ transaction, at, summary, undone_by }) => [
          transaction,
          at,
          summary,
          undone_by === undefined ? "" : "(undone)",
        ]),
      ]);
    return EXIT.ok;
  },
});
