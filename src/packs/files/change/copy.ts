/**
 * A second file, link or tree like the first.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const copy: ChangeTool = defineTool({
  name: "copy",
  title: "Copy",
  summary:
    "Copies a file or link, or with recursive: true a directory with all that is in it. destination is the full new path. Never overwrites unless overwrite is true.",
  aliases: ["copy_file"],
  effect: "change",
  destructive: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      source: fields.path("What to copy"),
      destination: fields.path("The path of the copy"),
      overwrite: z.boolean().optional().describe("Replace a file that is there. Default false."),
      recursive: z.boolean().optional().describe("Copy a directory. Default false."),
      if_hash: fields.ifHash(),
    }),
  output: fields.changeResult,
  access: (input) => [
    { path: input.source, mode: "read" },
    { path: input.destination, mode: "write" },
  ],
  parameterAliases: { path: "source" },
  plan: ({ source, destination, overwrite, recursive, if_hash }) => ({
    changes: [
      {
        op: "copy",
        source,
        destination,
        overwrite: overwrite ?? false,
        recursive: recursive ?? false,
        ifHash: if_hash,
      },
    ],
  }),
});
