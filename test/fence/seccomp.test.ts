/**
 * The filter program, run by a small interpreter of its language: what each system call is answered with, on both
 * processors. The numbers of the calls are written out a second time here, from the kernel's tables.
 */
import { describe, expect, test } from "bun:test";
import { childFilterProgram, filterProgram } from "../../src/fence/seccomp.ts";

const ALLOW = "allow";
const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const THREAD_FLAGS = 0x3d0f00;
const FORK_FLAGS = 0x01200011;

interface SystemCall {
  readonly number: number;
  readonly machine: number;
  /** The first four arguments. */
  readonly flags?: number;
  readonly second?: number;
  readonly third?: number;
  readonly fourth?: number;
}

function answer(
  program: ReturnType<typeof filterProgram>,
  { number, machine, flags = 0, second = 0, third = 0, fourth = 0 }: SystemCall,
): string {
  const data: Readonly<Record<number, number>> = {
    0: number,
    4: machine,
    16: flags,
    24: second,
    32: third,
    40: fourth,
  };
  let loaded = 0;
  for (let at = 0; at < program.length; at++) {
    const [code, ifTrue, ifFalse, value] = program[at] ?? [0, 0, 0, 0];
    if (code === 0x20) loaded = data[value] ?? Number.NaN;
    else if (code === 0x06) return value === 0x7fff0000 ? ALLOW : `errno ${value & 0xffff}`;
    else {
      const holds =
        code === 0x15 ? loaded === value : code === 0x35 ? loaded >= value : (loaded & value) !== 0;
      at += holds ? ifTrue : ifFalse;
    }
  }
  throw new Error("the program ends without an answer");
}

const EPERM = "errno 1";
const ENOSYS = "errno 38";
const cases: [name: string, x64: number, arm64: number, expected: string][] = [
  ["socket", 41, 198, EPERM],
  ["connect", 42, 203, EPERM],
  ["bind", 49, 200, EPERM],
  ["listen", 50, 201, EPERM],
  ["accept4", 288, 242, EPERM],
  ["execve", 59, 221, EPERM],
  ["execveat", 322, 281, EPERM],
  ["ptrace", 101, 117, EPERM],
  ["process_vm_writev", 311, 271, EPERM],
  ["io_uring_setup", 425, 425, EPERM],
  ["open_by_handle_at", 304, 265, EPERM],
  ["bpf", 321, 280, EPERM],
  ["mount", 165, 40, EPERM],
  ["chroot", 161, 51, EPERM],
  ["unshare", 272, 97, EPERM],
  ["kexec_load", 246, 104, EPERM],
  ["keyctl", 250, 219, EPERM],
  ["clone3", 435, 435, ENOSYS],
  ["read", 0, 63, ALLOW],
  ["write", 1, 64, ALLOW],
  ["openat", 257, 56, ALLOW],
  ["openat2", 437, 437, ALLOW],
  ["renameat2", 316, 276, ALLOW],
  ["mmap", 9, 222, ALLOW],
  ["futex", 202, 98, ALLOW],
  ["exit_group", 231, 94, ALLOW],
];

describe.each([
  ["x64", X64, 0],
  ["arm64", ARM64, 1],
] as const)("on %s", (architecture, machine, column) => {
  const program = filterProgram(architecture);

  test.each(cases)("%s", (_name, ...rest) => {
    const [x64, arm64, expected] = rest;
    expect(answer(program, { number: [x64, arm64][column] ?? -1, machine })).toBe(expected);
  });

  test("threads are made, processes are not", () => {
    const number = architecture === "x64" ? 56 : 220;
    expect(answer(program, { number, machine, flags: THREAD_FLAGS })).toBe(ALLOW);
    expect(answer(program, { number, machine, flags: FORK_FLAGS })).toBe(EPERM);
  });

  test("nothing is typed into a terminal, and other requests are answered", () => {
    const number = architecture === "x64" ? 16 : 29;
    for (const second of [0x5412, 0x541c]) expect(answer(program, { number, machine, second })).toBe(EPERM);
    expect(answer(program, { number, machine, second: 0x5401 })).toBe(ALLOW);
  });

  test("the limits of this process can be asked for, those of others not", () => {
    const number = architecture === "x64" ? 302 : 261;
    expect(answer(program, { number, machine, flags: 0 })).toBe(ALLOW);
    expect(answer(program, { number, machine, flags: 4711 })).toBe(EPERM);
  });

  test("another processor's calls are refused", () => {
    expect(answer(program, { number: 0, machine: 0x40000003 })).toBe(EPERM);
  });
});

