/**
 * What the policy needs to know of a tool: its name, what it may do, and where the configuration finds it.
 */
import type { Tool } from "../contract/index.ts";
import type { ToolFacts } from "../policy/index.ts";

export function toolFacts({ name, aliases, effect, local, group, remembers, profiles }: Tool): ToolFacts {
  return { name, aliases, effect, local, group, ...(remembers ? { remembers } : {}), profiles };
}
