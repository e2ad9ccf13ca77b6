/**
 * What the policy needs to know of a tool: its name and what it may do. Of a consumer's own tool of the plain kind nobody
 * but itself knows what it touches.
 */
import type { AnyTool } from "../contract/index.ts";
import type { ToolFacts } from "../policy/index.ts";

export function toolFacts(tool: AnyTool): ToolFacts {
  if (!("kind" in tool)) return { name: tool.name, effect: tool.effect };
  return { name: tool.name, effect: tool.tool.mutates ? "change" : "read", local: true };
}