describe.each([
  ["x64", X64, 0],
  ["arm64", ARM64, 1],
] as const)("a program that was started, on %s", (architecture, machine, column) => {
  const numberOf = (name: string): number => {
    const [, ...numbers] = cases.find(([known]) => known === name) ?? [];
    return Number(numbers[column]);
  };
  const clone = architecture === "x64" ? 56 : 220;

  test("starts others, and neither traces them nor mounts anything", () => {
    const program = childFilterProgram(architecture, "none");
    expect(answer(program, { number: numberOf("execve"), machine })).toBe(ALLOW);
    expect(answer(program, { number: clone, machine, flags: FORK_FLAGS })).toBe(ALLOW);
    expect(answer(program, { number: clone, machine, flags: FORK_FLAGS | 0x10000000 })).toBe(EPERM);
    expect(answer(program, { number: 435, machine })).toBe(ENOSYS);
    for (const name of ["ptrace", "mount", "bpf", "io_uring_setup", "unshare", "keyctl"])
      expect([name, answer(program, { number: numberOf(name), machine })]).toEqual([name, EPERM]);
  });

  test("makes no file that runs with the rights of its owner", () => {
    const program = childFilterProgram(architecture, "all");
    const [fchmod, fchmodat, openat, mknodat] =
      architecture === "x64" ? [91, 268, 257, 259] : [52, 53, 56, 33];
    for (const [bits, expected] of [
      [0o755, ALLOW],
      [0o1777, ALLOW],
      [0o4755, EPERM],
      [0o2755, EPERM],
    ] as const) {
      expect(answer(program, { number: fchmod, machine, second: bits })).toBe(expected);
      expect(answer(program, { number: 452, machine, third: bits })).toBe(expected);
      for (const number of [fchmodat, mknodat])
        expect(answer(program, { number, machine, third: bits })).toBe(expected);
      for (const third of [0o101, 0o20200000 | 2])
        expect(answer(program, { number: openat, machine, third, fourth: bits })).toBe(expected);
      // Of what is only opened the mode is no argument.
      expect(answer(program, { number: openat, machine, third: 0o2000000, fourth: bits })).toBe(ALLOW);
      if (architecture === "arm64") continue;
      expect(answer(program, { number: 90, machine, second: bits })).toBe(expected);
      expect(answer(program, { number: 2, machine, second: 0o101, third: bits })).toBe(expected);
      expect(answer(program, { number: 85, machine, second: bits })).toBe(expected);
    }
    expect(answer(program, { number: 437, machine })).toBe(ENOSYS);
  });

  test("shares memory and queues with other programs only where it may talk to them", () => {
    const numbers = architecture === "x64" ? [29, 30, 64, 68, 240] : [194, 196, 190, 186, 180];
    for (const number of numbers)
      for (const [network, expected] of [
        ["none", EPERM],
        ["internet", EPERM],
        ["all", ALLOW],
      ] as const)
        expect(answer(childFilterProgram(architecture, network), { number, machine })).toBe(expected);
  });

  test.each([
    ["none", EPERM, EPERM],
    ["internet", EPERM, ALLOW],
    ["all", ALLOW, ALLOW],
  ] as const)("with the network %s has these sockets", (network, unix, internet) => {
    const program = childFilterProgram(architecture, network);
    const number = numberOf("socket");
    expect(answer(program, { number, machine, flags: 1 })).toBe(unix);
    for (const family of [2, 10]) expect(answer(program, { number, machine, flags: family })).toBe(internet);
  });
});

test("fork, vfork and the x32 calls are refused", () => {
  const program = filterProgram("x64");
  for (const number of [57, 58, 0x40000000, 0x40000209])
    expect(answer(program, { number, machine: X64 })).toBe(EPERM);
});

test("is no longer than the kernel takes", () => {
  expect(filterProgram("x64").length).toBeLessThan(4096);
});
