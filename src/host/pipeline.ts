/**
 * The requests that need the tools. Loaded on first use: with it come the schemas and everything that runs a call.
 */
import { Failure, failureText, limits, toFailure } from "../base/index.ts";
import { listTools } from "../contract/index.ts";
import type { Peer, RequestContext } from "../mcp/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { dispatch } from "./dispatch.ts";
import { subscribeToEvents } from "./events.ts";
import { callExtension } from "./extension.ts";
import { reportBug, type Host } from "./host.ts";
import { listSpilled, readSpilled, spilledTemplate } from "./spilled-resource.ts";

export { loadUpstreamTools, openUpstreams } from "./load-upstream-tools.ts";
export { callExtension, dispatch };

/** JSON-RPC code of every failure of an extension method; the failure itself is the data. */
const EXTENSION_FAILED = 1;

/** @throws RpcError */
export async function answerMethod(
  host: Host,
  request: Request,
  context: RequestContext,
  peer: Peer,
): Promise<string> {
  const { method, params } = request;
  const { revision } = context;
  switch (method) {
    case "tools/call":
      return await callTool(host, request, context);
    case "tools/list":
      return await toolsPage(host, params, context);
    case "resources/list":
      return revision.result({ resources: listSpilled() }, true);
    case "resources/templates/list":
      return revision.result({ resourceTemplates: [spilledTemplate()] }, true);
    case "resources/read":
      return revision.result({ contents: [readSpilled(host, params["uri"])] }, true);
    case "ringfence/events/subscribe":
      return revision.result(subscribeToEvents(host, peer));
    default:
      return await extension(host, request, context);
  }
}

async function callTool(host: Host, { id, params }: Request, context: RequestContext): Promise<string> {
  const { name, arguments: given, _meta: meta } = params;
  const { revision, signal, onProgress } = context;
  if (typeof name !== "string")
    throw new RpcError(RPC.invalidParams, "params.name must be the name of a tool");
  const known = typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : {};
  return revision.callResult(
    await dispatch(host, { name, arguments: given, meta: known, signal, request: id, context, onProgress }),
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
    if (thrown instanceof RpcError) throw thrown;
    const failure = toFailure(thrown, () => reportBug(thrown));
    throw new RpcError(EXTENSION_FAILED, failureText(failure.data), failure.data);
  }
}

/** The longest id, escaped, and the names around it. */
const MAX_ENVELOPE_BYTES = 4096;
