/**
 * `memory_write`: one entry more in a note, or the whole of it anew. Who wrote an entry, when and in which call is put above
 * it by the host.
 */
import * as z from "zod";
import { defineTool, type ChangeTool } from "../../contract/index.ts";
import { limits } from "../../base/index.ts";
import { changeResult } from "../fields.ts";
import { namespaceField, noteTarget } from "./namespace-field.ts";

export const memoryWrite: ChangeTool = defineTool({
  name: "memory_write",
  title: "Write to memory",
  summary:
    "Writes a note that lasts beyond this session, in Markdown. append adds an entry; replace writes the whole note anew, and entries given back as memory_read showed them keep their marks. The host marks each entry with time, client, agent and call: leave such lines as they are. Write what will still be true and useful later, and no secrets.",
  aliases: ["memory.write"],
  effect: "change",
  group: "memory",
  remembers: true,
  destructive: true,
  input: () =>
    z.strictObject({
      namespace: namespaceField("The note"),
      content: z.string().min(1).max(limits.MAX_NOTE_BYTES).describe("The entry, or with mode replace the whole note."),
      mode: z.enum(["append", "replace"]).optional().describe("Default append."),
      if_hash: z
        .string()
        .optional()
        .describe("The hash that the note must have now, as memory_read gave it; otherwise the call fails as stale."),
    }),
  output: changeResult,
  access: ({ namespace }) => [noteTarget(namespace, "write")],
  plan: ({ namespace, content, mode, if_hash }) => ({
    changes: [{ op: "note", namespace, content, mode: mode ?? "append", ifHash: if_hash }],
  }),
});
