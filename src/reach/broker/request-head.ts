/**
 * What a program asks of its proxy: `CONNECT host:port`, or a request for a whole `http:` URL. The head is read once and strictly;
 * what goes on to a server is written anew from what was understood, so that no server reads another request in the same bytes.
 */
import { parseAuthority, type Authority } from "../authority.ts";

export type ProxyRequest =
  | { readonly is: "tunnel"; readonly target: Authority }
  /** @property head to be sent to the server @property bodyBytes that follow it, unless it comes in chunks and goes on in them */
  | {
      readonly is: "request";
      readonly target: Authority;
      readonly url: string;
      /** With this in the place of the address: a path for a server, the URL for another proxy. */
      readonly head: (address: string) => string;
      readonly path: string;
      readonly bodyBytes: number | "chunked";
    };

/** The status that a request is refused with. */
export interface BadRequest {
  readonly status: "400 Bad Request" | "411 Length Required" | "505 HTTP Version Not Supported";
}

export const MAX_HEAD_BYTES: number = 32 * 1024;
const MAX_HEADERS = 200;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Between this program and the broker alone (RFC 9110 section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  "connection proxy-connection proxy-authorization proxy-authenticate keep-alive te trailer upgrade host content-length transfer-encoding expect".split(
    " ",
  ),
);

/** @param text the head without the empty line at its end, as latin1 */
export function parseRequestHead(text: string): ProxyRequest | BadRequest {
  const bad: BadRequest = { status: "400 Bad Request" };
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)|(?<!\r)\n/.test(text)) return bad;
  const [first = "", ...lines] = text.split("\r\n");
  const [, method = "", address = "", version = ""] =
    /^([A-Z]{1,20}) ([\u0021-\u007e]+) HTTP\/(\d\.\d)$/.exec(first) ?? [];
  if (method === "") return bad;
  if (version !== "1.1" && version !== "1.0") return { status: "505 HTTP Version Not Supported" };
  const headers = parseHeaders(lines);
  if (!headers) return bad;
  if (method === "CONNECT") {
    const target = parseAuthority(address);
    return target ? { is: "tunnel", target } : bad;
  }
  return requestOf({ method, address, version }, headers);
}

type Headers = readonly (readonly [name: string, value: string])[];

function parseHeaders(lines: readonly string[]): Headers | undefined {
  if (lines.length > MAX_HEADERS) return undefined;
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return headers.every(([name], at) => lines[at]?.includes(":") === true && TOKEN.test(name)) ? headers : undefined;
}

interface FirstLine {
  readonly method: string;
  readonly address: string;
  readonly version: string;
}

function requestOf({ method, address, version }: FirstLine, headers: Headers): ProxyRequest | BadRequest {
  const bad: BadRequest = { status: "400 Bad Request" };
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]+)([/?][^#]*)?$/i.exec(address) ?? [];
  const target = parseAuthority(/:\d+$/.test(authority) ? authority : `${authority}:80`);
  if (!target || method === "TRACE") return bad;
  const named = (name: string): string[] =>
    headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  const lengths = new Set(named("content-length"));
  const codings = named("transfer-encoding");
  const isChunked = codings.length > 0;
  // A server could believe either of the two.
  if (isChunked && lengths.size > 0) return bad;
  if (isChunked && (codings.join().toLowerCase() !== "chunked" || version !== "1.1"))
    return { status: "411 Length Required" };
  const [length = "0"] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) return bad;
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  const host = target.port === 80 ? target.host : `${target.host}:${target.port}`;
  const kept = headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
  const carried = isChunked ? [["Transfer-Encoding", "chunked"]] : lengths.size > 0 ? [["Content-Length", length]] : [];
  const own = [["Host", host], ["Connection", "close"], ...carried];
  const written = [...own, ...kept].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return {
    is: "request",
    target,
    url: `http://${host}${path}`,
    path,
    head: (to) => `${method} ${to} HTTP/1.1\r\n${written}\r\n`,
    bodyBytes: isChunked ? "chunked" : Number(length),
  };
}

/** So long may be what a chunk begins with: its size, and extensions that nobody needs. */
export const MAX_CHUNK_LINE_BYTES = 256;

/** @param line with its end, as latin1 @returns `undefined` for what is no size, or none that a number holds exactly */
export function parseChunkSize(line: string): number | undefined {
  const [, digits] = /^([0-9a-f]{1,12})(?:;[\t\u0020-\u007e\u0080-\u00ff]*)?\r\n$/i.exec(line) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
