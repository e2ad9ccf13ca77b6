/**
 * Addresses that nobody is ever connected to, listed or not: those at which clouds give the credentials of a machine to whoever
 * asks. Configurations, the broker and the supervisor of programs, which is small, all look here. Pure, over the digits of an
 * address in hexadecimal: 8 for IPv4, 32 for IPv6.
 *
 * Usual mistake: to compare the address alone. Several kinds of IPv6 addresses carry an IPv4 address, where the connection ends.
 */

/** AWS, ECS, EKS, Azure, Alibaba, Oracle, AWS twice and Google over IPv6. */
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
  ].map(addressDigits),
);

/** @param digits of an address */
export function isNeverDialled(digits: string): boolean {
  return METADATA.has(digits) || METADATA.has(carriedIpv4(digits) ?? "");
}

/** Mapped, translated, NAT64 (RFC 6052, RFC 8215) and compatible addresses end with it; `::1` and the like carry none. */
const AT_END = /^(?:0{20}ffff|0{16}ffff0{4}|0064ff9b0{16}|0064ff9b0001.{12}|0{24}(?!0{4}))(.{8})$/;
const IN_6TO4 = /^2002(.{8}).{20}$/;
const IN_TEREDO = /^20010{4}.{16}(.{8})$/;

/** The digits of the IPv4 address that an IPv6 address carries. */
export function carriedIpv4(digits: string): string | undefined {
  const turned = IN_TEREDO.exec(digits)?.[1];
  if (turned !== undefined) return digitsOf(Buffer.from(turned, "hex").map((byte) => byte ^ 0xff));
  return AT_END.exec(digits)?.[1] ?? IN_6TO4.exec(digits)?.[1];
}

/** @param text four numbers, or groups of hexadecimal digits with or without `::`, as entries of a list have them */
export function addressDigits(text: string): string {
  if (!text.includes(":")) return digitsOf(text.split(".").map(Number));
  const [before = [], after = []] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const absent = Array.from({ length: 8 - before.length - after.length }, () => "");
  return [...before, ...absent, ...after].map((group) => group.padStart(4, "0")).join("");
}

export function digitsOf(bytes: Iterable<number>): string {
  return Buffer.from([...bytes]).toString("hex");
}
