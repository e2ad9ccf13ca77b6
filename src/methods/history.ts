/**
 * The methods about the changes that were made: they are listed and undone.
 */
import { asMethod, changeJob } from "../pipeline/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import { refuseReadOnly } from "./refuse-read-only.ts";
import * as z from "zod";

const listMethod: Method = defineMethod({
  name: "ringfence/history/list",
  summary: "Lists the changes that were made, newest first.",
  result:
    "`{transactions: [{transaction, at, tool, summary, paths, bytes, proposal?, undoes?, undone_by?, conflict?, left?, cannot_undo?}]}`; `left` are the paths that a recovery found changed by somebody else; `cannot_undo` says why one cannot be undone now, with `check`.",
  params: z.strictObject({
    check: z.boolean().optional().describe("Whether each can be undone too, which looks at its files"),
  }),
  order: "look",
  answer: async (host, { check }, call) => ({
    transactions: await changeJob(host, "history", { check }, asMethod(call)),
  }),
});

const undoMethod: Method = defineMethod({
  name: "ringfence/history/undo",
  summary:
    "Takes a change back, if its files are still what it left. On a host that only reads (`read_only`) it fails as `denied`, but for a dry run.",
  result:
    "`{transaction, summary, canUndo, error?, diff?, files, insertions, deletions, undo?, skipped?}`; `files` is what the undo does, `undo` its own transaction, `skipped` the newer ones that cannot be undone, and why. A dry run has the `diff`. A `stale` failure has the difference in `details.diff`.",
  params: z.strictObject({
    transaction: z.string().optional().describe("The id of the change; default: the last that can be undone"),
    dry_run: z.boolean().optional().describe("Whether only to say what would be done; nothing changes then"),
  }),
  order: "change",
  async answer(host, input, call) {
    const { transaction, dry_run: isDryRun } = input;
    if (isDryRun) return await changeJob(host, "undo", input, asMethod(call));
    refuseReadOnly(host, "undo a change");
    // The undo is on record before it happens, like any other change.
    host.audit.record("undoing", { transaction });
    host.audit.ensureWritten();
    const undone = await changeJob(host, "undo", input, asMethod(call));
    host.policy.baselines.noteChange(undone.files, true);
    host.audit.record("undone", { transaction: undone.transaction, by: undone.undo });
    return undone;
  },
});

export const historyMethods: readonly Method[] = [listMethod, undoMethod];
