/**
 * By name or alias; an unknown tool is the caller's mistake in the protocol, answered with the nearest name.
 */
import type * as z from "zod";
import type { AnyTool, Registry } from "../contract/index.ts";
import { nearestNames } from "../text/index.ts";
import { RPC, RpcError } from "../wire/index.ts";

/** @throws RpcError -32602 */
export function findTool(
  registry: Registry,
  name: string,
  names: readonly string[] = registry.names(),
): AnyTool {
  const tool = registry.get(name);
  if (tool) return tool;
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const candidates = nearestNames(name, names, 3);
  const hint =
    candidates.length === 0 ? "tools/list names them all" : `did you mean ${candidates.join(", ")}`;
  throw new RpcError(RPC.invalidParams, `there is no tool ${JSON.stringify(shown)}: ${hint}`, {
    tool: shown,
    candidates,
  });
}

/** The part of a tool that arguments are parsed by. */
export function parsableOf(tool: AnyTool): {
  name: string;
  input: z.ZodType;
  parameterAliases?: Readonly<Record<string, string>>;
} {
  return "kind" in tool ? { name: tool.name, input: tool.tool.input } : tool;
}
