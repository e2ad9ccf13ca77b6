/**
 * By name or alias; an unknown tool is the caller's mistake in the protocol, answered with the nearest name. Its arguments are
 * read in the way of its kind.
 */
import type { Config } from "../config/index.ts";
import {
  checkRemoteArguments,
  isRemoteTool,
  isLocalTool,
  parseArguments,
  type AnyTool,
  type RemoteTool,
  type ParsedArguments,
  type Registry,
} from "../contract/index.ts";
import { nearestNames } from "../text/index.ts";
import { RPC, RpcError } from "../wire/index.ts";

interface Naming {
  /** The names that are offered. Default: ours. */
  readonly names?: readonly string[] | undefined;
  /** Tools that this host could have, and what would turn them on. */
  readonly off?: TurnedOff;
}

/** @throws RpcError -32602 */
export function findTool(registry: Registry, name: string, { names, off = {} }: Naming = {}): AnyTool {
  const tool = registry.get(name);
  if (tool) return tool;
  const how = Object.hasOwn(off, name) ? off[name] : undefined;
  if (how !== undefined)
    throw new RpcError(
      RPC.invalidParams,
      `the tool ${JSON.stringify(name)} exists but is turned off on this host. ${how} Only the person who runs this host ` +
        "decides that: go on with the tools of tools/list, or tell them what you need it for",
      { tool: name, turned_off: true },
    );
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const candidates = nearestNames(name, names ?? registry.names(), 3);
  const hint = candidates.length === 0 ? "tools/list names them all" : `did you mean ${candidates.join(", ")}?`;
  throw new RpcError(RPC.invalidParams, `there is no tool ${JSON.stringify(shown)}: ${hint}`, {
    tool: shown,
    candidates,
  });
}

type TurnedOff = Readonly<Record<string, string>>;

/** The tools for programs that the configuration does not have. They are in no list; a call of one is told why. */
export function turnedOff({ commands, shell }: Pick<Config, "commands" | "shell">): TurnedOff {
  const byShell = `It is there with "shell": {"enabled": true} in the configuration.`;
  const byCommand = `It is there with a program under "commands" in the configuration.`;
  const off: Record<string, string> = {};
  if (shell === undefined) for (const name of ["shell", "bash", "shell.exec"]) off[name] = byShell;
  if (Object.keys(commands).length > 0) return off;
  off["run_command"] = byCommand;
  if (shell === undefined)
    for (const name of ["process_start", "process_output", "process_list", "process_stop"]) off[name] = byCommand;
  return off;
}

/** @throws Failure `invalid_input` */
export function readArguments(tool: AnyTool, given: unknown): ParsedArguments {
  return isRemoteTool(tool) ? checkRemoteArguments(tool, given) : parseArguments(parsableOf(tool), given);
}

/** The part of a tool that its arguments are parsed by. */
export function parsableOf(tool: Exclude<AnyTool, RemoteTool>): Parameters<typeof parseArguments>[0] {
  return isLocalTool(tool) ? { name: tool.name, input: tool.tool.input } : tool;
}
