/**
 * Which of the tools that there are this host offers: what the profile leaves, what the platform has, whose secrets are set,
 * and which declared commands have a program. A command whose program is missing is left out, as `doctor` and stderr say.
 */
import { hasDesktop, secretFromEnvironment, type Config } from "../config/index.ts";
import type { Tool, ToolListOptions } from "../contract/index.ts";
import { EFFECTS, hiddenByPolicy, type ToolFacts } from "../policy/index.ts";
import { toolFacts } from "../session/index.ts";
import { gitUse } from "../start/index.ts";

/** Why a tool is not offered, or `undefined` when it is. */
export function hiddenBecause(tool: Tool, config: Config): string | undefined {
  const { profile, toolList: tools, readOnly } = config;
  const byPolicy = hiddenByPolicy(toolFacts(tool), { profile, tools, readOnly });
  if (byPolicy !== undefined) return byPolicy;
  if (tool.operations?.every((one) => isOff(one, config))) return "every operation of it is off";
  if (EFFECTS[tool.effect].isOnScreen && !hasDesktop()) return "there is no desktop here";
  const git = tool.needs?.includes("git") === true ? gitUse(config) : undefined;
  if (git && "off" in git) return git.off;
  const missing = (tool.secrets ?? []).filter((name) => secretFromEnvironment(name) === undefined);
  return missing.length === 0 ? undefined : `the secret ${missing.join(", ")} is not set in the environment`;
}

/** Whether an operation that is this tool is none here. */
export function isOff(tool: ToolFacts, { profile, toolList: tools, readOnly }: PolicyOf): boolean {
  return hiddenByPolicy(tool, { profile, tools, readOnly }) !== undefined;
}

type PolicyOf = Pick<Config, "profile" | "toolList" | "readOnly">;

/** How a host with this configuration describes its tools. */
export function listOptionsOf(config: Config): ToolListOptions {
  return {
    structured: config.results === "structured",
    showsAtOnce: config.mode === "bypass",
    isOff: (tool) => isOff(tool, config),
  };
}
