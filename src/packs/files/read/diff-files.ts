/**
 * What differs between two files, or between a file and a text that the caller has.
 */
import * as z from "zod";
import { defineTool, type ReadTool } from "../../../contract/index.ts";
import { nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";

export const diffFiles: ReadTool = defineTool({
  name: "diff_files",
  title: "Compare files",
  summary:
    "Shows the unified diff from file a to file b, or from file a to a given text: about 32 KB of it, and the note says how to read the rest.",
  effect: "read",
  pages: true,
  input: () =>
    z
      .strictObject({
        a: fields.path("The first file"),
        b: z.string().optional().describe("The second file. Give this or text."),
        text: z.string().optional().describe("The text to compare with. Give this or b."),
        context: z.number().int().min(0).max(100).optional().describe("Unchanged lines around each change. Default 3."),
      })
      .refine((input) => (input.b === undefined) !== (input.text === undefined), fields.rule("Give either b or text.")),
  output: () =>
    z.looseObject({
      diff: z.string(),
      added: z.number(),
      removed: z.number(),
      identical: z.boolean(),
      truncated: z.boolean(),
    }),
  access: (input) =>
    [input.a, ...(input.b === undefined ? [] : [input.b])].map((path) => ({ path, mode: "read" as const })),
  parameterAliases: { path: "a", file_a: "a", file_b: "b", old: "a", new: "b" },
  idempotent: true,
  async run(input, ctx) {
    const answer = await ctx.files.diff(input);
    const text = answer.identical ? "The two are identical." : answer.diff;
    const { lines = 0, total_lines: total, spill } = answer;
    return {
      text,
      note: noteOf(
        !answer.identical && `+${answer.added} -${answer.removed} lines`,
        answer.truncated && `lines 1-${lines} of ${total} of the diff`,
        answer.secrets !== undefined && "secrets in it are replaced by placeholders",
        spill && nextCall("read_file", { path: spill.id, offset: lines + 1 }),
      ),
      structured: { ...answer },
      truncated: answer.truncated,
    };
  },
});
