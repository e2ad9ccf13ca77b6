/**
 * Addresses of sockets as the kernel has them: struct sockaddr_in, sockaddr_in6 and sockaddr_un. Pure.
 * https://man7.org/linux/man-pages/man7/ip.7.html
 *
 * Invariant: an address has one text. An IPv4 address in the clothes of IPv6 is the IPv4 address, since the kernel connects
 * to that.
 */
import { foldHost } from "../../reach/index.ts";

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;

const INET_BYTES = 16;
/** Without the scope, which the kernel takes as absent too. */
const MIN_INET6_BYTES = 24;
const INET6_BYTES = 28;
const MAPPED_PREFIX: Buffer = Buffer.from("00000000000000000000ffff", "hex");

export interface InternetAddress {
  /** Dotted, or the shortest form of IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads what a program gave to connect(2). `undefined` for another family and for too few bytes. */
export function internetAddressOf(bytes: Buffer): InternetAddress | undefined {
  const family = familyOf(bytes);
  if (family === AF_INET && bytes.length >= INET_BYTES)
    return { host: [...bytes.subarray(4, 8)].join("."), port: bytes.readUInt16BE(2) };
  if (family !== AF_INET6 || bytes.length < MIN_INET6_BYTES) return undefined;
  const address = bytes.subarray(8, 24);
  const port = bytes.readUInt16BE(2);
  if (address.subarray(0, 12).equals(MAPPED_PREFIX)) return { host: [...address.subarray(12)].join("."), port };
  const groups = address.toString("hex").match(/.{4}/g) ?? [];
  return { host: foldHost(`[${groups.join(":")}]`), port };
}

export function familyOf(bytes: Buffer): number {
  return bytes.length < 2 ? 0 : bytes.readUInt16LE(0);
}

/** A port of 127.0.0.1, for a socket of this family. */
export function loopbackAddress(family: number, port: number): Buffer {
  if (family === AF_INET6) {
    const bytes = Buffer.alloc(INET6_BYTES);
    bytes.writeUInt16LE(AF_INET6, 0);
    bytes.writeUInt16BE(port, 2);
    bytes.set([...MAPPED_PREFIX, 127, 0, 0, 1], 8);
    return bytes;
  }
  const bytes = Buffer.alloc(INET_BYTES);
  bytes.writeUInt16LE(AF_INET, 0);
  bytes.writeUInt16BE(port, 2);
  bytes.set([127, 0, 0, 1], 4);
  return bytes;
}

/** The path in a struct sockaddr_un; `undefined` for an abstract name, which has no path. */
export function unixPathOf(bytes: Buffer): Buffer | undefined {
  const path = bytes.subarray(2);
  const end = path.indexOf(0);
  const name = end < 0 ? path : path.subarray(0, end);
  return name.length === 0 ? undefined : name;
}

/** What `sun_path` holds. */
const MAX_UNIX_PATH_BYTES = 108;

export function unixAddress(path: Buffer): Buffer | undefined {
  if (path.length >= MAX_UNIX_PATH_BYTES) return undefined;
  return Buffer.concat([Buffer.from([AF_UNIX, 0]), path, Buffer.alloc(1)]);
}
