/**
 * An authority (`host:port`) as text, read once and by one parser: lower case, ASCII (IDNA), without the dot at its end. Whatever
 * could be read in a second way is refused: user names, control characters, spaces, percent-encoding, numbers that are written
 * as an address (`2130706433`, `0177.0.0.1`), two dots at the end.
 *
 * Usual mistake: to look at the text again after this. What is matched, resolved, dialled and expected in the TLS greeting is
 * what this returns.
 */
export interface Authority {
  /** An IPv6 address stands in brackets. */
  readonly host: string;
  readonly port: number;
}

const MAX_AUTHORITY_CHARS = 270;

/** @returns `undefined` for what is none */
export function parseAuthority(text: string): Authority | undefined {
  if (text.length > MAX_AUTHORITY_CHARS) return undefined;
  const [, name = "", digits = ""] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):([1-9]\d{0,4})$/i.exec(text) ?? [];
  const host = parseHost(name);
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

/** What no host has, however it is spelled: the URL parser would take some of it for the end of the host, or leave it out. */
const NO_HOST = /[\u0000-\u0020\u007f@/?#\\%]/;
const MAX_LABEL_CHARS = 63;
const MAX_HOST_CHARS = 253;

/** @returns the canonical host, `undefined` for what is none or could be read in two ways */
export function parseHost(text: string): string | undefined {
  if (text === "" || NO_HOST.test(text) || text.endsWith("..")) return undefined;
  const bare = text.replace(/\.$/, "");
  const url = URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`) : undefined;
  if (!url || url.pathname !== "/" || url.port !== "" || url.username !== "") return undefined;
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname;
  // An address is taken in its one usual spelling, so that nobody reads another machine in it.
  if (/^[\d.]+$/.test(hostname)) return hostname === bare ? hostname : undefined;
  return isName(hostname) ? hostname : undefined;
}

function isName(host: string): boolean {
  return host.length <= MAX_HOST_CHARS && host.split(".").every(isLabel);
}

/** One of those between the dots of a name: lower case, no hyphen at its ends. */
export function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARS && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label);
}
