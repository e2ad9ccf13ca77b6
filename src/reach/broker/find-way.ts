/**
 * From an authority to the addresses that may be dialled for it, in the order that keeps a name from meaning two things: is it in
 * reach, only then is it resolved, every address of the answer is checked, and what was checked is what is dialled. One bad address
 * refuses the whole answer.
 *
 * Usual mistake: to hand the name on. Whoever resolves it once more may be told another address.
 */
import { reaches, type ReachList } from "../reach-list.ts";
import type { Authority } from "../authority.ts";
import type { NetworkConfig } from "../broker-order.ts";
import { addressProblem, isLoopback, parseRanges, type Range } from "./check-address.ts";
import { proxyOf } from "./system.ts";

/** Asks the system for all addresses of a name; throws or answers none where there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface WayOut {
  /** A proxy that everything but this machine is reached through, and that also resolves the names. */
  readonly proxy?: Authority | undefined;
  readonly ranges: readonly Range[];
  readonly resolve: Resolve;
}

/** @throws Failure `invalid_input` */
export function wayOutOf({ proxy, ranges = [] }: NetworkConfig, resolve: Resolve): WayOut {
  return { proxy: proxy === undefined ? undefined : proxyOf(proxy), ranges: parseRanges(ranges), resolve };
}

/** Why there is no way: for the record, never for the caller, who could ask for names by it. */
export interface Refused {
  readonly why: string;
}

export type WayFound = { readonly addresses: readonly string[]; readonly proxy?: Authority | undefined } | Refused;

const MAX_ADDRESSES = 32;

export async function findWay(target: Authority, list: ReachList, out: WayOut): Promise<WayFound> {
  const { host, port } = target;
  if (!reaches(list, host, port)) return { why: "it is not in reach" };
  const literal = literalOf(host);
  if (literal !== undefined) {
    const problem = addressProblem(literal, { ranges: out.ranges, isListed: true });
    if (problem !== undefined) return refused(literal, problem);
  }
  const { proxy } = out;
  // What is meant for this machine never leaves it, least of all with a credential and in the clear.
  if (proxy && !isThisMachine(host)) {
    const addresses = await addressesOf(proxy.host, out.resolve);
    return addresses.length === 0 ? { why: "the proxy cannot be found" } : { addresses, proxy };
  }
  if (literal !== undefined) return { addresses: [literal] };
  const addresses = await addressesOf(host, out.resolve);
  // This name means this machine, whatever a resolver says of it.
  const isListed = host === "localhost";
  if (isListed && !addresses.every(isLoopback)) return { why: "localhost is another machine" };
  for (const address of addresses) {
    const problem = addressProblem(address, { ranges: out.ranges, isListed });
    if (problem !== undefined) return refused(address, problem);
  }
  return addresses.length === 0 ? { why: "the name has no address" } : { addresses };
}

export function isThisMachine(host: string): boolean {
  return host === "localhost" || isLoopback(literalOf(host) ?? "");
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = literalOf(host);
  if (literal !== undefined) return [literal];
  try {
    return [...new Set(await resolve(host))].slice(0, MAX_ADDRESSES);
  } catch {
    return [];
  }
}

function refused(address: string, problem: string): Refused {
  return { why: `${address}: ${problem}` };
}

/** The address itself, without brackets. */
export function literalOf(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return /^[\d.]+$/.test(host) ? host : undefined;
}
