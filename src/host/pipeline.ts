/**
 * The requests that need the tools. Loaded on first use: with it come the schemas and everything that runs a call.
 */
import { Failure, failureText, limits, toFailure } from "../base/index.ts";
import { listTools } from "../contract/index.ts";
import { InputRequired, type RequestContext } from "../mcp/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { dispatch } from "./dispatch.ts";
import { subscribeToEvents } from "./events.ts";
import { callExtension } from "./extension.ts";
import { reportBug, type Host } from "./host.ts";
import { complete } from "./complete.ts";
import type { Connection } from "./connection.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { callOf, FAILED, readResource } from "./resource-call.ts";
import { listResources, listTemplates } from "./resource-list.ts";
import { listen, subscribe, unsubscribe } from "./subscribe.ts";

export { callExtension, dispatch, listen };

/** @throws RpcError */
export async function answerMethod(
  host: Host,
  request: Request,
  context: RequestContext,
  connection: Connection,
): Promise<string> {
  const { method, params } = request;
  const { revision } = context;
  switch (method) {
    case "tools/call":
      return await callTool(host, request, context);
    case "tools/list":
      return await toolsPage(host, params, context);
    case "resources/list":
      return await listResources(host, params["cursor"], revision);
    case "resources/templates/list":
      return await listTemplates(host, revision);
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
    case "completion/complete":
      return await complete(host, request, context);
    case "ringfence/events/subscribe":
      return revision.result(subscribeToEvents(host, connection.peer));
    default:
      return await extension(host, request, context);
  }
}

async function callTool(host: Host, request: Request, context: RequestContext): Promise<string> {
  const { name, arguments: given } = request.params;
  if (typeof name !== "string")
    throw new RpcError(RPC.invalidParams, "params.name must be the name of a tool");
  return context.revision.callResult(
    await dispatch(host, callOf(request, context, { name, arguments: given })),
  );
}

async function toolsPage(
  host: Host,
  params: Readonly<Record<string, unknown>>,
  { revision }: RequestContext,
): Promise<string> {
  const registry = await host.registry();
  const { mode, results } = host.config;
  const page = listTools(registry.list(), params["cursor"], {
    structured: results === "structured",
    showsAtOnce: mode === "bypass",
  });
  if (!page) throw new RpcError(RPC.invalidParams, "params.cursor is not one that this server gave");
  host.bridge.fix();
  return revision.result({ ...page }, true);
}

async function extension(host: Host, { method, params }: Request, context: RequestContext): Promise<string> {
  const { revision, signal, onProgress } = context;
  try {
    const result = revision.result(
      await callExtension(host, method, params, { signal, onProgress, context }),
    );
    if (Buffer.byteLength(result) < limits.MAX_LINE_BYTES - MAX_ENVELOPE_BYTES) return result;
    throw new Failure("too_large", `Cannot answer ${method}: it would be ${result.length} characters`, {
      hint: "Ask for one at a time, with ringfence/proposals/get.",
    });
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof InputRequired) throw thrown;
    const failure = toFailure(thrown, () => reportBug(thrown));
    throw new RpcError(FAILED, failureText(failure.data), failure.data);
  }
}

/** The longest id, escaped, and the names around it. */
const MAX_ENVELOPE_BYTES = 4096;
