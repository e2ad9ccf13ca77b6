/**
 * The sessions that are on record, for a model that is to tidy up or to find out what was done before.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";

const MAX_LISTED = 200;

export const sessionsList: Tool = defineTool({
  name: "sessions_list",
  aliases: ["sessions.list"],
  title: "List sessions",
  summary:
    "Lists the sessions of this tool host that are on record, newest first: when, by which client, how many calls.",
  effect: "read",
  group: "sessions",
  needs: ["sessions"],
  input: () =>
    z.strictObject({
      limit: z.number().int().min(1).max(MAX_LISTED).default(20).describe("At most so many sessions. Default 20."),
    }),
  output: () =>
    z.object({
      sessions: z.array(
        z.looseObject({
          id: z.string(),
          state: z.enum(["running", "ended", "crashed"]),
          started: z.string(),
          ended: z.string().optional(),
          client: z.string().optional(),
          calls: z.number(),
          failed: z.number(),
          changes: z.number(),
        }),
      ),
      more: z.boolean(),
    }),
  access: () => [],
  idempotent: true,
  async run({ limit }, { sessions: power }) {
    const { sessions, more } = await power.list({ limit });
    const lines = sessions.map(
      ({ id, state, started, client, calls, failed, changes }) =>
        `${id}  ${state}  ${started}  ${calls} calls, ${failed} failed, ${changes} changes${client === undefined ? "" : `, ${client}`}`,
    );
    const note = more ? `There are older ones: sessions_list {"limit":${Math.min(MAX_LISTED, limit * 2)}}` : undefined;
    return {
      text: lines.length === 0 ? "No sessions." : lines.join("\n"),
      ...(note === undefined ? {} : { note, truncated: true }),
      structured: { sessions, more },
    };
  },
});
