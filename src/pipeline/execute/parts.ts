/**
 * What `system_info` says beside the facts of a host: its packs, the other servers that it speaks to, and its spaces.
 */
import type { Outcome } from "../../mcp/index.ts";
import { describePack } from "../../session/index.ts";
import { describeView } from "../../upstream/index.ts";
import type { Services } from "../services.ts";

export async function withParts({ packs, upstreams, spaces }: Services, outcome: Outcome): Promise<Outcome> {
  const [packViews, serverViews] = [await packs.views(), upstreams?.views()];
  if (packViews.length === 0 && !upstreams && !spaces) return outcome;
  const lines = [
    ...packViews.map(describePack),
    ...(serverViews ?? []).map((view) => `upstream ${describeView(view)}`),
    ...(spaces?.lines() ?? []),
  ];
  const result = JSON.parse(`{${outcome.members}}`) as {
    content: { type: string; text: string }[];
    structuredContent?: Readonly<Record<string, unknown>>;
  };
  const shown = result.content.at(-1);
  if (shown) shown.text += `\n${lines.join("\n")}`;
  if (result.structuredContent)
    result.structuredContent = {
      ...result.structuredContent,
      ...(packViews.length > 0 ? { packs: packViews } : {}),
      ...(serverViews ? { upstream: serverViews } : {}),
      ...(spaces ? { spaces: spaces.views() } : {}),
    };
  return { ...outcome, members: JSON.stringify(result).slice(1, -1) };
}
