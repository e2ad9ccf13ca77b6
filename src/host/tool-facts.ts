/**
 * What the policy needs to know of a tool: its name and what it may do. Of a consumer's own tool of the plain kind nobody
 * but itself knows what it touches, nor of one that is carried out elsewhere.
 */
import { isLocalTool, type AnyTool } from "../contract/index.ts";
import type { ToolFacts } from "../policy/index.ts";

export function toolFacts(tool: AnyTool): ToolFacts {
  if (!("kind" in tool)) return { name: tool.name, effect: tool.effect };
  const effect = isLocalTool(tool) ? (tool.tool.mutates ? "change" : "read") : tool.effect;
  return { name: tool.name, effect, local: true };
}
