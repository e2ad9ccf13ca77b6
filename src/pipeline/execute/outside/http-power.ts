/**
 * What a tool has of the network (`ctx.http`): exchanges with hosts in the reach of its pack, made by the broker. What is refused
 * is refused before anything leaves: an address outside of the reach, one that rules keep from the tool, also where a server
 * redirects to it, and whatever holds a secret. Each exchange is a line of the record, with the reason where there was none.
 *
 * Usual mistake: to tell the caller why a name led nowhere. The answer is one and the same whether the host exists or not.
 */
import { Failure, sha256 } from "../../../base/index.ts";
import type { HttpAnswer, HttpApi, HttpRequest, Tool } from "../../../contract/index.ts";
import { canonicalSubject } from "../../../policy/index.ts";
import {
  BROKER,
  PIECE_BYTES,
  parseReach,
  reaches,
  type ExchangeAsk,
  type ExchangeSaid,
  type SignSaid,
} from "../../../reach/index.ts";
import type { CallPolicy } from "../../call.ts";
import { decideCall } from "../../decide/assess.ts";
import { checkRequest, type CheckedRequest } from "./check-request.ts";
import { failureOf, lostAnswer } from "./http-failure.ts";
import type { Services } from "../../services.ts";
import { placeTarget, toolFacts } from "../../../session/index.ts";

interface HttpUser {
  readonly host: Services;
  readonly tool: Tool;
  readonly under: CallPolicy;
  /** Aborted when the caller leaves and when the use is over. */
  readonly signal: AbortSignal;
}

interface PackUser extends HttpUser {
  readonly pack: string;
  readonly brokerFor: (credential: string | undefined) => string;
}

/** One line of the pipe as base64, with what is around it. */
const ANSWER_BYTES: number = PIECE_BYTES * 1.5;
/** The broker answers when the time is over; this is for one that does not. */
const LATE_MS = 2000;

export function createHttp(caller: HttpUser): HttpApi {
  const { host, tool } = caller;
  const known = host.packs.networkOf(tool);
  const { pack, reach, brokerFor } = known ?? { pack: "this tool", reach: parseReach([]), brokerFor: () => BROKER };
  const user: PackUser = { ...caller, pack, brokerFor };
  const check = async (request: HttpRequest): Promise<CheckedRequest> => {
    const checked = await checkRequest(request, `ringfence/${host.facts.version}`, host.redactor);
    if (reaches(reach, checked.host, checked.port)) return checked;
    throw new Failure(
      "denied",
      `Cannot reach "${checked.host}:${checked.port}": the host is not in the list of packs.${pack}.network.reach`,
      {
        hint: "system_info names the hosts that are.",
      },
    );
  };
  const http = async (request: HttpRequest): Promise<HttpAnswer> => {
    const redirects: string[] = [];
    let checked = await check(request);
    for (;;) {
      const said = await exchange(user, checked);
      const next = redirectOf(checked, said);
      if (next === undefined || redirects.length >= (request.redirects ?? 0))
        return { status: said.status, headers: said.headers, body: said.body, finalUrl: checked.url, redirects };
      redirects.push(checked.url);
      checked = await check({ ...request, url: next, headers: unconditional(request.headers) });
      refuseByRules(user, checked);
      await request.mayFollow?.(checked.url);
    }
  };
  return Object.assign(http, {
    check: async (request: HttpRequest) => void (await check(request)),
    presign: async (ask: Parameters<HttpApi["presign"]>[0]) => {
      await check({ url: ask.url, method: ask.method });
      using broker = holdBroker(user, ask.credential);
      const { url, unusable } = await broker<SignSaid>("presign", { pack, ...ask }, 10_000);
      if (unusable) {
        broker.renew();
        throw new Failure("denied", unusable.message, { hint: unusable.hint });
      }
      if (url !== "") return url;
      throw new Failure("denied", `Cannot sign for "${ask.credential}": there is no such credential for this host`);
    },
  });
}

interface Exchanged extends Pick<HttpAnswer, "status" | "headers" | "body"> {}

/** @param isAgain with credentials that were read anew */
async function exchange(user: PackUser, checked: CheckedRequest, isAgain = false): Promise<Exchanged> {
  const { pack } = user;
  const { host: name, port, url, method, headers, credential, maxBytes, timeoutMs, body } = checked;
  // What goes ahead of a request and what is left of its answer are in the process that had it, and in no other.
  using broker = holdBroker(user, credential);
  const ahead = await sent(broker, body);
  const ask: ExchangeAsk = { pack, url, method, headers, credential, maxBytes, timeoutMs, ...ahead };
  const isReadAnew = credential !== undefined && user.brokerFor(credential) !== BROKER;
  const said = await orLost(checked, broker<ExchangeSaid>("exchange", ask, timeoutMs + LATE_MS));
  const { address, ms } = said;
  const line = { pack, host: name, port, address: address || undefined, method, path: digestOfPath(url), ms };
  if ("problem" in said) {
    user.host.audit.announce("connected", { ...line, problem: said.problem, why: said.why.slice(0, 200) });
    // Whoever owns the credential may have corrected it by a later call.
    if (said.problem === "credential") broker.renew();
    const place = said.isProxied ? "the address of network.proxy" : `${name}:${port}`;
    throw failureOf(checked, said, place);
  }
  const { status, up, down } = said;
  user.host.audit.announce("connected", { ...line, status, up, down });
  const isRefused = status === 401 && isReadAnew;
  // However its answer is packed, a credential that is refused is read anew.
  if (!isRefused) refuseEncoded(checked, said);
  const exchanged: Exchanged = { status, headers: said.headers, body: await orLost(checked, received(broker, said)) };
  if (!isRefused) return exchanged;
  // A token lives for minutes, so it is read anew and tried once more.
  const isRenewed = broker.renew();
  return isRenewed && !isAgain && method === "GET" ? await exchange(user, checked, true) : exchanged;
}

