/**
 * What the broker takes from this machine: its resolver, and the authorities that everybody believes.
 */
import { rootCertificates } from "node:tls";

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
