/**
 * What the policy needs to know of a tool: its name, what it may do, and where the configuration finds it.
 */
import type { Tool } from "../contract/index.ts";
import type { ToolFacts } from "../policy/index.ts";

export function toolFacts(tool: Tool): ToolFacts {
  const { name, aliases: own, effect, local, group, remembers, sends, profiles, owner } = tool;
  const aliases = owner?.ruledAs ? [...(own ?? []), ...owner.ruledAs] : own;
  return {
    name,
    aliases,
    effect,
    local,
    group,
    ...(remembers ? { remembers } : {}),
    ...(sends ? { sends } : {}),
    profiles,
  };
}
