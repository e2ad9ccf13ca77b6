/**
 * One HTTP exchange with the address that was found for its host, and with nobody else: redirects are answered and not followed,
 * the environment names no proxy, and nothing is unpacked here, because what is packed may be any size.
 */
import type { Credential } from "../broker-order.ts";
import type { Authority } from "../authority.ts";
import { literalOf } from "./find-way.ts";

export interface Exchange {
  readonly url: URL;
  readonly target: Authority;
  /** Tried one after the other, until one accepts. */
  readonly addresses: readonly string[];
  readonly proxy?: Authority | undefined;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly tls: Credential["tls"];
  /** Authorities besides the usual ones. */
  readonly ca: readonly string[] | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface Exchanged {
  readonly address: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What went wrong on the way, in a word that the host makes a failure of. */
export type ExchangeProblem = "too_large" | "connect" | "tls" | "broken";

/** Thrown by `makeExchange` for what the other side did. */
export class ExchangeError extends Error {
  readonly problem: ExchangeProblem;
  constructor(problem: ExchangeProblem, why: string) {
    super(why);
    this.problem = problem;
  }
}

const MAX_TRIES = 3;
const MAX_WORDS = 200;

/** @throws ExchangeError, or the reason of the signal */
export async function makeExchange(exchange: Exchange): Promise<Exchanged> {
  const { maxBytes, addresses } = exchange;
  return await firstOf(addresses, exchange, async (response, address) => {
    const body = await readBody(response, maxBytes);
    return { address, status: response.status, headers: plainHeaders(response.headers), body };
  });
}

/**
 * One address after the other, until one accepts the connection.
 *
 * @throws ExchangeError, or the reason of the signal
 */
export async function firstOf<T>(
  addresses: readonly string[],
  sent: Sent,
  use: (response: Response, address: string) => T | Promise<T>,
): Promise<T> {
  const tries = addresses.slice(0, MAX_TRIES);
  for (const [index, address] of tries.entries()) {
    const isLast = index === tries.length - 1;
    try {
      return await use(await sendTo(sent, address), address);
    } catch (thrown) {
      sent.signal.throwIfAborted();
      const error = thrown instanceof ExchangeError ? thrown : asError(thrown);
      if (isLast || error.problem !== "connect") throw error;
    }
  }
  throw new ExchangeError("connect", "no address");
}

/** What it takes to send a request to an address. */
type Sent = Omit<Exchange, "addresses" | "maxBytes">;

/** One request to one address, under the name of its host. Redirects are answered, and nothing is unpacked. */
async function sendTo(exchange: Sent, address: string): Promise<Response> {
  const { url, target, method, headers, body, signal, proxy } = exchange;
  const host = literalOf(target.host) === undefined ? target.host : undefined;
  const at = address.includes(":") ? `[${address}]` : address;
  // Through a proxy the name travels on, and its address is found there.
  const to = proxy ? url.href : `${url.protocol}//${at}:${target.port}${url.pathname}${url.search}`;
  const options: BunFetchRequestInit = {
    method,
    headers: { ...headers, host: url.host },
    redirect: "manual",
    decompress: false,
    signal,
    ...(body && body.length > 0 ? { body } : {}),
    ...(proxy ? { proxy: `http://${at}:${proxy.port}` } : {}),
    ...(url.protocol === "https:" ? { tls: tlsOf(exchange, host) } : {}),
  };
  return await fetch(to, options);
}

function tlsOf({ tls, ca }: Sent, serverName: string | undefined): NonNullable<BunFetchRequestInit["tls"]> {
  const believed = tls?.ca ?? ca;
  const name = tls?.serverName ?? serverName;
  return {
    rejectUnauthorized: true,
    ...(name === undefined ? {} : { serverName: name }),
    ...(believed === undefined ? {} : { ca: typeof believed === "string" ? believed : [...believed] }),
    ...(tls?.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls?.key === undefined ? {} : { key: tls.key }),
  };
}

/** @throws ExchangeError `too_large` as soon as it is */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const said = Number(response.headers.get("content-length") ?? 0);
  if (said > maxBytes && response.body) {
    await response.body.cancel();
    throw new ExchangeError("too_large", `${said} bytes`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new ExchangeError("too_large", `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function plainHeaders(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of headers) plain[name] = name in plain ? `${plain[name]}, ${value}` : value;
  return plain;
}

const CONNECT_CODES = /ConnectionRefused|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|FailedToOpenSocket/i;
const TLS_CODES = /CERT|TLS|SSL|UNABLE_TO|HOSTNAME|SELF_SIGNED|ISSUER/i;

function asError(thrown: unknown): ExchangeError {
  const { code = "", message = "" } = thrown as { code?: string | number; message?: string };
  // Some messages of the runtime begin with the code.
  const words = (message.startsWith(`${code}`) ? message : `${code} ${message}`).slice(0, MAX_WORDS).trim();
  if (CONNECT_CODES.test(words)) return new ExchangeError("connect", words);
  return new ExchangeError(TLS_CODES.test(String(code)) ? "tls" : "broken", words);
}
