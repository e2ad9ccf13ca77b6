/**
 * Another name for a file, link or tree.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const move: ChangeTool = defineTool({
  name: "move",
  title: "Move or rename",
  summary:
    "Moves or renames a file, link or directory. destination is the full new path, not the directory to put it in. Never overwrites unless overwrite is true. A link is moved itself.",
  aliases: ["rename", "move_file"],
  effect: "change",
  destructive: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      source: fields.path("What to move"),
      destination: fields.path("The new path"),
      overwrite: z.boolean().optional().describe("Replace a file that is there. Default false."),
      if_hash: fields.ifHash(),
    }),
  output: fields.changeResult,
  access: (input) => [
    { path: input.source, mode: "remove" },
    { path: input.destination, mode: "write" },
  ],
  parameterAliases: { path: "source" },
  plan: ({ source, destination, overwrite, if_hash }) => ({
    changes: [{ op: "move", source, destination, overwrite: overwrite ?? false, recursive: true, ifHash: if_hash }],
  }),
});
