/**
 * Several files in one call with one budget; a file that cannot be read does not lose the others.
 */
import * as z from "zod";
import { failureText, limits } from "../../../base/index.ts";
import { defineTool, type ReadTool } from "../../../contract/index.ts";
import { nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { describeRead } from "./read-file.ts";

const part = () =>
  z.strictObject({
    path: fields.path("The file"),
    offset: z.number().int().optional().describe("First line, 1-based; negative counts from the end. Default 1."),
    limit: z.number().int().min(1).optional().describe("Lines to return. Default 2000, and a share of about 32 KB."),
  });

export const readFiles: ReadTool = defineTool({
  name: "read_files",
  title: "Read files",
  summary:
    "Reads several text files in one call: about 32 KB together, or up to 1 MB where files have a limit. Each file stands under a line `==> path <==` and a note with its hash. A file that cannot be read is reported in its place, and the others are still returned.",
  effect: "read",
  pages: true,
  input: () =>
    z.strictObject({
      files: z
        .array(part())
        .min(1)
        .max(limits.MAX_READ_FILES)
        .describe("The files, with a range of lines each if wanted."),
    }),
  output: () => z.looseObject({ files: z.array(z.looseObject({ path: z.string() })), truncated: z.boolean() }),
  access: (input) => input.files.map(({ path }) => ({ path, mode: "read" as const })),
  idempotent: true,
  async run(input, ctx) {
    const answer = await ctx.files.readMany(input);
    const read: { path: string; hash: string }[] = [];
    const blocks = answer.files.map((file) => {
      if (file.kind === "failed") return `==> ${file.path} <==\n${failureText(file.failure)}\n`;
      const shown = describeRead(file);
      read.push(...(shown.read ?? []));
      const lines = [`==> ${file.path} <==`, shown.note ?? "", shown.text].filter((one) => one !== "");
      return lines.map((one) => (one.endsWith("\n") ? one : `${one}\n`)).join("");
    });
    const note = noteOf(answer.truncated && "the budget of one call is used up", nextCall("read_files", answer.next));
    return { text: blocks.join(""), note, structured: { ...answer }, truncated: answer.truncated, read };
  },
});
