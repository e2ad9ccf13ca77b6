/**
 * One request to the JSON text of its result, by method. A method that its revision does not have does not exist.
 */
import { Failure, failureText, toFailure } from "../base/index.ts";
import { discoverResult, initializeResult, listTools } from "../mcp/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { dispatch } from "./dispatch.ts";
import { callExtension } from "./extension.ts";
import { reportBug } from "./host.ts";
import type { RequestContext } from "./session.ts";

/** JSON-RPC code of every failure of an extension method; the failure itself is the data. */
const EXTENSION_FAILED = 1;

/** @throws RpcError */
export function answerRequest(request: Request, context: RequestContext): string | Promise<string> {
  const { method, params } = request;
  const { revision, about, state } = context;
  if (!revision.methods.has(method))
    throw new RpcError(RPC.methodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
  switch (method) {
    case "tools/call":
      return callTool(request, context);
    case "tools/list":
      return toolsPage(params, context);
    case "ping":
      return "{}";
    case "initialize":
      state.shookHands = true;
      return revision.result(initializeResult(params, about));
    case "server/discover":
      return revision.result(discoverResult(about), true);
    default:
      return extension(method, params, context);
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
  method: string,
  params: Readonly<Record<string, unknown>>,
  { host, revision, signal }: RequestContext,
): Promise<string> {
  try {
    return revision.result(await callExtension(host, method, params, signal));
  } catch (thrown) {
    const failure: Failure = toFailure(thrown, () => reportBug(thrown));
    throw new RpcError(EXTENSION_FAILED, failureText(failure.data), failure.data);
  }
}
