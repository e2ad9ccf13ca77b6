/**
 * Files by the pattern of their path, newest first, with a count of what was left out.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { countsOf, defineTool, type ReadTool } from "../../../contract/index.ts";
import { nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { describeShown, describeTotals } from "./search-totals.ts";

export const glob: ReadTool = defineTool({
  name: "glob",
  title: "Find files by pattern",
  summary:
    "Finds files whose path matches a glob pattern such as `src/**/*.ts` or `**/*.{js,ts}`. Newest first, 1000 and about 32 KB unless a limit asks for more. What ignore files leave out is counted in the note; an explicit path wins over them.",
  aliases: ["Glob"],
  effect: "read",
  core: true,
  pages: true,
  long: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      pattern: z
        .string()
        .describe(
          "The glob pattern, matched against the path below `path`. `*` stays in one directory, `**` crosses them.",
        ),
      path: fields.optionalPath(),
      hidden: fields.hidden(),
      no_ignore: fields.noIgnore(),
      exclude: fields.exclude(),
      directories: z.boolean().optional().describe("Also directories and links that match; by path."),
      sort: z.enum(["mtime", "name"]).optional().describe("mtime: newest first; name: by path. Default mtime."),
      limit: fields.limit(limits.MAX_PATHS, "Paths to return.", limits.USUAL_PATHS),
      cursor: fields.cursor(),
    }),
  output: () => z.looseObject({ paths: z.array(z.string()), ...fields.counted(), ...fields.cut() }),
  access: (input) => [{ path: input.path ?? ".", mode: "metadata", deep: true }],
  idempotent: true,
  async run(input, ctx) {
    const { path = ".", ...same } = input;
    const answer = await ctx.search.glob({ ...same, path });
    const text = answer.paths.length === 0 ? "No files match." : answer.paths.join("\n");
    const counts = countsOf(answer.totals.paths, answer.paths.length, answer.totals.at_least);
    const note = noteOf(
      answer.truncated && describeShown(counts, "path", "paths"),
      ...describeTotals(answer),
      "hint" in answer && typeof answer.hint === "string" && answer.hint,
      nextCall("glob", answer.next),
    );
    return { text, note, structured: { ...answer, ...counts }, truncated: answer.truncated };
  },
});
