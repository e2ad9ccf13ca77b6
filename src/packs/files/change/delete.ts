/**
 * Away with a file, link or tree, into the undo store.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const deletePath: ChangeTool = defineTool({
  name: "delete",
  title: "Delete",
  summary:
    "Deletes a file or link, or with recursive: true a directory with all that is in it. A link is deleted itself, not what it points to. What is deleted is kept for a while in the host's undo store; the proposal says what of it cannot be kept.",
  aliases: ["remove"],
  effect: "change",
  destructive: true,
  removes: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      path: fields.path("What to delete"),
      recursive: z.boolean().optional().describe("Delete a directory that is not empty. Default false."),
      if_hash: fields.ifHash(),
    }),
  output: fields.changeResult,
  access: (input) => [{ path: input.path, mode: "remove" }],
  plan: ({ path, recursive, if_hash }) => ({
    changes: [{ op: "delete", path, recursive: recursive ?? false, ifHash: if_hash }],
  }),
});
