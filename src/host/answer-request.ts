/**
 * The requests that need the tools. Loaded on first use: with it come the schemas and everything that runs a call.
 */
import { loadMethods, loadSurfaces } from "./lazy.ts";
import { Failure, failureText, limits, reportBug, toFailure } from "../base/index.ts";
import { listTools, pageTools } from "../contract/index.ts";
import { InputRequired, showsViews, type RequestContext } from "../mcp/index.ts";
import { callOf, speak, type Services } from "../pipeline/index.ts";
import type { PlaceInOrder } from "../session/index.ts";
import type { SubscribingPeer } from "../surfaces/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { listOptionsOf } from "./offer.ts";

/** JSON-RPC code of every failure of an extension method; the failure itself is the data. */
const FAILED = 1;

/** What comes with a request. */
interface Way {
  readonly context: RequestContext;
  readonly connection: SubscribingPeer;
  /** The request's place in the order of calls, where it has one. */
  readonly turn: PlaceInOrder | undefined;
}

/** @throws RpcError */
export async function answerMethod(host: Services, request: Request, way: Way): Promise<string> {
  const { method, params } = request;
  const { context, connection, turn } = way;
  switch (method) {
    case "tools/call":
      return await callTool(host, request, context, turn);
    case "tools/list":
      return await toolsPage(host, params, context);
    default:
      if (method.startsWith("ringfence/")) return await ownMethod(host, request, way);
      return await surface(host, request, context, connection);
  }
}

/** A call that was cancelled on the way is a failure, and no bug. */
async function surface(
  host: Services,
  request: Request,
  context: RequestContext,
  connection: SubscribingPeer,
): Promise<string> {
  try {
    return await (await loadSurfaces()).answerSurface(host, request, context, connection);
  } catch (thrown) {
    throw thrown instanceof Failure ? failed(thrown) : thrown;
  }
}

async function callTool(
  host: Services,
  request: Request,
  context: RequestContext,
  turn: PlaceInOrder | undefined,
): Promise<string> {
  const { name, arguments: given } = request.params;
  if (typeof name !== "string") throw new RpcError(RPC.invalidParams, "params.name must be the name of a tool");
  const call = callOf(request, context, { name, arguments: given, turn });
  const outcome = await speak(host, call);
  if (!showsViews(context.client.capabilities)) return context.revision.callResult(outcome);
  return context.revision.callResult(await (await loadSurfaces()).withClientView(host, call, outcome));
}

async function toolsPage(
  host: Services,
  params: Readonly<Record<string, unknown>>,
  { revision, client }: RequestContext,
): Promise<string> {
  const registry = await host.registry();
  const view = showsViews(client.capabilities) ? (await loadSurfaces()).PROPOSAL_VIEW : undefined;
  const options = { ...listOptionsOf(host.config), view };
  const { dialect } = host;
  const page = dialect
    ? pageTools(dialect.list(options), params["cursor"], (tool) => tool)
    : listTools(registry.list(), params["cursor"], options);
  if (!page) throw new RpcError(RPC.invalidParams, "params.cursor is not one that this server gave");
  host.bridge.fix();
  return revision.result({ ...page }, true);
}

async function ownMethod(host: Services, { method, params }: Request, way: Way): Promise<string> {
  const { context, connection, turn } = way;
  const { revision, signal, onProgress } = context;
  try {
    const { answerRequest } = await loadMethods();
    const caller = { signal, onProgress, context, turn, peer: connection.peer };
    const result = revision.result({ ...(await answerRequest(host, method, params, caller)) });
    if (Buffer.byteLength(result) < limits.MAX_LINE_BYTES - MAX_ENVELOPE_BYTES) return result;
    throw new Failure("too_large", `Cannot answer ${method}: it would be ${result.length} characters`, {
      hint: "Ask for one at a time, with ringfence/proposals/get.",
    });
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof InputRequired) throw thrown;
    throw failed(toFailure(thrown, () => reportBug(thrown)));
  }
}

function failed({ data }: Failure): RpcError {
  return new RpcError(FAILED, failureText(data), data);
}

/** The longest id, escaped, and the names around it. */
const MAX_ENVELOPE_BYTES = 4096;
