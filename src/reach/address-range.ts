/**
 * A range of addresses as the configuration writes it: `10.0.0.0/8`, `fd00::/8`. Pure, so that a start can refuse what the broker
 * would refuse later, in a process that nobody sees.
 *
 * Usual mistake: to leave it to a library that is lenient. `010.0.0.0/8` and `10.1/16` are read in two ways.
 */
import { parseHost } from "./authority.ts";

/** With a proxy of any length they fit into the one line that a broker is told them in. */
export const MAX_RANGES = 64;

export function isAddressRange(text: string): boolean {
  const [, address = "", bits = ""] = /^([\d.]+|[\da-f.:]+)\/(0|[1-9]\d{0,2})$/i.exec(text) ?? [];
  const isIpv4 = /^[\d.]+$/.test(address);
  const host = isIpv4 ? address : `[${address}]`;
  return parseHost(host) !== undefined && Number(bits) <= (isIpv4 ? 32 : 128);
}
