/**
 * The requests that need the tools. Loaded on first use: with it come the schemas and everything that runs a call.
 */
import { failureText, toFailure } from "../base/index.ts";
import { listTools } from "../contract/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { dispatch } from "./dispatch.ts";
import { subscribeEvents } from "./events.ts";
import { callExtension } from "./extension.ts";
import { reportBug } from "./host.ts";
import type { RequestContext } from "./session.ts";

export { callExtension, dispatch };

/** JSON-RPC code of every failure of an extension method; the failure itself is the data. */
const EXTENSION_FAILED = 1;

/** @throws RpcError */
export async function answerMethod(request: Request, context: RequestContext): Promise<string> {
  switch (request.method) {
    case "tools/call":
      return await callTool(request, context);
    case "tools/list":
      return await toolsPage(request.params, context);
    case "ringfence/events/subscribe":
      return context.revision.result(subscribeEvents(context.host, context.notify));
    default:
      return await extension(request, context);
  }
}

async function callTool(
  { id, params }: Request,
  { host, revision, signal, onProgress }: RequestContext,
): Promise<string> {
  const { name, arguments: given, _meta: meta } = params;
  if (typeof name !== "string")
    throw new RpcError(RPC.invalidParams, "params.name must be the name of a tool");
  const known = typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : {};
  return revision.callResult(
    await dispatch(host, { name, arguments: given, meta: known, signal, request: id, onProgress }),
  );
}

async function toolsPage(
  params: Readonly<Record<string, unknown>>,
  { host, revision }: RequestContext,
): Promise<string> {
  const registry = await host.registry();
  const page = listTools(registry.list(), params["cursor"], host.config.results === "structured");
  if (!page) throw new RpcError(RPC.invalidParams, "params.cursor is not one that this server gave");
  return revision.result({ ...page }, true);
}

async function extension(
  { method, params }: Request,
  { host, revision, signal }: RequestContext,
): Promise<string> {
  try {
    return revision.result(await callExtension(host, method, params, signal));
  } catch (thrown) {
    const failure = toFailure(thrown, () => reportBug(thrown));
    throw new RpcError(EXTENSION_FAILED, failureText(failure.data), failure.data);
  }
}
