/**
 * Whether an address may be dialled. A public one may; one of any other kind only where the configuration names its range, or the
 * address itself stands in `reach`. An address that carries an IPv4 address (mapped, NAT64, 6to4, Teredo) is judged by that one too,
 * because the connection ends there. Addresses that hand credentials of the machine to whoever asks are never dialled.
 */
import ip from "ipaddr.js";
import { Failure } from "../../base/index.ts";
import { isAddressRange } from "../address-range.ts";
import { carriedIpv4, digitsOf, isNeverDialled } from "../never-dialled.ts";

type Address = ip.IPv4 | ip.IPv6;
export type Range = readonly [Address, number];

/** @throws Failure `invalid_input` */
export function parseRanges(texts: readonly string[]): readonly Range[] {
  return texts.map((text) => {
    if (isAddressRange(text)) return ip.parseCIDR(text);
    throw new Failure(
      "invalid_input",
      `Cannot use "${text.slice(0, 100)}" in network.ranges: it is no range of addresses`,
      {
        hint: "A range is written as 10.0.0.0/8 or fd00::/8.",
      },
    );
  });
}

/** @param isListed the address itself stands in `reach` @returns why not, for the record; `undefined` where it may be */
export function addressProblem(
  text: string,
  { ranges, isListed }: { readonly ranges: readonly Range[]; readonly isListed: boolean },
): string | undefined {
  if (!ip.isValid(text)) return "it is no address";
  const whole = ip.parse(text);
  const digits = digitsOf(whole.toByteArray());
  if (isNeverDialled(digits)) return "a metadata service";
  const within = carriedIpv4(digits);
  const carried = within === undefined ? undefined : new ip.IPv4([...Buffer.from(within, "hex")]);
  const all = carried ? [whole, carried] : [whole];
  if (isListed || all.some((one) => isIn(one, ranges))) return undefined;
  const judged = carried && isTransparent(whole) ? carried : whole;
  const kind = judged.range();
  return kind === "unicast" ? undefined : `a ${kind} address`;
}

/** An IPv4 address in an IPv6 one counts as what it is; a name is no address. */
export function isLoopback(text: string): boolean {
  return ip.isValid(text) && ip.process(text).range() === "loopback";
}

/** A connection to it goes to the IPv4 address and nowhere else; 6to4 and Teredo go through others' relays. */
function isTransparent(address: Address): boolean {
  return ["ipv4Mapped", "rfc6052"].includes(address.range()) && !isLocalNat64(address);
}

/** `64:ff9b:1::/48` is for networks of their own (RFC 8215). */
function isLocalNat64(address: Address): boolean {
  return address instanceof ip.IPv6 && address.parts[0] === 0x64 && address.parts[2] !== 0;
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
