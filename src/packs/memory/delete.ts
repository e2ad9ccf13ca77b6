/**
 * `memory_delete`: a note goes, and can be brought back by undo.
 */
import * as z from "zod";
import { defineTool, type ChangeTool } from "../../contract/index.ts";
import { changeResult } from "../fields.ts";
import { namespaceField, noteTarget } from "./namespace-field.ts";

export const memoryDelete: ChangeTool = defineTool({
  name: "memory_delete",
  title: "Delete from memory",
  summary:
    "Deletes a whole note. A person is asked, and undo brings it back. For one entry of it use memory_write with mode replace.",
  aliases: ["memory.delete"],
  effect: "change",
  group: "memory",
  remembers: true,
  destructive: true,
  removes: true,
  input: () =>
    z.strictObject({
      namespace: namespaceField("The note"),
      if_hash: z.string().optional().describe("The hash that the note must have now, as memory_read gave it."),
    }),
  output: changeResult,
  access: ({ namespace }) => [noteTarget(namespace, "remove")],
  plan: ({ namespace, if_hash }) => ({ changes: [{ op: "forget", namespace, ifHash: if_hash }] }),
});
