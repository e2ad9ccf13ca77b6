/**
 * Where a connection of a supervised program goes, by the address that it gave and the socket that it has.
 */
import { describe, expect, test } from "bun:test";
import { constants } from "node:os";
import { placeOf, type PlaceRules } from "../../src/fence/supervise/place-of.ts";
import { internetAddressOf } from "../../src/fence/supervise/socket-address.ts";
import { parseReach } from "../../src/reach/index.ts";

const { EACCES, EAFNOSUPPORT, ECONNREFUSED, ENOTSOCK, ENAMETOOLONG } = constants.errno;
const TCP = { family: 2, type: 1, protocol: 6 };
const TCP6 = { family: 10, type: 1, protocol: 6 };
const UNIX = { family: 1, type: 1, protocol: 0 };
const RULES: PlaceRules = {
  reach: parseReach(["web.example:443", "127.0.0.1:9000", "[::1]:9000", "10.0.0.5"]),
  unix: false,
  proxyPort: 3128,
  brokerPort: 41_000,
};

function inet(host: string, port: number): Buffer {
  return Buffer.from([2, 0, port >> 8, port & 0xff, ...host.split(".").map(Number), 0, 0, 0, 0, 0, 0, 0, 0]);
}

function inet6(address: string, port: number): Buffer {
  return Buffer.from([10, 0, port >> 8, port & 0xff, 0, 0, 0, 0, ...Buffer.from(address, "hex"), 0, 0, 0, 0]);
}

function unix(path: string): Buffer {
  return Buffer.from(`\u0001\0${path}`, "latin1");
}

const MAPPED = "00000000000000000000ffff7f000001";
const LOOPBACK6 = "00000000000000000000000000000001";

describe("placeOf()", () => {
  test("placeOf() leads what is meant for the proxy to the broker, whatever the socket's family", () => {
    expect(placeOf(TCP, inet("127.0.0.1", 3128), 1, RULES)).toEqual({
      kind: "broker",
      address: inet("127.0.0.1", 41_000),
    });
    expect(placeOf(TCP6, inet6(MAPPED, 3128), 1, RULES)).toEqual({ kind: "broker", address: inet6(MAPPED, 41_000) });
    const without = { ...RULES, brokerPort: -1 };
    expect(placeOf(TCP, inet("127.0.0.1", 3128), 1, without)).toEqual({ kind: "refused", errno: ECONNREFUSED });
  });

  test("placeOf() keeps what is meant for a broker that is being started", () => {
    const starting = { ...RULES, brokerPort: 0 };
    expect(placeOf(TCP, inet("127.0.0.1", 3128), 1, starting)).toEqual({ kind: "early" });
    expect(placeOf(TCP, inet("127.0.0.1", 3129), 1, starting)).toEqual({ kind: "refused", errno: EACCES });
  });

  test.each([
    ["an address with its port", TCP, inet("127.0.0.1", 9000)],
    ["an address in the clothes of IPv6", TCP6, inet6(MAPPED, 9000)],
    ["an IPv6 address", TCP6, inet6(LOOPBACK6, 9000)],
    ["an address whose ports are all listed", TCP, inet("10.0.0.5", 22)],
  ])("placeOf() takes %s", (_name, socket, bytes) => {
    expect(placeOf(socket, bytes, 1, RULES)).toEqual({ kind: "listed", address: bytes });
  });

  test.each([
    ["another port", TCP, inet("127.0.0.1", 9001), EACCES],
    ["another address", TCP, inet("127.0.0.2", 9000), EACCES],
    ["every address of this machine", TCP, inet("0.0.0.0", 9000), EACCES],
    ["another IPv6 address", TCP6, inet6(`${"0".repeat(31)}2`, 9000), EACCES],
    ["the broker's own port", TCP, inet("127.0.0.1", 41_000), EACCES],
    ["MPTCP", { ...TCP, protocol: 262 }, inet("127.0.0.1", 9000), EACCES],
    ["datagrams", { ...TCP, type: 2, protocol: 17 }, inet("127.0.0.1", 9000), EACCES],
    ["a raw socket", { ...TCP, type: 3, protocol: 255 }, inet("127.0.0.1", 9000), EACCES],
    ["another family", { ...TCP, family: 43 }, inet("127.0.0.1", 9000), EACCES],
    ["an address of another family", TCP, inet6(MAPPED, 9000), EAFNOSUPPORT],
    ["too few bytes", TCP, inet("127.0.0.1", 9000).subarray(0, 8), EAFNOSUPPORT],
    ["no family", TCP, Buffer.alloc(16), EAFNOSUPPORT],
    ["what is no socket", undefined, inet("127.0.0.1", 9000), ENOTSOCK],
    ["a unix socket", UNIX, unix("/run/docker.sock"), EACCES],
  ])("placeOf() refuses %s", (_name, socket, bytes, errno) => {
    expect(placeOf(socket, bytes, 1, RULES)).toEqual({ kind: "refused", errno });
  });

  test.each([
    ["169.254.170.2", TCP, inet("169.254.170.2", 80)],
    ["100.100.100.200", TCP6, inet6("00000000000000000000ffff646464c8", 80)],
    ["64:ff9b::a9fe:a9fe", TCP6, inet6("0064ff9b0000000000000000a9fea9fe", 80)],
    ["fd00:ec2::254", TCP6, inet6("fd000ec2000000000000000000000254", 80)],
  ])("placeOf() refuses the metadata service %s also where it is listed", (host, socket, bytes) => {
    const reach = { entries: [{ kind: "address" as const, host }], texts: [] };
    expect(placeOf(socket, bytes, 1, { ...RULES, reach })).toEqual({ kind: "refused", errno: EACCES });
  });

  test("placeOf() refuses the broker's own port also where all ports of this machine are listed", () => {
    const rules = { ...RULES, reach: parseReach(["127.0.0.1", "127.0.0.2"]) };
    expect(placeOf(TCP, inet("127.0.0.1", 80), 1, rules).kind).toBe("listed");
    for (const host of ["127.0.0.1", "127.0.0.2"])
      expect(placeOf(TCP, inet(host, 41_000), 1, rules)).toEqual({ kind: "refused", errno: EACCES });
  });

  test("placeOf() takes unix sockets that have a path, where the list says so, and never an abstract name", () => {
    const rules = { ...RULES, unix: true };
    const end = Buffer.alloc(1);
    expect(placeOf(UNIX, unix("/run/a.sock\0rest"), 7, rules)).toEqual({
      kind: "listed",
      address: Buffer.concat([unix("/run/a.sock"), end]),
    });
    expect(placeOf(UNIX, unix("a.sock"), 7, rules)).toEqual({
      kind: "listed",
      address: Buffer.concat([unix("/proc/7/cwd/a.sock"), end]),
    });
    expect(placeOf(UNIX, unix("\0abstract"), 7, rules)).toEqual({ kind: "refused", errno: EACCES });
    expect(placeOf(UNIX, unix(""), 7, rules)).toEqual({ kind: "refused", errno: EACCES });
    expect(placeOf(UNIX, unix("x".repeat(100)), 7, rules)).toEqual({ kind: "refused", errno: ENAMETOOLONG });
  });
});

test("internetAddressOf() gives an address its shortest form", () => {
  expect(internetAddressOf(inet6("20010db8000000000000000000000001", 443))).toEqual({ host: "2001:db8::1", port: 443 });
  expect(internetAddressOf(inet6(MAPPED, 80))).toEqual({ host: "127.0.0.1", port: 80 });
});
