/**
 * Shows something to the person at the desktop; off where there is none.
 */
import * as z from "zod";
import { defineTool, type ActTool } from "../../contract/index.ts";
import * as fields from "../fields.ts";

export const openPath: ActTool = defineTool({
  name: "open_path",
  title: "Open for the person",
  summary: "Opens a file or directory for the person at this computer, with the system's default application.",
  effect: "show",
  input: () => z.strictObject({ path: fields.path("What to show") }),
  output: () => z.looseObject({ path: z.string(), shown: z.boolean() }),
  access: (input) => [{ path: input.path, mode: "read" }],
  async run({ path }, ctx) {
    await ctx.desktop.open(path);
    return { text: `${path} was handed to the desktop.`, structured: { path, shown: true } };
  },
});
