/**
 * How much is below a directory, and where.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { countsOf, defineTool, type ReadTool } from "../../../contract/index.ts";
import { count, formatBytes } from "../../../text/index.ts";
import { noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { describeShown, describeSkipped } from "./search-totals.ts";

export const diskUsage: ReadTool = defineTool({
  name: "disk_usage",
  title: "Disk usage",
  summary:
    "Adds up the sizes of everything below a directory and names the largest children. Files with several names are counted once. Nothing is left out but what is denied or unreadable, and that is counted.",
  effect: "read",
  long: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      path: fields.optionalPath(),
      depth: z.number().int().min(1).max(20).optional().describe("Levels of children to name. Default 1."),
      limit: z.number().int().min(1).max(1000).optional().describe("Children to name, largest first. Default 20."),
    }),
  output: () =>
    z.looseObject({
      bytes: z.number(),
      files: z.number(),
      directories: z.number(),
      children: z.array(z.looseObject({ path: z.string(), bytes: z.number() })),
      ...fields.counted(),
    }),
  access: (input) => [{ path: input.path ?? ".", mode: "metadata", deep: true }],
  idempotent: true,
  async run(input, ctx) {
    const answer = await ctx.search.usage({ ...input, path: input.path ?? "." });
    const head = `${formatBytes(answer.bytes)} in ${count(answer.files, "file")} and ${count(answer.directories, "directory", "directories")}`;
    const rows = answer.children.map(
      (child) => `${formatBytes(child.bytes)}\t${child.path}${child.type === "directory" ? "/" : ""}`,
    );
    const counts = countsOf(answer.totals.children, answer.children.length, answer.totals.at_least);
    const note = noteOf(describeSkipped(answer.totals), answer.truncated && describeShown(counts, "child", "children"));
    const structured = { ...answer, ...counts };
    return { text: [head, ...rows].join("\n"), note, structured, truncated: answer.truncated };
  },
});
