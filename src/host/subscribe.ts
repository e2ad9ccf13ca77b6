/**
 * Subscriptions to single files: `resources/subscribe` and `resources/unsubscribe` of the handshake era, and what
 * `subscriptions/listen` names in the modern one. To subscribe is a call like a read: under the same rules and on record.
 */
import type { CallPolicy } from "./call.ts";
import type { RequestContext } from "../mcp/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import type { Connection } from "./connection.ts";
import { dispatch } from "./dispatch.ts";
import type { Services } from "./services.ts";
import { callOf } from "./call-of.ts";
import { notThere, resourceCall, succeeded } from "./resource-call.ts";
import { ResourceWatch } from "./resource-watch.ts";

type Kind = "subscribed" | "listening";

export async function subscribe(
  host: Services,
  request: Request,
  context: RequestContext,
  connection: Connection,
): Promise<string> {
  const { uri } = request.params;
  await begin(host, { request, context, connection }, uri, "subscribed");
  return context.revision.result({});
}

/** Of what was not subscribed to as well: the end is the same. */
export function unsubscribe(
  { params }: Request,
  { revision }: RequestContext,
  { watch }: Connection,
): string {
  if (typeof params["uri"] !== "string") throw new RpcError(RPC.invalidParams, "params.uri must be a string");
  watch?.remove(params["uri"], "subscribed");
  return revision.result({});
}

/** @returns those that will be heard of: files that are there and may be read, as far as there is room */
export async function listen(
  host: Services,
  asked: Asked,
  uris: readonly string[],
): Promise<readonly string[]> {
  const honoured: string[] = [];
  for (const uri of new Set(uris)) {
    try {
      await begin(host, asked, uri, "listening");
      honoured.push(uri);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
    }
  }
  return honoured;
}

interface Asked {
  readonly request: Request;
  readonly context: RequestContext;
  readonly connection: Connection;
}

/** @throws RpcError */
async function begin(host: Services, asked: Asked, uri: unknown, kind: Kind): Promise<void> {
  const { request, context, connection } = asked;
  const watch = (connection.watch ??= new ResourceWatch(host, (changed, isSubscribed) => {
    if (isSubscribed) connection.peer.notify("notifications/resources/updated", { uri: changed });
    connection.announcer.resourceUpdated(changed);
  }));
  let under: CallPolicy | undefined;
  const what = await resourceCall(host, uri, "watch", (by) => (under = by));
  const outcome = succeeded(uri, await dispatch(host, callOf(request, context, what)));
  const [mark = ""] = JSON.parse(outcome.members) as readonly string[];
  if (mark === "" || !under) throw notThere(uri);
  if (watch.isFull && !watch.has(what.resource.uri))
    throw new RpcError(RPC.invalidParams, "there are too many subscriptions already; end one of them");
  if (!context.signal.aborted) watch.add(what.resource, under, mark, kind);
}
