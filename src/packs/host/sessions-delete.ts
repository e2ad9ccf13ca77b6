/**
 * Deletes what a session that has ended keeps besides the record. The record of it stays, with proposals, journals and undo: they
 * prove and protect changes.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";

export const sessionsDelete: Tool = defineTool({
  name: "sessions_delete",
  aliases: ["sessions.delete"],
  title: "Delete a session",
  summary:
    "Deletes what an ended session keeps of its own: its saved calls and long outputs. Its record and its undo stay.",
  effect: "change",
  group: "sessions",
  needs: ["sessions"],
  destructive: true,
  idempotent: true,
  parameterAliases: { session: "id", session_id: "id", sessionId: "id" },
  input: () => z.strictObject({ id: z.string().max(80).describe("The id of the session, from sessions_list") }),
  output: () => z.object({ id: z.string(), calls_bytes: z.number(), outputs: z.number() }),
  access: ({ id }) => [{ kind: "record", store: "sessions", key: id, mode: "remove" }],
  async preview({ id }, { sessions }) {
    const { calls_bytes: bytes, outputs } = await sessions.kept({ id });
    return { summary: `Delete of the session ${id}: ${bytes} bytes of calls, ${outputs} outputs`, paths: [] };
  },
  async run({ id }, { sessions }) {
    const deleted = await sessions.delete({ id });
    const text = `Deleted of the session ${id}: ${deleted.calls_bytes} bytes of calls, ${deleted.outputs} outputs. Its record and its undo stay.`;
    return { text, structured: { ...deleted } };
  },
});
