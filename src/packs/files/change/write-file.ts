/**
 * A whole file, new or replaced.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import { ENCODING_NAMES } from "../../../text/index.ts";
import * as fields from "../../fields.ts";

/** Characters of JSON text; one character can be three bytes, and the bytes are checked again when it is encoded. */
const content = () => z.string().max(limits.MAX_WRITE_BYTES);

export const writeFile: ChangeTool = defineTool({
  name: "write_file",
  title: "Write file",
  summary:
    "Creates a file or replaces its whole content; missing directories are made. The content must be complete: placeholders for text that stays are refused. An existing file keeps its encoding, BOM and mode. Use edit_file to change a part.",
  aliases: ["write", "Write", "file.write"],
  effect: "change",
  core: true,
  destructive: true,
  input: () =>
    z.strictObject({
      path: fields.path("The file"),
      content: content().describe("The whole new content; base64 when encoding is base64."),
      encoding: z
        .enum([...ENCODING_NAMES, "base64"])
        .optional()
        .describe("How to store the text. Default: what the file has, else utf-8."),
      overwrite: z.boolean().optional().describe("false: fail when the file exists. Default true."),
      if_hash: fields.ifHash(),
    }),
  output: fields.changeResult,
  access: (input) => [{ path: input.path, mode: "write" }],
  idempotent: true,
  plan: ({ path, content: text, encoding, overwrite, if_hash }) => ({
    changes: [{ op: "write", path, content: text, encoding, overwrite: overwrite ?? true, ifHash: if_hash }],
  }),
});
