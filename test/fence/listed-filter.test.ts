/**
 * The filter of a program whose network is a list, call by call, on both processors; and that the others did not change.
 */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readCallTable } from "../../src/fence/call-rules.ts";
import { childFilterProgram, filterProgram } from "../../src/fence/filter-programs.ts";
import { ALLOW, answer, ARM64, EPERM, SUPERVISED, X64, type SystemCall } from "./ask-filter.ts";

const OPTIONS: readonly number[] = Array.from({ length: 128 }, (_, option) => option);

describe.each([
  ["x64", X64],
  ["arm64", ARM64],
] as const)("a program whose network is a list, on %s", (architecture, machine) => {
  const programs = {
    listed: childFilterProgram(architecture, "listed"),
    "listed and unix": childFilterProgram(architecture, "listed and unix"),
  };
  const numbers = new Map(readCallTable().map((row) => [row.name, row.numbers[architecture]]));
  const ask = (network: keyof typeof programs, name: string, more: Partial<SystemCall> = {}): string =>
    answer(programs[network], { number: numbers.get(name) ?? -1, machine, ...more });
  const allowed = (level: number): number[] =>
    OPTIONS.filter((third) => ask("listed", "setsockopt", { second: level, third }) === ALLOW);
  const FLAGS = [0, 0o4000, 0o2000000, 0o2004000];
  const sockets = (network: keyof typeof programs, flags: number): string[] => {
    const found: string[] = [];
    for (const family of [0, 1, 2, 3, 10, 15, 16, 17, 38, 40, 43, 44])
      for (const type of [0, 1, 2, 3, 4, 5, 6, 10])
        for (const third of [0, 1, 6, 17, 33, 58, 132, 136, 255, 262])
          if (ask(network, "socket", { flags: family, second: type | flags, third }) === ALLOW)
            found.push(`${family} ${type} ${third}`);
    return found;
  };

  test("a program whose network is a list makes TCP sockets and no others, with whatever flags", () => {
    for (const flags of FLAGS) expect(sockets("listed", flags)).toEqual(["2 1 0", "2 1 6", "10 1 0", "10 1 6"]);
  });

  test("a program whose list says so makes unix sockets that stay connected as well", () => {
    const unix = sockets("listed and unix", 0).filter((one) => one.startsWith("1 "));
    expect([...new Set(unix.map((one) => one.split(" ")[1]))]).toEqual(["1", "5"]);
    expect(sockets("listed and unix", 0).filter((one) => !one.startsWith("1 "))).toEqual(sockets("listed", 0));
  });

  test("a program whose network is a list connects by its keeper, and is connected to by nobody", () => {
    for (const network of ["listed", "listed and unix"] as const) {
      expect(ask(network, "connect")).toBe(SUPERVISED);
      for (const name of ["bind", "listen", "accept", "accept4", "shmget", "mq_open"])
        expect([name, ask(network, name)]).toEqual([name, EPERM]);
    }
  });

  test("a program whose network is a list opens no connection by sending", () => {
    const FAST = 0x20000000;
    for (const [name, flags] of [
      ["sendto", "fourth"],
      ["sendmsg", "third"],
      ["sendmmsg", "fourth"],
    ] as const) {
      expect([name, ask("listed", name, { [flags]: 0x4000 })]).toEqual([name, ALLOW]);
      expect([name, ask("listed", name, { [flags]: FAST | 0x4000 })]).toEqual([name, EPERM]);
    }
    expect(ask("listed", "sendto", { fifth: [1, 0] })).toBe(EPERM);
    expect(ask("listed", "sendto", { fifth: [0, 1] })).toBe(EPERM);
  });

  test("a program whose network is a list sets no option that leads a stream elsewhere", () => {
    const missing = (level: number): number[] => OPTIONS.filter((option) => !allowed(level).includes(option));
    expect(missing(1)).toEqual([25, 36, 62]);
    expect(missing(6)).toEqual([19, 23, 30, 31]);
    expect(allowed(0)).toEqual([1, 2, 10, 11, 24]);
    expect(allowed(41)).toEqual([16, 23, 25, 26, 67]);
    for (const level of [2, 17, 132, 255, 262, 284]) expect(allowed(level)).toEqual([]);
  });
});

/** They were taken before there were lists. Whoever opens or closes a call in the table takes them anew. */
test("the filters of other networks are what they were before there were lists", () => {
  const children = (["none", "internet", "all"] as const).map((network) => digest(childFilterProgram("x64", network)));
  expect(children).toEqual(["f939b36fc6e9bdc2", "47036aa5191e0af0", "8fb8604a1341fd12"]);
  const hosts = (["none", "internet"] as const).map((network) => digest(filterProgram("x64", network)));
  expect(hosts).toEqual(["83f3ac46400b8b40", "1380637bb242f5cf"]);
});

function digest(program: unknown): string {
  return createHash("sha256").update(JSON.stringify(program)).digest("hex").slice(0, 16);
}
