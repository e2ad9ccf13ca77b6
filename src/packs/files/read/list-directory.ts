/**
 * What is in a directory: names, types, sizes, times.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { countsOf, defineTool, type ReadTool } from "../../../contract/index.ts";
import { nextCall, noteOf, sizeAndTime } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { describeShown, describeSkipped } from "./search-totals.ts";

/** As `ls -F` marks them. */
const MARKS: Readonly<Record<string, string>> = {
  directory: "/",
  symlink: "@",
  fifo: "|",
  socket: "=",
  device: "#",
};

export const listDirectory: ReadTool = defineTool({
  name: "list_directory",
  title: "List directory",
  summary: `Lists a directory: name, type, size and modification time, sorted, at most ${limits.MAX_LIST_ENTRIES} entries (and about 32 KB, unless you give a limit). Directories end in "/". With recursive: true also what is below, leaving out what ignore files name.`,
  aliases: ["list", "listdir", "ls", "file.list"],
  effect: "read",
  core: true,
  pages: true,
  input: () =>
    z.strictObject({
      path: fields.optionalPath(),
      recursive: z.boolean().optional().describe("Also list what is below. Default false."),
      depth: fields.depth(),
      hidden: fields.hidden(),
      no_ignore: fields.noIgnore(),
      exclude: fields.exclude(),
      sort: z
        .enum(["name", "size", "mtime"])
        .optional()
        .describe("name: by path; size: largest first; mtime: newest first. Default name."),
      limit: fields.listLimit(),
      cursor: fields.cursor(),
    }),
  output: () =>
    z.looseObject({
      entries: z.array(z.looseObject({ path: z.string(), type: z.string() })),
      ...fields.counted(),
      ...fields.cut(),
    }),
  access: (input) => [{ path: input.path ?? ".", mode: "metadata", deep: true }],
  idempotent: true,
  async run(input, ctx) {
    const { path = ".", ...same } = input;
    const answer = await ctx.search.list({ ...same, path });
    const lines = answer.entries.map((entry) => {
      const mark = MARKS[entry.type] ?? "";
      return `${entry.path}${mark}\t${entry.type === "directory" ? entry.mtime : sizeAndTime(entry)}`;
    });
    const counts = countsOf(answer.totals.entries, answer.entries.length, answer.totals.at_least);
    const skipped = describeSkipped(answer.totals);
    const empty = skipped === "" ? "The directory is empty." : "Nothing to list.";
    const text = lines.length === 0 ? empty : lines.join("\n");
    const note = noteOf(
      answer.truncated && describeShown(counts, "entry", "entries"),
      skipped,
      answer.stopped_by &&
        !answer.next &&
        'the search was stopped and cannot be gone on with: narrow it, or pass sort: "name"',
      nextCall("list_directory", answer.next),
    );
    return { text, note, structured: { ...answer, ...counts }, truncated: answer.truncated };
  },
});
