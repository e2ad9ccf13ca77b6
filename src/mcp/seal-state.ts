/**
 * `requestState`: what a server gives to its client to bring back with the answers. The client may read it, and can
 * neither change it, nor use it for another call, nor twice, nor late: it carries a MAC under a key of this process, the
 * digest of the call it was made for, and an expiry, and every one is taken once.
 */
import { newId, nowMs } from "../base/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";

export interface StateSealer {
  seal(request: Request, state: unknown): string;
  /** @throws RpcError -32602, whose data says why: `foreign`, `expired`, `other_call` or `used` */
  open(request: Request, sealed: unknown): unknown;
}

/** A person may have to look at a large diff. */
const TTL_MS: number = 15 * 60 * 1000;
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
      const sealed: Sealed = { id: newId("s"), expires: nowMs() + TTL_MS, call: digestOf(request), state };
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
  return new RpcError(RPC.invalidParams, `params.requestState cannot be used: ${why}; call again without it`, {
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

/** The method and what it was asked; not what may differ between the first call and its repeat. */
function digestOf({ method, params }: Request): string {
  const { name, uri, id, arguments: given } = params;
  const text = JSON.stringify([method, name, uri, id, given ?? {}], sortMembers);
  return new Bun.CryptoHasher("sha256").update(text).digest("base64url");
}

/** A client may write the members of an object in another order. */
function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
