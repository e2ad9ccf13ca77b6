/**
 * The broker as the process of its own that it is: what each pack may reach and which credentials it adds, told once by the
 * launcher; then one exchange after the other, as tools ask for them. What comes back is either an answer or a problem with the
 * reason for the record; the host says to the caller what is good for a caller.
 *
 * Bodies cross the pipe in pieces, because a line of the pipe is bounded.
 */
import { CLOCK, Failure, monotonicMs, type Clock } from "../../base/index.ts";
import type { Authority } from "../authority.ts";
import type { BrokerOrder, Credential, PackNetwork } from "../broker-order.ts";
import { parseReach, reaches, type ReachList } from "../reach-list.ts";
import { addCredential, presign } from "./credential/add-credential.ts";
import { withoutCredential } from "./credential/without-credential.ts";
import { ExchangeError, makeExchange } from "./exchange.ts";
import { findWay, isThisMachine, wayOutOf, type Resolve, type WayOut } from "./find-way.ts";
import type { BodyPiece, ExchangeAsk, ExchangeSaid, SignAsk, SignSaid } from "../broker-calls.ts";
import { HeldBodies } from "./held-bodies.ts";
import { RequestRate } from "./request-rate.ts";
import { certificatesOf, resolveName, targetOf } from "./system.ts";

/** A function of the broker, called by name. */
export type BrokerCode = (call: string, ask: unknown, signal: AbortSignal) => Promise<unknown>;

interface KnownPack {
  readonly reach: ReachList;
  readonly credentials: ReadonlyMap<string, KnownCredential>;
  readonly perMinute: number;
}

interface KnownCredential {
  readonly hosts: ReachList;
  /** Where it may go in the clear. */
  readonly overHttp: ReachList;
  readonly credential: Credential;
}

interface Broker {
  readonly packs: ReadonlyMap<string, KnownPack>;
  readonly out: WayOut;
  readonly ca: ReturnType<typeof certificatesOf> | undefined;
  readonly held: HeldBodies;
  readonly requests: RequestRate;
}

/** @param resolve default: the resolver of the system */
export function createBroker(
  order: BrokerOrder,
  resolve: Resolve = resolveName,
  clock: Pick<Clock, "monotonicMs"> = CLOCK,
): BrokerCode {
  const { ca } = order.network;
  const packs = new Map(Object.entries(order.packs).map(([name, pack]) => [name, knownPack(pack)]));
  const held = new HeldBodies(clock);
  const broker: Broker = {
    packs,
    out: wayOutOf(order.network, resolve),
    ca: ca === undefined ? undefined : certificatesOf(ca),
    held,
    requests: new RequestRate(),
  };
  const calls: Readonly<Record<string, (ask: never, signal: AbortSignal) => unknown>> = {
    exchange: async (ask: ExchangeAsk, signal) => await exchange(broker, ask, signal),
    put: ({ handle, at, data }: BodyPiece) => ({ handle: held.put(handle, at, Buffer.from(data, "base64")) }),
    more: ({ handle }: { readonly handle: string }) => held.next(handle),
    presign: async ({ pack, credential, url, method, seconds }: SignAsk): Promise<SignSaid> => {
      const { found } = credentialFor(packs.get(pack), credential, new URL(url));
      if (found?.unusable) return { url: "", unusable: found.unusable };
      return { url: found ? await presign(found, { url, method, seconds }) : "" };
    },
  };
  return async (call, ask, signal) => {
    const code = Object.hasOwn(calls, call) ? calls[call] : undefined;
    if (!code) throw new Error(`the broker has no "${call.slice(0, 60)}"`);
    return await code(ask as never, signal);
  };
}

type ExchangeFailed = Extract<ExchangeSaid, { problem: unknown }>;

