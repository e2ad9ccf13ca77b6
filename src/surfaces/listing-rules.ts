/**
 * Which names of files are given to a client that did not call a tool for them: by the rules of the list, which would
 * name them, and those of the tool that would get them.
 */
import type { Ruling } from "../jobs/index.ts";
import type { RequestContext } from "../mcp/index.ts";
import { callOf, narrowCall, type CallPolicy, type Services } from "../pipeline/index.ts";
import { toolFacts } from "../session/index.ts";
import type { Request } from "../wire/index.ts";

interface ListingRules {
  readonly list: CallPolicy;
  readonly of: Ruling;
}

/** `undefined` where either tool is not there, or not for this client. @throws Failure as `narrowCall` */
export async function listingRules(
  host: Services,
  request: Request,
  context: RequestContext,
  toolName: string,
): Promise<ListingRules | undefined> {
  const registry = await host.registry();
  const [list, tool] = [registry.get("list_directory"), registry.get(toolName)];
  if (!list || !tool) return undefined;
  const call = callOf(request, context, { name: list.name, arguments: {} });
  const under = [list, tool].map((one) => {
    const facts = toolFacts(one);
    return { facts, ...narrowCall(facts, call, host.config) };
  });
  const [byList, byTool] = under;
  if (!byList || !byTool || byList.leftOut || byTool.leftOut) return undefined;
  const grants = host.policy.grants.rules().map(({ text }) => text);
  return { list: byList, of: { tool: byTool.facts, mode: byTool.mode, grants } };
}
