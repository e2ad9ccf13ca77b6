/**
 * What the policy needs to know of a tool: its name and what it may do. Of a consumer's own tool of the plain kind nobody
 * but itself knows what it touches, nor of one that is carried out elsewhere.
 */
import type { AnyTool } from "../contract/index.ts";
import type { ToolFacts } from "../policy/index.ts";

export function toolFacts(tool: AnyTool): ToolFacts {
  const { name } = tool;
  if (!("kind" in tool)) {
    const { aliases, effect, group, profiles } = tool;
    return { name, aliases, effect, group, profiles };
  }
  const effect = tool.kind === "local" ? (tool.tool.mutates ? "change" : "read") : tool.effect;
  const aliases = tool.kind === "remote" ? tool.aliases : undefined;
  return { name, aliases, effect, local: true };
}