async function exchange(broker: Broker, ask: ExchangeAsk, stop: AbortSignal): Promise<ExchangeSaid> {
  const began = monotonicMs();
  const { held, out, ca } = broker;
  const body = ask.handle === undefined ? Buffer.from(ask.body ?? "", "base64") : held.take(ask.handle);
  let dialled = "";
  let isProxied = false;
  const failed = (problem: ExchangeFailed["problem"], why: string, hint?: string): ExchangeFailed => ({
    problem,
    why,
    ...(hint === undefined ? {} : { hint }),
    ...(isProxied ? { isProxied } : {}),
    address: dialled,
    ms: Math.round(monotonicMs() - began),
  });
  const url = new URL(ask.url);
  const admitted = admit(broker, ask, url);
  if ("problem" in admitted) return failed(admitted.problem, admitted.why, admitted.hint);
  const { target, reach, found } = admitted;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ask.timeoutMs)]);
  const { method, maxBytes } = ask;
  try {
    const way = await unlessAborted(findWay(target, reach, out), signal);
    if ("why" in way) return failed("denied", way.why);
    [dialled = ""] = way.addresses;
    isProxied = way.proxy !== undefined;
    const headers = await addCredential(found, { url, method, headers: ask.headers, body });
    const made = { url, target, ...way, method, headers, body, tls: found?.tls, ca, maxBytes, signal };
    const answer = await makeExchange(made);
    const { address, status, headers: answered, body: whole, isWithheld } = withoutCredential(found, answer);
    const begun = held.keep(whole);
    if (!begun) return failed("full", "too many long answers are being fetched");
    const ms = Math.round(monotonicMs() - began);
    const [up, down] = [body.length, answer.body.length];
    return { status, headers: answered, ...begun, isWithheld, address, up, down, ms };
  } catch (thrown) {
    if (stop.aborted) throw new Failure("cancelled", "Cannot finish the request: it was cancelled");
    if (signal.aborted) return failed("timed_out", "");
    if (thrown instanceof ExchangeError) return failed(thrown.problem, thrown.message);
    throw thrown;
  }
}

interface Admitted {
  readonly target: Authority;
  readonly reach: ReachList;
  readonly found: Credential | undefined;
}

/** What is refused before a name is looked up. */
function admit(
  { packs, requests }: Broker,
  ask: ExchangeAsk,
  url: URL,
): Admitted | Pick<ExchangeFailed, "problem" | "why" | "hint"> {
  const target = targetOf(url);
  const pack = packs.get(ask.pack);
  if (!target || !pack) return { problem: "denied", why: "it is no address" };
  const { found, why, problem = "denied" } = credentialFor(pack, ask.credential, url);
  if (why !== undefined) return { problem, why };
  if (found?.unusable) return { problem: "credential", why: found.unusable.message, hint: found.unusable.hint };
  if (!requests.mayGo(ask.pack, url.host, pack.perMinute))
    return { problem: "busy", why: "too many requests to this host" };
  return { target, reach: pack.reach, found };
}

/** A resolver cannot be told to stop, and whoever cancels waits for nothing. @throws the reason of the signal */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function knownPack({ reach, credentials = {}, perMinute = Infinity }: PackNetwork): KnownPack {
  const known = Object.entries(credentials).map(([name, credential]) => {
    const hosts = parseReach(credential.hosts);
    const { entries, texts } = parseReach(credential.overHttp ?? []);
    const overHttp = { entries: [...entries, ...hosts.entries.filter(({ port }) => port === HTTP)], texts };
    return [name, { hosts, overHttp, credential }] as const;
  });
  return { reach: parseReach(reach), credentials: new Map(known), perMinute };
}

interface CredentialFound {
  readonly found?: Credential;
  readonly problem?: "exposed";
  readonly why?: string;
}

function credentialFor(pack: KnownPack | undefined, name: string | undefined, url: URL): CredentialFound {
  const target = targetOf(url);
  if (!pack || !target) return { why: "it is no address" };
  const isFor = (hosts: ReachList): boolean => reaches(hosts, target.host, target.port);
  const known =
    name === undefined
      ? [...pack.credentials.values()].find(({ hosts, credential }) => credential.isAlways && isFor(hosts))
      : pack.credentials.get(name);
  if (!known) return name === undefined ? {} : { why: "there is no such credential" };
  if (!isFor(known.hosts)) return { why: "the credential is not for this host" };
  // The scheme of an address is the caller's word, who may be a model, unless the configuration has it too.
  const isOpen = url.protocol === "http:" && (target.port === HTTPS || !isThisMachine(target.host));
  if (isOpen && !isFor(known.overHttp)) return { problem: "exposed", why: "the credential would go over plain http" };
  return { found: known.credential };
}

const [HTTP, HTTPS] = [80, 443] as const;
