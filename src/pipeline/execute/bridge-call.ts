/**
 * A call of a tool that the client offered, made by asking the client: a request in the handshake era; in the modern one a
 * result that asks, and the same call sent again with the answer. Whatever the client does, the call comes back: with its
 * result, unchecked, or with a failure.
 */
import { Failure } from "../../base/index.ts";
import { type RemoteContext } from "../../contract/index.ts";
import { readableText } from "../../text/index.ts";
import { InputRequired, type RequestContext } from "../../mcp/index.ts";
import { BRIDGE, bridgeSettings } from "../../session/index.ts";
import type { Services } from "../services.ts";

type Members = Readonly<Record<string, unknown>>;

export const BRIDGE_CALL = "ringfence/bridge/call";

/** What comes back, sealed, with the answer of the client. */
export interface BridgedState {
  readonly bridge: true;
  /** The proposal that is being carried out. */
  readonly taken?: string;
}

export function bridgedState(context: RequestContext | undefined): BridgedState | undefined {
  const state = context?.retry?.state as Partial<BridgedState> | null | undefined;
  return state?.bridge === true ? (state as BridgedState) : undefined;
}

/** @throws Failure; InputRequired in the modern era */
export async function callClient(
  host: Services,
  name: string,
  args: Members,
  { caller, timeoutMs, signal }: RemoteContext,
): Promise<unknown> {
  const context = caller as RequestContext | undefined;
  if (context?.revision.name === "modern" && bridgeSettings(context.client.capabilities))
    return askByResult(context, name, args);
  const { peer } = host.bridge;
  if (!peer) throw unreachable(name);
  const params = { name, arguments: args };
  const response = await peer.ask({ method: BRIDGE_CALL, params, timeoutMs, signal });
  if (!response)
    throw new Failure("timed_out", `Cannot finish "${name}": the client gave no answer`, {
      hint: "It may be gone, busy, or asked too much at once.",
      retry: "later",
    });
  if (response.error) throw refused(name, response.error);
  return response.result;
}

function askByResult(context: RequestContext, name: string, args: Members): unknown {
  if (context.task)
    throw new Failure("unsupported", `Cannot call "${name}": a call that became a task cannot ask its client`, {
      hint: "Call it again without asking for a task.",
    });
  if (!bridgedState(context)) {
    const state: BridgedState = { bridge: true };
    throw new InputRequired({}, state, { [BRIDGE]: { call: { name, arguments: args } } });
  }
  const answer = context.retry?.meta[BRIDGE];
  const { result, error } = (typeof answer === "object" && answer !== null ? answer : {}) as Members;
  if (error !== undefined) throw refused(name, error);
  if (result === undefined)
    throw new Failure("command_failed", `Cannot finish "${name}": the client sent no result`, {
      hint: `It is expected in params._meta["${BRIDGE}"].result.`,
    });
  return result;
}

function refused(name: string, error: unknown): Failure {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Members;
  const said = readableText(message, 500) || "no reason given";
  const number = typeof code === "number" ? ` ${code}` : "";
  return new Failure(
    "command_failed",
    `Cannot finish "${name}": the client answered with the error${number}: ${said}`,
    { hint: "Correct the arguments if the reason is in them; else tell the person." },
  );
}

function unreachable(name: string): Failure {
  return new Failure("unsupported", `Cannot call "${name}": the client that offers it cannot be asked`, {
    hint: `It needs a client that shook hands with, or a request that declares, the extension ${BRIDGE}.`,
  });
}
