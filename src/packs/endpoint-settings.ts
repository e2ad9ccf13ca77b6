/**
 * Services that the configuration names by an address: the host that is reached for them, and the hosts of their credential.
 */
import type { Credential } from "../contract/index.ts";

/** An entry of `reach`. */
export function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Where a credential for this address goes: in the clear only if that is what the configuration says. */
export function credentialHosts(url: string): Pick<Credential, "hosts" | "overHttp"> {
  return { hosts: [hostOf(url)], overHttp: hostsOverHttp(url) };
}

export function hostsOverHttp(url: string): readonly string[] {
  return new URL(url).protocol === "http:" ? [hostOf(url)] : [];
}
