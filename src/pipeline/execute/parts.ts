/**
 * What `system_info` says beside the facts of a host: its packs, who reaches a network, what is off and why, the other servers
 * that it speaks to, and its spaces.
 */
import type { Tool } from "../../contract/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import { builtinTools } from "../../packs/index.ts";
import { OPTIONAL_PACKS } from "../../packs/optional.ts";
import { describePack, viewOff, type PackView } from "../../session/index.ts";
import { gitUse } from "../../start/index.ts";
import { describeView } from "../../upstream/index.ts";
import type { Services } from "../services.ts";
import { describeReach, reachOf } from "./reach.ts";

export async function withParts(host: Services, outcome: Outcome): Promise<Outcome> {
  const { upstreams, spaces, config } = host;
  const [packs, servers, reach, off] = [
    await packViews(host),
    upstreams?.views(),
    reachOf(config, await host.packs.networks()),
    await offTools(host),
  ];
  const lines = [
    ...packs.map(describePack),
    ...describeReach(reach),
    ...off.map(({ tools, why }) => `off: ${tools.join(", ")}: ${why}`),
    ...(servers ?? []).map((view) => `upstream ${describeView(view)}`),
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
      packs,
      reach,
      off,
      ...(servers ? { upstream: servers } : {}),
      ...(spaces ? { spaces: spaces.views() } : {}),
    };
  return { ...outcome, members: JSON.stringify(result).slice(1, -1) };
}

/** Every pack that the configuration can switch on, whether it does or not. */
async function packViews({ packs, config }: Services): Promise<readonly PackView[]> {
  const configured = await packs.views();
  const git = gitUse(config);
  const { PLANS, plansBeside } = await import("../../packs/plans.ts");
  const others = plansBeside(["git", ...configured.map(({ name }) => name)]);
  const views = [...configured.filter(({ name }) => name !== "git"), ...others.map((plan) => viewOff(plan))];
  return [
    {
      ...viewOff(PLANS.git),
      ...("off" in git ? { state: "off", says: [git.off] } : { state: "on", says: [] }),
    },
    ...views.map((view) =>
      view.state === "on" || view.problem ? view : { ...view, says: [howToSwitchOn(view.name)] },
    ),
  ];
}

/** With the least entry that brings a tool of it: where nothing is reached without a list of hosts, `{}` would be none. */
function howToSwitchOn(pack: string): string {
  const tools = new Map(Object.entries(OPTIONAL_PACKS)).get(pack)?.brings() ?? {};
  const [entry = {}] = Object.values(tools);
  return `"packs": {${JSON.stringify(pack)}: ${JSON.stringify(entry)}} in the configuration switches it on`;
}

export interface OffTools {
  readonly tools: readonly string[];
  readonly why: string;
}

/** Tools that there would be, by the reason why they are not offered; those of packs that are off are not among them. */
async function offTools(host: Services): Promise<readonly OffTools[]> {
  const reasons = [...builtinTools, ...(await host.packs.tools())].flatMap((tool: Tool) => {
    const why = host.whyHidden(tool);
    return why === undefined ? [] : [{ name: tool.name, why }];
  });
  const shell =
    host.config.shell?.enabled === true ? [] : [{ name: "shell", why: "the configuration does not enable it" }];
  const groups = Map.groupBy([...reasons, ...shell], ({ why }) => why);
  return [...groups].map(([why, all]) => ({ tools: all.map(({ name }) => name), why }));
}
