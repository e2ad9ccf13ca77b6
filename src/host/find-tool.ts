/**
 * By name or alias; an unknown tool is the caller's mistake in the protocol, answered with the nearest name. Its arguments are
 * read in the way of its kind.
 */
import {
  checkForeignArguments,
  isForeignTool,
  isLocalTool,
  parseArguments,
  type AnyTool,
  type Registry,
} from "../contract/index.ts";
import { nearestNames } from "../text/index.ts";
import { RPC, RpcError } from "../wire/index.ts";

/** @throws RpcError -32602 */
export function findTool(registry: Registry, name: string): AnyTool {
  const tool = registry.get(name);
  if (tool) return tool;
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const candidates = nearestNames(name, registry.names(), 3);
  const hint =
    candidates.length === 0 ? "tools/list names them all" : `did you mean ${candidates.join(", ")}`;
  throw new RpcError(RPC.invalidParams, `there is no tool ${JSON.stringify(shown)}: ${hint}`, {
    tool: shown,
    candidates,
  });
}

/** @throws Failure `invalid_input` */
export function readArguments(tool: AnyTool, given: unknown): unknown {
  if (isForeignTool(tool)) return checkForeignArguments(tool, given);
  const parsable = isLocalTool(tool) ? { name: tool.name, input: tool.tool.input } : tool;
  return parseArguments(parsable, given);
}