/** From here on the server may have had the request. */
async function orLost<T>(checked: CheckedRequest, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw lostAnswer(checked, thrown);
  }
}

/** What was asked for can be proven later, and is not shown: it may hold anything. */
function digestOfPath(url: string): string {
  const { pathname, search } = new URL(url);
  return `sha256:${sha256(pathname + search).slice(0, 12)}`;
}

/** A long body goes ahead of its request, in pieces. */
async function sent(broker: HeldBroker, body: Uint8Array): Promise<Pick<ExchangeAsk, "body" | "handle">> {
  if (body.length <= PIECE_BYTES) return body.length === 0 ? {} : { body: Buffer.from(body).toString("base64") };
  let handle: string | undefined;
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    const data = Buffer.from(body.subarray(at, at + PIECE_BYTES)).toString("base64");
    ({ handle } = await broker<{ readonly handle: string }>("put", { handle, at, data }, 30_000));
  }
  return { handle };
}

async function received(
  broker: HeldBroker,
  said: { readonly body: string; readonly more?: string | undefined },
): Promise<Uint8Array> {
  const pieces = [Buffer.from(said.body, "base64")];
  let { more } = said;
  while (more !== undefined) {
    const next = await broker<{ readonly body: string; readonly more?: string }>("more", { handle: more }, 30_000);
    pieces.push(Buffer.from(next.body, "base64"));
    more = next.more;
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

interface HeldBroker extends Disposable {
  <T>(name: string, ask: object, timeoutMs: number): Promise<T>;
  readonly renew: () => boolean;
}

function holdBroker({ host, brokerFor, signal }: PackUser, credential: string | undefined): HeldBroker {
  const held = host.packs.broker(brokerFor(credential)).hold();
  const ask = async <T>(name: string, asked: object, timeoutMs: number): Promise<T> => {
    host.audit.write();
    return (await held.call(name, asked, { signal, timeoutMs, answerBytes: ANSWER_BYTES })) as T;
  };
  return Object.assign(ask, { renew: held.renew, [Symbol.dispose]: () => held[Symbol.dispose]() });
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** @throws Failure `denied` for one that leads out of TLS */
function redirectOf({ url, method }: CheckedRequest, { status, headers }: Exchanged): string | undefined {
  const said = headers["location"];
  if (said === undefined || !REDIRECTS.includes(status) || !["GET", "HEAD"].includes(method)) return undefined;
  // A sign of a header is a byte, and those of an address are UTF-8.
  const location = said.replaceAll(/[\x80-\xff]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  if (!URL.canParse(location, url)) return undefined;
  const next = new URL(location, url);
  next.hash = "";
  if (url.startsWith("https:") && next.protocol === "http:")
    throw new Failure("denied", `Cannot follow the redirect of "${url}": it leads from https to http`);
  return next.href;
}

/** What a caller has of one address says nothing about another. */
function unconditional(headers: HttpRequest["headers"] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "if-none-match"));
}

/** A rule about the address that a server redirects to holds as for the address of a call. @throws Failure `denied` */
function refuseByRules({ host, tool, under }: HttpUser, { url, method }: CheckedRequest): void {
  const target = placeTarget({ kind: "url", url, method }, host.policy.place);
  const { type, reason } = decideCall(host, {
    tool: toolFacts(tool),
    targets: [{ ...target, isReached: true }],
    removes: false,
    mode: under.mode,
  });
  if (type === "allow") return;
  throw new Failure("denied", `Cannot follow a redirect to "${canonicalSubject({ kind: "url", url })}": ${reason}`, {
    hint: "Call the tool with that address itself to have it decided.",
  });
}

/** @throws Failure `command_failed` for a packed body that nobody asked for */
function refuseEncoded(
  checked: CheckedRequest,
  { headers, isWithheld }: Pick<Exchanged, "headers"> & { readonly isWithheld?: true | undefined },
): void {
  const { takesEncoded, url } = checked;
  const encoding = headers["content-encoding"] ?? "identity";
  if (isWithheld !== true && (takesEncoded || encoding === "identity" || encoding === "")) return;
  const packed = `it is packed (${encoding.slice(0, 40)}), although a plain one was asked for`;
  throw lostAnswer(
    checked,
    new Failure("command_failed", `Cannot use the answer of "${url}": ${packed}`, {
      hint: "The server has it in this form alone, and where a credential is sent nothing packed is taken.",
    }),
  );
}
