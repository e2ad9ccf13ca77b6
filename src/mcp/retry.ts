/**
 * The two ends of a modern question: the result that asks, and the request that comes back with answers.
 */
import { RPC, RpcError, type Request } from "../wire/index.ts";
import type { InputRequired, RetriedRequest } from "./input-required.ts";
import type { Revision } from "./revision.ts";
import type { StateSealer } from "./seal-state.ts";

/** The requests that may be answered with questions. */
const MAY_ASK: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  // Of this project: what it applies may need the client that applies it.
  "ringfence/proposals/apply",
]);

/** @throws RpcError -32602 for a state that cannot be used */
export function openRetry(request: Request, sealer: StateSealer): RetriedRequest | undefined {
  const { requestState, inputResponses } = request.params;
  if (!MAY_ASK.has(request.method)) return undefined;
  const isObject = typeof inputResponses === "object" && inputResponses !== null;
  if (inputResponses !== undefined && (!isObject || Array.isArray(inputResponses)))
    throw new RpcError(RPC.invalidParams, "params.inputResponses must be an object");
  // Answers to no question of ours: the call is asked anew.
  if (requestState === undefined) return undefined;
  return {
    state: sealer.open(request, requestState),
    responses: (inputResponses ?? {}) as RetriedRequest["responses"],
    meta: (request.params["_meta"] ?? {}) as RetriedRequest["meta"],
  };
}

export function questionsResult(
  request: Request,
  revision: Revision,
  { requests, state, meta }: InputRequired,
  sealer: StateSealer,
): string {
  return revision.result({
    ...(Object.keys(requests).length > 0 ? { inputRequests: requests } : {}),
    requestState: sealer.seal(request, state),
    resultType: "input_required",
    ...(meta ? { _meta: meta } : {}),
  });
}
