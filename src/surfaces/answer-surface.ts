/**
 * What is there besides tools: resources, prompts and completion. Loaded with the first request for one of them.
 */
import type { RequestContext } from "../mcp/index.ts";
import type { Services } from "../pipeline/index.ts";
import type { Request } from "../wire/index.ts";
import { complete } from "./complete.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listTemplates, readResource } from "./resources.ts";
import { subscribe, unsubscribe, type Subscribing, type SubscribingPeer } from "./subscribe.ts";

const ANSWERS: Readonly<Record<string, (asked: Subscribing) => string | Promise<string>>> = {
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "completion/complete": complete,
};

/** @throws RpcError */
export async function answerSurface(
  host: Services,
  request: Request,
  context: RequestContext,
  connection: SubscribingPeer,
): Promise<string> {
  return await (ANSWERS[request.method] ?? complete)({ host, request, context, connection });
}
