/**
 * Where a connection of a supervised program goes: to the broker, to an address that its list names, or nowhere. Pure: the
 * caller reads the broker's port once for each connection, because one that was read twice could change in between.
 *
 * Invariant: what is answered holds the address that is connected to. The program's own memory, which it can change at any
 * moment, is not looked at again.
 */
import { constants } from "node:os";
import { addressDigits, isNeverDialled, listsAddress, type ReachList } from "../../reach/index.ts";
import type { SocketKind } from "../../sys/index.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  familyOf,
  internetAddressOf,
  loopbackAddress,
  unixAddress,
  unixPathOf,
} from "./socket-address.ts";

export interface PlaceRules {
  readonly reach: ReachList;
  /** Unix sockets that have a name in the file system may be connected to. */
  readonly unix: boolean;
  /** The port of 127.0.0.1 that the program's variables name. */
  readonly proxyPort: number;
  /** Where the broker listens on 127.0.0.1; 0 while it is not known, negative when there is none. */
  readonly brokerPort: number;
}

export type ConnectPlace =
  | { readonly kind: "broker" | "listed"; readonly address: Buffer }
  /** To the broker, once it is known where that is. */
  | { readonly kind: "early" }
  /** The number of the error that the program gets. */
  | { readonly kind: "refused"; readonly errno: number };

const SOCK_STREAM = 1;
const IPPROTO_TCP = 6;
const { EACCES, EAFNOSUPPORT, ECONNREFUSED, ENAMETOOLONG, ENOTSOCK } = constants.errno;

/** @param thread the caller, whose directory a relative path begins at */
export function placeOf(
  socket: SocketKind | undefined,
  bytes: Buffer,
  thread: number,
  rules: PlaceRules,
): ConnectPlace {
  if (!socket) return refused(ENOTSOCK);
  if (socket.family === AF_UNIX) return unixPlace(bytes, thread, rules);
  const isTcp = socket.type === SOCK_STREAM && socket.protocol === IPPROTO_TCP;
  if (!isTcp || (socket.family !== AF_INET && socket.family !== AF_INET6)) return refused(EACCES);
  const asked = internetAddressOf(bytes);
  if (!asked || familyOf(bytes) !== socket.family) return refused(EAFNOSUPPORT);
  const { host, port } = asked;
  if (host === "127.0.0.1" && port === rules.proxyPort) {
    if (rules.brokerPort === 0) return { kind: "early" };
    if (rules.brokerPort < 0) return refused(ECONNREFUSED);
    return { kind: "broker", address: loopbackAddress(socket.family, rules.brokerPort) };
  }
  // The broker trusts a port that was registered; nobody gets there around that.
  const isBroker = port === rules.brokerPort && host.startsWith("127.");
  if (isBroker || isNeverDialled(addressDigits(host)) || !listsAddress(rules.reach, host, port)) return refused(EACCES);
  return { kind: "listed", address: bytes };
}

/** An abstract name would lead around the scope that Landlock keeps the program in. */
function unixPlace(bytes: Buffer, thread: number, { unix }: PlaceRules): ConnectPlace {
  if (familyOf(bytes) !== AF_UNIX) return refused(EAFNOSUPPORT);
  const path = unixPathOf(bytes);
  if (!unix || !path) return refused(EACCES);
  const whole = path[0] === SLASH ? path : Buffer.concat([Buffer.from(`/proc/${thread}/cwd/`), path]);
  const address = unixAddress(whole);
  return address ? { kind: "listed", address } : refused(ENAMETOOLONG);
}

const SLASH = 0x2f;

function refused(errno: number): ConnectPlace {
  return { kind: "refused", errno };
}
