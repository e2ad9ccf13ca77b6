/**
 * Who may speak to the server. Every request passes here first, and nothing of a proposal is read before it has passed.
 *
 * The order is the point: a name that is not ours ends first (a rebound name reaches nothing), then a page of somebody else,
 * then whoever lacks the capability. What is served without one is the empty page itself, which holds nothing. There are no
 * cookies, so a browser adds nothing to a request that somebody else made it send.
 */
import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../base/index.ts";

export interface Refusal {
  readonly status: number;
  /** In a few words, for whoever looks at the console. */
  readonly why: string;
}

/** The header that the capability is sent in: no form and no link can. */
export const CAPABILITY_HEADER = "ringfence-capability";

interface Asked {
  readonly method: string;
  readonly headers: Headers;
}

/** For every request. */
export function refuseName({ headers }: Asked, port: number): Refusal | undefined {
  return hostsOf(port).includes(headers.get("host") ?? "")
    ? undefined
    : { status: 421, why: "this server has another name" };
}

/** For the page and its files: nobody may frame them, or load them into a page of their own. */
export function refuseLoad({ method, headers }: Asked, isDocument: boolean): Refusal | undefined {
  if (method !== "GET") return { status: 405, why: "the page is only read" };
  const destination = headers.get("sec-fetch-dest");
  const site = headers.get("sec-fetch-site");
  if (isDocument)
    return destination === null || destination === "document" ? undefined : { status: 403, why: "not in a frame" };
  return isOwnSite(site) ? undefined : { status: 403, why: "asked by another page" };
}

/** For everything that answers with something, or does something. */
export function refuseAsk({ method, headers }: Asked, port: number): Refusal | undefined {
  if (method !== "POST") return { status: 405, why: "it takes POST alone" };
  const origin = headers.get("origin");
  const own = `http://${headers.get("host")}`;
  if (origin !== null && (origin !== own || !hostsOf(port).some((host) => origin === `http://${host}`)))
    return { status: 403, why: "asked by another page" };
  if (!isOwnSite(headers.get("sec-fetch-site"))) return { status: 403, why: "asked by another page" };
  // A form cannot say so, and a page elsewhere would have to ask first, which nobody answers.
  if (headers.get("content-type") !== "application/json") return { status: 415, why: "it takes application/json" };
  return undefined;
}

/** Compares in constant time. @param hash SHA-256 in hex */
export function isSecret(given: string | null, hash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given ?? "")), Buffer.from(hash)) && given !== null;
}

function hostsOf(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** A browser says so; a program that is no browser need not. */
function isOwnSite(site: string | null): boolean {
  return site === null || site === "same-origin" || site === "none";
}

/** On every answer. `img-src data:` is for pictures that proposals have; nothing else is loaded from anywhere. */
export const STRICT_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};
