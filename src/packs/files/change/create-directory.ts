/**
 * A directory and the parents it needs.
 */
import * as z from "zod";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const createDirectory: ChangeTool = defineTool({
  name: "create_directory",
  title: "Create directory",
  summary: "Creates a directory and any missing parents. An existing directory is fine.",
  aliases: ["mkdir"],
  effect: "change",
  input: () => z.strictObject({ path: fields.path("The directory") }),
  output: fields.changeResult,
  access: (input) => [{ path: input.path, mode: "write" }],
  idempotent: true,
  plan: ({ path }) => ({ changes: [{ op: "create_directory", path }] }),
});
