/**
 * A directory as an indented tree, within a budget.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { countsOf, defineTool, type ReadTool } from "../../../contract/index.ts";
import { nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { describeShown, describeSkipped } from "./search-totals.ts";

export const tree: ReadTool = defineTool({
  name: "tree",
  title: "Directory tree",
  summary:
    "Shows a directory as an indented tree, a few levels deep, without what ignore files name. Large directories are cut so that every part of the tree gets a share; the note says what is missing.",
  effect: "read",
  pages: true,
  long: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      path: fields.optionalPath(),
      depth: z.number().int().min(1).max(100).optional().describe("Levels of directories. Default 4."),
      hidden: fields.hidden(),
      no_ignore: fields.noIgnore(),
      limit: fields.listLimit(),
    }),
  output: () => z.looseObject({ text: z.string(), ...fields.counted(), ...fields.cut() }),
  access: (input) => [{ path: input.path ?? ".", mode: "metadata", deep: true }],
  idempotent: true,
  async run(input, ctx) {
    const { path = ".", ...same } = input;
    const answer = await ctx.search.tree({ ...same, path });
    const counts = countsOf(answer.totals.entries, answer.entries, answer.totals.at_least);
    const note = noteOf(
      answer.truncated && describeShown(counts, "entry", "entries"),
      describeSkipped(answer.totals),
      nextCall("tree", answer.next),
    );
    return { text: answer.text, note, structured: { ...answer, ...counts }, truncated: answer.truncated };
  },
});
