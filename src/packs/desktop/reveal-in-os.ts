/**
 * Shows something to the person at the desktop; off where there is none.
 */
import * as z from "zod";
import { defineTool, type ActTool } from "../../contract/index.ts";
import * as fields from "../fields.ts";

export const revealInOs: ActTool = defineTool({
  name: "reveal_in_os",
  title: "Show in file manager",
  summary: "Shows a file or directory to the person at this computer, in the system's file manager.",
  effect: "show",
  input: () => z.strictObject({ path: fields.path("What to show") }),
  output: () => z.looseObject({ path: z.string(), shown: z.boolean() }),
  access: (input) => [{ path: input.path, mode: "read" }],
  async run({ path }, ctx) {
    await ctx.desktop.reveal(path);
    return { text: `${path} was handed to the desktop.`, structured: { path, shown: true } };
  },
});
