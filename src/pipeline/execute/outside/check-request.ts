/**
 * A request over HTTP as it may leave: its address, its method and its headers within limits and spelled in one way, and no secret
 * in any part of it. Nothing is sent here.
 */
import { Failure } from "../../../base/index.ts";
import type { HttpRequest } from "../../../contract/index.ts";
import { createRedactor, parseUrl, type Redactor } from "../../../policy/index.ts";
import { haveSecret, bodyHasSecret, percentDecoded } from "./body-secrets.ts";

export interface CheckedRequest {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly isRepeatable: boolean;
  readonly credential: string | undefined;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly takesEncoded: boolean;
}

/** The key of an object has 1,024 bytes, each of which may be three characters here. */
const MAX_URL_CHARS = 4096;
const MAX_HEADERS = 64;
const MAX_HEADER_CHARS: number = 16 * 1024;
const MAX_BODY_BYTES: number = 64 * 1024 * 1024;
const [USUAL_BYTES, MAX_BYTES] = [8 * 1024 * 1024, 32 * 1024 * 1024] as const;
const [USUAL_MS, MAX_MS] = [20_000, 60_000] as const;
/** How a message is carried is the broker's business, and where it goes. */
const KEPT: ReadonlySet<string> = new Set(
  "host connection content-length transfer-encoding upgrade te trailer keep-alive proxy-authorization proxy-connection expect".split(
    " ",
  ),
);

/** Secrets are looked for also where they are not replaced in answers. */
const finder: Redactor = createRedactor(new Uint8Array(32));

/** @param agent who asks, where the request does not say it @throws Failure `invalid_input`, `denied` for a secret */
export async function checkRequest(
  request: HttpRequest,
  agent: string,
  redactor: Redactor = finder,
): Promise<CheckedRequest> {
  const { method = "GET", credential, takesEncoded = false } = request;
  const { href, host, port } = checkUrl(request.url);
  if (!/^[A-Z]{1,20}$/.test(method) || ["CONNECT", "TRACE"].includes(method))
    throw new Failure("invalid_input", `Cannot send the request: ${JSON.stringify(method.slice(0, 40))} is no method`);
  const headers = checkHeaders(request.headers ?? {});
  const body =
    typeof request.body === "string" ? Buffer.from(request.body, "utf8") : (request.body ?? new Uint8Array(0));
  if (body.length > MAX_BODY_BYTES)
    throw new Failure("too_large", `Cannot send the request: its body has more than ${MAX_BODY_BYTES} bytes`);
  if (body.length > 0 && ["GET", "HEAD"].includes(method))
    throw new Failure("invalid_input", `Cannot send the request: a request with ${method} has no body`, {
      hint: "Leave the body out, or name another method.",
    });
  await refuseSecrets(href, headers, body, redactor);
  return {
    url: href,
    host,
    port,
    method,
    headers: { "accept-encoding": "identity", "user-agent": agent, ...headers },
    body,
    isRepeatable: request.isRepeatable ?? ["GET", "HEAD"].includes(method),
    credential,
    maxBytes: Math.min(request.maxBytes ?? USUAL_BYTES, MAX_BYTES),
    timeoutMs: Math.min(request.timeoutMs ?? USUAL_MS, MAX_MS),
    takesEncoded,
  };
}

function checkUrl(text: string): { readonly href: string; readonly host: string; readonly port: number } {
  if (text.length > MAX_URL_CHARS)
    throw new Failure("invalid_input", `Cannot use the URL: it has more than ${MAX_URL_CHARS} characters`);
  // The parser would leave these out, and what is shown would not be what is asked for.
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    throw new Failure("invalid_input", "Cannot use the URL: it has a space, a backslash or a control character in it");
  const { host, port } = parseUrl(text);
  const url = new URL(text);
  url.hash = "";
  url.hostname = host;
  return { href: url.href, host, port: Number(port) };
}

function checkHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > MAX_HEADERS || size > MAX_HEADER_CHARS)
    throw new Failure("invalid_input", "Cannot send the request: its headers are too many or too long");
  for (const [name, value] of entries)
    if (!/^[a-z0-9-]{1,64}$/.test(name) || KEPT.has(name) || !/^[\t\u0020-\u007e]*$/.test(value))
      throw new Failure(
        "invalid_input",
        `Cannot send the request: the header "${name.slice(0, 60)}" cannot be set to that`,
      );
  return Object.fromEntries(entries);
}

/** Data can be carried out of the machine by any part of a request. @throws Failure `denied` */
async function refuseSecrets(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  redactor: Redactor,
): Promise<void> {
  if (haveSecret([url, percentDecoded(url), percentDecoded(url.replaceAll("+", " "))], redactor))
    throw secretIn("its address holds");
  if (haveSecret([JSON.stringify(headers), ...Object.values(headers)], redactor)) throw secretIn("its headers hold");
  if (await bodyHasSecret(body, redactor)) throw secretIn("its body holds");
}

function secretIn(where: string): Failure {
  return new Failure("denied", `Cannot send the request: ${where} what looks like a secret`, {
    hint: "Leave it out. A credential for a host is set in the configuration, and added where no tool sees it.",
  });
}
