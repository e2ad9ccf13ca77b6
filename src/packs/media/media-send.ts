/**
 * `media_send`: a file for the person, beside what the model says. A client shows what is meant for its user by the mark that
 * MCP has for that; what is too large to stand in a message is kept for a day, and linked.
 */
import * as z from "zod";
import { defineTool, type Tool, type ToolResult } from "../../contract/index.ts";
import { formatBytes } from "../../text/index.ts";
import { accessOf, oneSource, sourceFields } from "./sent-bytes.ts";

const MAX_INLINE_BYTES: number = 768 * 1024;
/** The person and not the model. */
const FOR_PERSON = { audience: ["user"] } as const;

export const mediaSend: Tool = defineTool({
  name: "media_send",
  title: "Send to the user",
  summary:
    "Sends a picture, a sound or another file to the user, not to you. Images and sound up to 768 KB are shown in the answer; what is larger, and any other file, is linked.",
  aliases: ["media.send"],
  group: "media",
  effect: "read",
  needs: ["files"],
  input: () =>
    z.strictObject({
      ...sourceFields("The file"),
      filename: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^/\\\p{Cc}]+$/u)
        .optional()
        .describe("What it is called for the user. Default: the name of the file."),
      caption: z.string().max(2000).optional().describe("A line that belongs to it."),
    }),
  output: () =>
    z.looseObject({ name: z.string(), mime: z.string(), size: z.number(), kind: z.enum(["image", "audio", "file"]) }),
  access: accessOf,
  async run(input, ctx): Promise<ToolResult> {
    const { filename, caption } = input;
    const sent = await ctx.files.attach({ ...oneSource(input), filename, maxInlineBytes: MAX_INLINE_BYTES });
    const { data, kept, ...about } = sent;
    const { name, mime, size, kind } = about;
    const how = kept === undefined ? "in this answer" : "as a link";
    return {
      text: `${name} (${mime}, ${formatBytes(size)}) goes to the user ${how}${caption === undefined ? "." : `: ${caption}`}`,
      structured: { ...about, ...(caption === undefined ? {} : { caption }), linked: kept !== undefined },
      ...(kept === undefined
        ? { links: [{ type: kind, data, mimeType: mime, annotations: FOR_PERSON }] }
        : { kept: [{ id: kept, name, mime, size, annotations: FOR_PERSON }] }),
    };
  },
});
