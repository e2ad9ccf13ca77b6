/**
 * `ringfence undo`: takes a change back, if what it left is still there.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { Failure, failureText } from "../../base/index.ts";
import type { Host } from "../../host/index.ts";
import type { Undone } from "../../calls/index.ts";
import { configFlags, JSON_FLAG, parseFlags, STATE_FLAG } from "../flags.ts";
import { askHost, openRootlessHost } from "../open-host.ts";
import { messages, printJson, printText } from "../print.ts";
import { EXIT, type ExitCode } from "../usage-error.ts";
import { wholeId, type KnownId } from "../whole-id.ts";

const FLAGS: ArgsDef = {
  ...STATE_FLAG,
  ...JSON_FLAG,
  "dry-run": { type: "boolean", description: "Show what would happen, with its diff, and change nothing." },
};

export const undoCommand: CommandDef = defineCommand({
  meta: {
    name: "undo",
    description: "Take back the last change that can be taken back, or the one with this ID.",
  },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS, 1);
    const [given] = typed.positionals;
    using host = await openRootlessHost(configFlags(typed));
    try {
      const params = {
        ...(given === undefined ? {} : { transaction: await wholeId(given, () => transactionsOf(host)) }),
        ...(typed.has("dry-run") ? { dry_run: true } : {}),
      };
      const answer = await askHost(host, "ringfence/history/undo", params);
      if (typed.has("json")) printJson(answer, 2);
      else {
        for (const { transaction: newer, summary, error } of answer.skipped ?? [])
          messages().warn(`Passed over ${newer} (${summary}): ${error}`);
        printText(describe(answer));
      }
      return answer.canUndo ? EXIT.ok : EXIT.failed;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      messages().error(failureText(thrown.data));
      const diff = thrown.data.details?.["diff"];
      if (typeof diff === "string" && diff !== "") messages().log(`What the undo would change now:\n${diff}`);
      return EXIT.failed;
    }
  },
});

async function transactionsOf(host: Host): Promise<KnownId[]> {
  const { transactions } = await askHost(host, "ringfence/history/list", {});
  return transactions.map(({ transaction, summary }) => ({ id: transaction, what: summary }));
}

function describe({ transaction, summary, canUndo, error, diff, files, insertions, deletions, undo }: Undone): string {
  const head = undo
    ? `Undone: ${summary} (transaction ${transaction}, by ${undo})`
    : canUndo
      ? `Would undo: ${summary} (transaction ${transaction})`
      : `Cannot undo ${transaction}: ${error}`;
  const lines = files.map(
    ({ path, operation, source }) => `  ${operation} ${source === undefined ? "" : `${source} -> `}${path}`,
  );
  return [head, ...lines, `  +${insertions} -${deletions} lines`, ...(diff ? ["", diff] : [])].join("\n");
}
