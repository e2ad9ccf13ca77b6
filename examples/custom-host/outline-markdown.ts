/**
 * A tool that reads: the headings of a Markdown file. `defineTool` gives it the powers of its effect and no others, so
 * it can read inside the roots and cannot write anywhere.
 */
import { defineTool, Failure, type ReadTool } from "ringfence";
import { z } from "zod";

export const outlineMarkdown: ReadTool = defineTool({
  name: "outline_markdown",
  title: "Outline a Markdown file",
  summary: "Lists the headings of a Markdown file with their line numbers.",
  effect: "read",
  input: z.strictObject({ path: z.string().describe("The Markdown file, relative to the first root.") }),
  output: z.object({
    headings: z.array(z.object({ line: z.number(), level: z.number(), title: z.string() })),
  }),
  access: ({ path }) => [{ path, mode: "read" }],
  idempotent: true,
  async run({ path }, ctx) {
    // Without a limit it would be a page.
    const file = await ctx.files.read({ path, limit: 100_000 });
    if (file.kind !== "text") throw new Failure("not_text", `Cannot outline "${path}": it is not text`);
    const headings = findHeadings(file.text);
    const text = headings.map(({ line, level, title }) => `${line}\t${"  ".repeat(level - 1)}${title}`);
    return { text: text.join("\n") || "There are no headings.", structured: { headings } };
  },
});

function findHeadings(text: string): { line: number; level: number; title: string }[] {
  return text.split("\n").flatMap((line, index) => {
    const match = /^(#{1,6}) +(.+)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) return [];
    return [{ line: index + 1, level: match[1].length, title: match[2].trim() }];
  });
}
