/**
 * The broker as the process of its own that it is: what each pack may reach and which credentials it adds, told once by the
 * launcher; then one exchange after the other, as tools ask for them. What comes back is either an answer or a problem with the
 * reason for the record; the host says to the caller what is good for a caller.
 *
 * Bodies cross the pipe in pieces, because a line of the pipe is bounded.
 */
import { monotonicMs, newId } from "../../base/index.ts";
import type { BrokerOrder, Credential, PackNetwork } from "../broker-order.ts";
import { parseReach, reaches, type ReachList } from "../reach-list.ts";
import { parseRanges } from "./check-address.ts";
import { addCredential, presign } from "./credentials.ts";
import { ExchangeError, makeExchange } from "./exchange.ts";
import { findWay, type Resolve, type WayOut } from "./find-way.ts";
import type { BodyPiece, ExchangeAsk, ExchangeSaid, SignAsk } from "../broker-calls.ts";
import { HeldBodies } from "./held-bodies.ts";
import { RequestRate } from "./request-rate.ts";
import { certificatesOf, proxyOf, resolveName, targetOf } from "./system.ts";

/** A function of the broker, called by name. */
export type BrokerCode = (call: string, ask: unknown, signal: AbortSignal) => Promise<unknown>;

interface KnownPack {
  readonly reach: ReachList;
  readonly credentials: ReadonlyMap<string, { readonly hosts: ReachList; readonly credential: Credential }>;
  readonly perMinute: number;
}

/** @param resolve default: the resolver of the system */
export function createBroker(order: BrokerOrder, resolve: Resolve = resolveName): BrokerCode {
  const { proxy, ranges = [], ca } = order.network;
  const out: WayOut = { proxy: proxy === undefined ? undefined : proxyOf(proxy), ranges: parseRanges(ranges), resolve };
  const packs = new Map(Object.entries(order.packs).map(([name, pack]) => [name, knownPack(pack)]));
  const certificates = ca === undefined ? undefined : certificatesOf(ca);
  const held = new HeldBodies();
  const requests = new RequestRate();

  const calls: Readonly<Record<string, (ask: never, signal: AbortSignal) => unknown>> = {
    exchange: async (ask: ExchangeAsk, signal) => await exchange(ask, signal),
    put: ({ handle, data }: BodyPiece) => ({ handle: held.add(handle ?? newId("body"), Buffer.from(data, "base64")) }),
    more: ({ handle }: { readonly handle: string }) => held.next(handle),
    presign: async ({ pack, credential, url, method, seconds }: SignAsk) => {
      const { found } = credentialFor(packs.get(pack), credential, new URL(url));
      return { url: found ? await presign(found, { url, method, seconds }) : "" };
    },
  };
  return async (call, ask, signal) => {
    const code = Object.hasOwn(calls, call) ? calls[call] : undefined;
    if (!code) throw new Error(`the broker has no "${call.slice(0, 60)}"`);
    return await code(ask as never, signal);
  };

  async function exchange(ask: ExchangeAsk, stop: AbortSignal): Promise<ExchangeSaid> {
    const began = monotonicMs();
    const body = ask.handle === undefined ? Buffer.from(ask.body ?? "", "base64") : held.take(ask.handle);
    const failed = (problem: Extract<ExchangeSaid, { problem: unknown }>["problem"], why: string, address = "") => ({
      problem,
      why,
      address,
      ms: Math.round(monotonicMs() - began),
    });
    const url = new URL(ask.url);
    const target = targetOf(url);
    const pack = packs.get(ask.pack);
    if (!target || !pack) return failed("denied", "it is no address");
    const { found, why: noCredential } = credentialFor(pack, ask.credential, url);
    if (noCredential !== undefined) return failed("denied", noCredential);
    if (found?.unusable) return { ...failed("credential", found.unusable.message), hint: found.unusable.hint };
    if (!requests.mayGo(ask.pack, url.host, pack.perMinute)) return failed("busy", "too many requests to this host");
    const way = await findWay(target, pack.reach, out);
    if ("why" in way) return failed("denied", way.why);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ask.timeoutMs)]);
    const { method, maxBytes } = ask;
    try {
      const headers = await addCredential(found, { url, method, headers: ask.headers, body });
      const { tls } = found ?? {};
      const made = { url, target, ...way, method, headers, body, tls, ca: certificates, maxBytes, signal };
      const { address, status, headers: answered, body: whole } = await makeExchange(made);
      const [first, more] = held.keep(whole);
      const ms = Math.round(monotonicMs() - began);
      return { status, headers: answered, body: first, more, address, up: body.length, down: whole.length, ms };
    } catch (thrown) {
      if (stop.aborted) throw thrown;
      if (signal.aborted) return failed("timed_out", "", way.addresses[0]);
      if (thrown instanceof ExchangeError) return failed(thrown.problem, thrown.message, way.addresses[0]);
      throw thrown;
    }
  }
}

function knownPack({ reach, credentials = {}, perMinute = Infinity }: PackNetwork): KnownPack {
  const known = Object.entries(credentials).map(([name, credential]) => {
    return [name, { hosts: parseReach(credential.hosts), credential }] as const;
  });
  return { reach: parseReach(reach), credentials: new Map(known), perMinute };
}

function credentialFor(
  pack: KnownPack | undefined,
  name: string | undefined,
  url: URL,
): { readonly found?: Credential; readonly why?: string } {
  const target = targetOf(url);
  if (!pack || !target) return { why: "it is no address" };
  const isFor = (hosts: ReachList): boolean => reaches(hosts, target.host, target.port);
  if (name === undefined) {
    const found = [...pack.credentials.values()].find(({ hosts, credential }) => credential.isAlways && isFor(hosts));
    return found ? { found: found.credential } : {};
  }
  const known = pack.credentials.get(name);
  if (!known) return { why: "there is no such credential" };
  return isFor(known.hosts) ? { found: known.credential } : { why: "the credential is not for this host" };
}
