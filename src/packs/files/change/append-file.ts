/**
 * Text at the end of a file.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const appendFile: ChangeTool = defineTool({
  name: "append_file",
  title: "Append to file",
  summary:
    "Adds text at the end of a file, with the line ending and encoding that the file has; creates the file when it is missing. The text is added as it is: begin it with a newline if the file does not end in one.",
  effect: "change",
  input: () =>
    z.strictObject({
      path: fields.path("The file"),
      content: z.string().min(1).max(limits.MAX_WRITE_BYTES).describe("The text to add."),
      if_hash: fields.ifHash(),
    }),
  output: fields.changeResult,
  access: (input) => [{ path: input.path, mode: "write" }],
  plan: ({ path, content, if_hash }) => ({ changes: [{ op: "append", path, content, ifHash: if_hash }] }),
});
