/**
 * What an object is, without reading it and without following a link out.
 */
import * as z from "zod";
import { defineTool, type ReadTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const stat: ReadTool = defineTool({
  name: "stat",
  title: "File status",
  summary:
    "Tells what is at a path: type, size, times, mode, owner, link target; with hash: true also the sha256 of a file's content, with kind: true whether it is binary. A link is described, not followed.",
  aliases: ["file_stat"],
  effect: "read",
  input: () =>
    z.strictObject({
      path: fields.path("The file, directory or link"),
      hash: z.boolean().optional().describe("Also compute the content hash. Default false."),
      kind: z.boolean().optional().describe("Also say whether a file is binary, and its MIME type. Default false."),
    }),
  output: () =>
    z.looseObject({
      path: z.string(),
      type: z.string(),
      size: z.number(),
      mtime: z.string(),
      mode: z.string(),
      hash: z.string().optional(),
      binary: z.boolean().optional(),
      mime: z.string().optional(),
    }),
  access: (input) => [{ path: input.path, mode: "metadata" }],
  idempotent: true,
  async run(input, ctx) {
    const answer = await ctx.files.stat(input);
    const lines = Object.entries(answer).map(
      ([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
    );
    return { text: lines.join("\n"), structured: { ...answer } };
  },
});
