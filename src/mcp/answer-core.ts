/**
 * The methods that are the protocol's own and the same for every service: meeting, log level, subscriptions, tasks.
 */
import { invalidParams, RPC, RpcError, type Request } from "../wire/index.ts";
import { declares, isLogLevel } from "./about.ts";
import type { StateSealer } from "./input-required.ts";
import { discoverResult, initializeResult, type EraState } from "./revisions.ts";
import type { RequestContext, Service } from "./service.ts";
import { readFilter, type Subscriptions } from "./subscriptions.ts";
import { requireTasks, type Tasks } from "./tasks.ts";

/** What a session keeps for them. */
export interface CoreParts {
  readonly state: EraState;
  readonly subscriptions: Subscriptions;
  readonly tasks: Tasks;
  readonly sealer: StateSealer;
  readonly service: Service;
}

/** @throws RpcError */
export function answerCore(request: Request, context: RequestContext, parts: CoreParts): string | Promise<string> {
  const { method, params } = request;
  const { revision, client } = context;
  switch (method) {
    case "ping":
      return "{}";
    case "initialize":
      return revision.result(initializeResult(params["protocolVersion"], parts.service.about));
    case "server/discover":
      return revision.result(discoverResult(parts.service.about), true);
    case "logging/setLevel":
      return setLevel(params["level"], parts);
    case "subscriptions/listen":
      return listen(request, context, parts);
    default:
      return withMembers(revision.result({}), parts.tasks.answer(request, client));
  }
}

function setLevel(level: unknown, { service, state }: CoreParts): string {
  if (!declares(service.about.capabilities, "logging"))
    throw new RpcError(RPC.methodNotFound, "this server sends no log messages");
  if (!isLogLevel(level)) throw invalidParams("params.level is no log level");
  if (!state.handshake)
    throw new RpcError(RPC.methodNotFound, "logging/setLevel is for clients that shook hands: send initialize first");
  state.handshake = { ...state.handshake, logLevel: level };
  return "{}";
}

async function listen(
  request: Request,
  context: RequestContext,
  { subscriptions, tasks, service }: CoreParts,
): Promise<string> {
  const { revision, client } = context;
  const wanted = request.params["notifications"];
  if (typeof wanted === "object" && wanted !== null && "taskIds" in wanted) requireTasks(client);
  const filter = readFilter(request, service.about.capabilities, (id) => tasks.find(id) !== undefined);
  const { resourceSubscriptions: uris, ...rest } = filter;
  if (!uris || !service.watch) return revision.result(await subscriptions.listen(request.id, filter));
  const watched = await service.watch(uris, request, context);
  try {
    // It may be over before it begins.
    if (context.signal.aborted) return revision.result({});
    const honoured = watched.length === 0 ? rest : { ...rest, resourceSubscriptions: watched };
    return revision.result(await subscriptions.listen(request.id, honoured));
  } finally {
    service.unwatch?.(watched);
  }
}

/** Puts members, as JSON text, into an object that is not empty. */
function withMembers(object: string, members: string): string {
  return members === "" ? object : `${object.slice(0, -1)},${members}}`;
}
