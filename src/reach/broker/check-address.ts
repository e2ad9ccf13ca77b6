/**
 * Whether an address may be dialled. A public one may; one of any other kind only where the configuration names its range, or the
 * address itself stands in `reach`. An address that carries an IPv4 address (mapped, NAT64, 6to4, Teredo) is judged by that one too,
 * because the connection ends there. Addresses that hand credentials of the machine to whoever asks are never dialled.
 */
import ip from "ipaddr.js";
import { Failure } from "../../base/index.ts";
import { isAddressRange } from "../address-range.ts";

type Address = ip.IPv4 | ip.IPv6;
export type Range = readonly [Address, number];

/** Services of clouds that give out credentials: AWS, ECS, Azure, Alibaba, Oracle, AWS and Google over IPv6. */
const METADATA: ReadonlySet<string> = new Set(
  [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
  ].map((one) => ip.parse(one).toNormalizedString()),
);

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
  const carried = carriedBy(whole);
  const all = carried ? [whole, carried] : [whole];
  if (all.some((one) => METADATA.has(one.toNormalizedString()))) return "a metadata service";
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

function carriedBy(address: Address): ip.IPv4 | undefined {
  if (address instanceof ip.IPv4) return undefined;
  const { parts } = address;
  const at = (index: number): ip.IPv4 => ipv4Of(parts[index] ?? 0, parts[index + 1] ?? 0);
  const range: string = address.range();
  if (["ipv4Mapped", "rfc6052", "rfc6145"].includes(range)) return at(6);
  if (range === "6to4") return at(1);
  if (range === "teredo") return ipv4Of((parts[6] ?? 0) ^ 0xffff, (parts[7] ?? 0) ^ 0xffff);
  return parts.slice(0, 6).every((one) => one === 0) && (parts[6] ?? 0) > 0 ? at(6) : undefined;
}

function ipv4Of(high: number, low: number): ip.IPv4 {
  return new ip.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
