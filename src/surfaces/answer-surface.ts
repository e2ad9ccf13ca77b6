/**
 * What is there besides tools: resources, prompts and completion. Loaded with the first request for one of them.
 */
import type { RequestContext } from "../mcp/index.ts";
import type { Services } from "../pipeline/index.ts";
import type { Request } from "../wire/index.ts";
import { complete } from "./complete.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { readResource } from "./resource-call.ts";
import { listResources, listTemplates } from "./resource-list.ts";
import { listen, subscribe, unsubscribe, type SubscribingPeer } from "./subscribe.ts";

export { listen };

/** @throws RpcError */
export async function answerSurface(
  host: Services,
  request: Request,
  context: RequestContext,
  connection: SubscribingPeer,
): Promise<string> {
  const { method, params } = request;
  switch (method) {
    case "resources/list":
      return await listResources(host, request, context);
    case "resources/templates/list":
      return await listTemplates(host, params["cursor"], context.revision);
    case "resources/read":
      return await readResource(host, request, context);
    case "resources/subscribe":
      return await subscribe(host, request, context, connection);
    case "resources/unsubscribe":
      return unsubscribe(request, context, connection);
    case "prompts/list":
      return await listPrompts(host, params, context);
    case "prompts/get":
      return await getPrompt(host, request, context);
    default:
      return await complete(host, request, context);
  }
}
