/**
 * What a server may ask its client for while a call is under way: a form for a person, a completion of the client's
 * model, its roots. In the modern era the call ends with these questions and is sent again with the answers.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 *
 * `requestState` is what a server gives to its client to bring back with the answers. The client may read it, and can
 * neither change it, nor use it for another call, nor twice, nor late: it carries a MAC under a key of this process, the
 * digest of the call it was made for, and an expiry, and every one is taken once.
 */
import { canonicalJson, isObject, newId, nowMs } from "../base/index.ts";
import { invalidParams, type Request, type RpcError } from "../wire/index.ts";
import type { Revision } from "./revisions.ts";

export interface InputRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params?: Readonly<Record<string, unknown>>;
}

/** By keys that the asker chose. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** By the same keys: results as the client gave them, unchecked. One that is not there was not answered. */
export type InputResponses = Readonly<Record<string, unknown>>;

/** Thrown to end a modern call with questions; the session turns it into its result. */
export class InputRequired extends Error {
  readonly requests: InputRequests;
  /** What comes back, sealed, with the answers. */
  readonly state: unknown;
  /** The `_meta` of the result, in which an extension asks in a way of its own. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(requests: InputRequests, state: unknown, meta?: Readonly<Record<string, unknown>>) {
    super("the call needs input of its client");
    this.requests = requests;
    this.state = state;
    this.meta = meta;
  }
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

/** A call that was sent again with answers. */
export interface RetriedRequest {
  readonly state: unknown;
  readonly responses: InputResponses;
  /** The `_meta` of the request, where an extension looks for its answers. */
  readonly meta: Readonly<Record<string, unknown>>;
}

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
  if (inputResponses !== undefined && !isObject(inputResponses))
    throw invalidParams("params.inputResponses must be an object");
  // Answers to no question of ours: the call is asked anew.
  if (requestState === undefined) return undefined;
  return {
    state: sealer.open(request, requestState),
    responses: inputResponses ?? {},
    meta: (request.params["_meta"] ?? {}) as RetriedRequest["meta"],
  };
}

export interface StateSealer {
  seal(request: Request, state: unknown): string;
  /** @throws RpcError -32602, whose data says why: `foreign`, `expired`, `other_call` or `used` */
  open(request: Request, sealed: unknown): unknown;
}

/** A person may have to look at a large diff. */
export const STATE_TTL_MS: number = 15 * 60 * 1000;
/** States that were taken are kept until they expire; above this number, the oldest are given up. */
const MAX_USED = 10_000;

interface Sealed {
  readonly id: string;
  readonly expires: number;
  readonly call: string;
  readonly state: unknown;
}

export function createStateSealer(): StateSealer {
  const key = newId("key") + newId("key");
  /** By id, when it expires. */
  const used = new Map<string, number>();

  function take({ id, expires }: Sealed): void {
    if (used.has(id)) throw refused("used", "it was used before");
    for (const [old, end] of used) {
      if (end > nowMs() && used.size < MAX_USED) break;
      used.delete(old);
    }
    used.set(id, expires);
  }

  return {
    seal(request, state) {
      const sealed: Sealed = { id: newId("s"), expires: nowMs() + STATE_TTL_MS, call: digestOf(request), state };
      const text = Buffer.from(JSON.stringify(sealed)).toString("base64url");
      return `${text}.${mac(key, text)}`;
    },
    open(request, given) {
      const [text, seal, ...more] = typeof given === "string" ? given.split(".") : [];
      if (text === undefined || seal === undefined || more.length > 0 || !isSame(seal, mac(key, text)))
        throw refused("foreign", "this process did not make it, or it was changed");
      const sealed = JSON.parse(Buffer.from(text, "base64url").toString()) as Sealed;
      if (sealed.expires < nowMs()) throw refused("expired", "it has expired");
      if (sealed.call !== digestOf(request)) throw refused("other_call", "it belongs to another call");
      take(sealed);
      return sealed.state;
    },
  };
}

function refused(reason: string, why: string): RpcError {
  return invalidParams(`params.requestState cannot be used: ${why}; call again without it`, {
    reason,
  });
}

function mac(key: string, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("base64url");
}

/** In a time that does not tell how much of it was right. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** The method and all that it was asked, in whatever order of members; not what may differ between the first call and its repeat. */
function digestOf({ method, params }: Request): string {
  const {
    _meta: _,
    requestState: _state,
    inputResponses: _responses,
    task: _task,
    arguments: given,
    ...asked
  } = params;
  const text = canonicalJson([method, asked, given ?? {}]);
  return new Bun.CryptoHasher("sha256").update(text).digest("base64url");
}
