/**
 * What the broker takes from this machine and from its configuration: the resolver, the authorities that everybody believes, the
 * proxy of a company.
 */
import { rootCertificates } from "node:tls";
import { parseHost, type Authority } from "../authority.ts";

/** All addresses of a name, asked of the system anew each time. */
export async function resolveName(host: string): Promise<readonly string[]> {
  const found = await Bun.dns.lookup(host, {});
  return found.map(({ address }) => address);
}

/** The usual authorities, and those of a file besides. */
export function certificatesOf(pem: string): readonly string[] {
  const own = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return [...rootCertificates, ...own];
}

/** @returns `undefined` for another scheme than http and https, and for user names */
export function targetOf(url: URL): Authority | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const host = parseHost(url.hostname);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return host === undefined || url.username !== "" || url.password !== "" ? undefined : { host, port };
}

/** The proxy was checked when the configuration was read. */
export function proxyOf(text: string): Authority {
  const target = targetOf(new URL(text));
  if (!target) throw new Error("the proxy has no address");
  return target;
}
