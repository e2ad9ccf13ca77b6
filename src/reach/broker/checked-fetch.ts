/**
 * `fetch` for a process that speaks to listed hosts only: each request is looked for in the list, its name resolved and every
 * address checked, as for a pack. It follows no redirect, and its body may be a stream without end.
 */
import type { NetworkConfig } from "../broker-order.ts";
import { parseReach } from "../reach-list.ts";
import { firstOf } from "./exchange.ts";
import { findWay, wayOutOf, type Resolve } from "./find-way.ts";
import { certificatesOf, resolveName, targetOf } from "./system.ts";

/** @throws Error for a host that is not listed, or leads nowhere that may be reached */
export type CheckedFetch = (url: URL, init?: RequestInit) => Promise<Response>;

export function createCheckedFetch(
  entries: readonly string[],
  network: NetworkConfig,
  resolve: Resolve = resolveName,
): CheckedFetch {
  const list = parseReach(entries);
  const out = wayOutOf(network, resolve);
  const ca = network.ca === undefined ? undefined : certificatesOf(network.ca);
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    const target = targetOf(url);
    const way = target && (await findWay(target, list, out));
    if (!target || !way || "why" in way)
      throw new Error(`${url.host} may not be spoken to: ${way && "why" in way ? way.why : "it is no address"}`);
    if (typeof body !== "string" && body !== undefined && body !== null) throw new Error("a body that is no text");
    const sent = {
      url,
      target,
      proxy: way.proxy,
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), "accept-encoding": "identity" },
      body: body ? Buffer.from(body) : undefined,
      tls: undefined,
      ca,
      signal: signal ?? new AbortController().signal,
    };
    const response = await firstOf(way.addresses, sent, (answered) => answered);
    if (response.status < 300 || response.status > 399 || response.status === 304) return response;
    await response.body?.cancel();
    throw new Error(
      `${url.host} redirects to ${(response.headers.get("location") ?? "nowhere").slice(0, 200)}, which is not followed`,
    );
  };
}
