/**
 * The tools of all servers as this host offers them: what a person approved, without what a server was last seen to have
 * changed. Nothing is started for it, so the list is the same at every start.
 */
import picomatch from "picomatch";
import { limits } from "../base/index.ts";
import { defineForeignTool, type ForeignContext, type ForeignTool } from "../contract/index.ts";
import type { UpstreamDeclaration, UpstreamsConfig } from "../proc/index.ts";
import type { UpstreamStore } from "../state/index.ts";
import type { ListedTool } from "./listed-tools.ts";
import { reviewOf } from "./review.ts";
import { nameTools, type ToolNames } from "./tool-name.ts";

export type CallServer = (
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  ctx: ForeignContext,
) => Promise<unknown>;

/** In the order of the configuration, and of their names. @param onProblem of what cannot be offered */
export function offeredTools(
  { servers }: UpstreamsConfig,
  store: UpstreamStore,
  call: CallServer,
  onProblem: (what: string) => void,
): ForeignTool[] {
  return Object.entries(servers).flatMap(([server, declared]) => {
    const { approved, same, todo } = reviewOf(store, server);
    if (todo !== undefined) onProblem(`the MCP server ${server}: ${todo}`);
    const names = nameTools(
      server,
      approved.map(({ name }) => name),
    );
    return approved.flatMap((tool): ForeignTool[] => {
      const named = names.get(tool.name);
      if (!named || !same.includes(tool.name)) return [];
      try {
        return [offer(server, tool, declared, named, call)];
      } catch (thrown) {
        onProblem(thrown instanceof Error ? thrown.message : String(thrown));
        return [];
      }
    });
  });
}

function offer(
  server: string,
  tool: ListedTool,
  { read_tools = [], timeout_ms = limits.DEFAULT_CALL_MS }: UpstreamDeclaration,
  { name, alias }: ToolNames,
  call: CallServer,
): ForeignTool {
  const reads = read_tools.some((pattern) => pattern === tool.name || picomatch.isMatch(tool.name, pattern));
  return defineForeignTool({
    name,
    aliases: [alias],
    owner: `the MCP server "${server}"`,
    tool: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    effect: reads ? "read" : "reach",
    timeoutMs: timeout_ms,
    execute: async (args, ctx) => await call(server, tool.name, args, ctx),
  });
}
