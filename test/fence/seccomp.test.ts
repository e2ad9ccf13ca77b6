/**
 * The filter program, run by a small interpreter of its language (`ask-filter.ts`): what each system call is answered with, on both
 * processors. The numbers of the calls are written out a second time here, from the kernel's tables.
 */
import { describe, expect, test } from "bun:test";
import { readCallTable } from "../../src/fence/call-rules.ts";
import { childFilterProgram, filterProgram } from "../../src/fence/filter-programs.ts";
import { ALLOW, answer, ARM64, EPERM, X64, type SystemCall } from "./ask-filter.ts";

const THREAD_FLAGS = 0x3d0f00;
const FORK_FLAGS = 0x01200011;

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

  test.each(cases)("the filter answers as the table says: %s", (_name, ...rest) => {
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

  test("a program that was started starts others, and neither traces them nor mounts anything", () => {
    const program = childFilterProgram(architecture, "none");
    expect(answer(program, { number: numberOf("execve"), machine })).toBe(ALLOW);
    expect(answer(program, { number: clone, machine, flags: FORK_FLAGS })).toBe(ALLOW);
    expect(answer(program, { number: clone, machine, flags: FORK_FLAGS | 0x10000000 })).toBe(EPERM);
    expect(answer(program, { number: 435, machine })).toBe(ENOSYS);
    for (const name of ["ptrace", "mount", "bpf", "io_uring_setup", "unshare", "keyctl"])
      expect([name, answer(program, { number: numberOf(name), machine })]).toEqual([name, EPERM]);
  });

  test("a program that was started makes no file that runs with the rights of its owner", () => {
    const program = childFilterProgram(architecture, "all");
    const [fchmod, fchmodat, openat, mknodat] = architecture === "x64" ? [91, 268, 257, 259] : [52, 53, 56, 33];
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

  test("a program that was started shares memory and queues with other programs only where it may talk to them", () => {
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

describe.each([
  ["x64", X64],
  ["arm64", ARM64],
] as const)("what is let through only in part, on %s", (architecture, machine) => {
  const numberOf = (name: string): number => {
    const found = readCallTable().find((row) => row.name === name)?.numbers[architecture];
    if (found === undefined) throw new Error(`${architecture} has no ${name}`);
    return found;
  };
  const commands = (["none", "internet", "all"] as const).map((network) => ({
    network,
    ask: (name: string, more: Partial<SystemCall> = {}) =>
      answer(childFilterProgram(architecture, network), { number: numberOf(name), machine, ...more }),
  }));
  const [none, internet, all] = commands.map(({ ask }) => ask);

  test("pairs of sockets are streams, with whatever flags, and nothing that can be sent elsewhere", () => {
    for (const ask of [none, internet])
      for (const flags of [0, 0o4000, 0o2000000, 0o2004000]) {
        for (const type of [1, 5]) expect(ask?.("socketpair", { flags: 1, second: type | flags })).toBe(ALLOW);
        for (const type of [0, 2, 3, 4, 6, 7, 8, 9, 10])
          expect(ask?.("socketpair", { flags: 1, second: type | flags })).toBe(EPERM);
      }
    expect(all?.("socketpair", { flags: 1, second: 2 })).toBe(ALLOW);
  });

  test("nothing is connected, bound or sent to an address without a network", () => {
    for (const name of ["connect", "bind", "listen", "accept4"]) {
      expect([name, none?.(name)]).toEqual([name, EPERM]);
      expect([name, internet?.(name)]).toEqual([name, ALLOW]);
    }
    expect(none?.("sendto")).toBe(ALLOW);
    for (const fifth of [
      [1, 0],
      [0, 1],
    ] as const) {
      expect(none?.("sendto", { fifth })).toBe(EPERM);
      expect(internet?.("sendto", { fifth })).toBe(ALLOW);
    }
  });

  test("sockets are of listed families", () => {
    const opened = commands.map(({ ask }) =>
      Array.from({ length: 64 }, (_, family) => family).filter((flags) => ask("socket", { flags }) === ALLOW),
    );
    expect(opened).toEqual([[], [2, 10], [1, 2, 10]]);
  });

  test("priority, scheduler, processors and limits are its own", () => {
    for (const { ask } of commands) {
      for (const name of ["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "prlimit64"]) {
        expect([name, ask(name)]).toEqual([name, ALLOW]);
        expect([name, ask(name, { flags: 4711 })]).toEqual([name, EPERM]);
      }
      expect(ask("setpriority", { flags: 0, second: 0 })).toBe(ALLOW);
      for (const [flags, second] of [
        [0, 4711],
        [1, 0],
        [2, 0],
      ] as const)
        expect(ask("setpriority", { flags, second })).toBe(EPERM);
      expect(ask("ioprio_set", { flags: 1, second: 0 })).toBe(ALLOW);
      expect(ask("ioprio_set", { flags: 1, second: 4711 })).toBe(EPERM);
      expect(ask("ioprio_set", { flags: 3, second: 0 })).toBe(EPERM);
    }
  });

  test("the attributes of files are set by no way, and mounts are not cloned", () => {
    const unsupported = "errno 95";
    for (const { ask } of commands) {
      for (const name of ["setxattr", "lsetxattr", "fsetxattr", "removexattr", "setxattrat", "removexattrat"])
        expect([name, ask(name)]).toEqual([name, unsupported]);
      for (const second of [0x40086602, 0x40046602, 0x401c5820]) expect(ask("ioctl", { second })).toBe(unsupported);
      expect(ask("ioctl", { second: 0x5412 })).toBe(EPERM);
      expect(ask("ioctl", { second: 0x5401 })).toBe(ALLOW);
      expect(ask("file_setattr")).toBe(ENOSYS);
      expect(ask("open_tree_attr")).toBe(EPERM);
    }
  });

  test("queues and semaphores of others are out of reach by their numbers too", () => {
    for (const name of ["msgsnd", "msgrcv", "msgctl", "semop", "semctl", "shmctl", "mq_unlink"])
      expect([name, none?.(name), internet?.(name), all?.(name)]).toEqual([name, EPERM, EPERM, ALLOW]);
  });

  test("a call that no table has is answered as if the kernel did not have it", () => {
    const newest = Math.max(...readCallTable().flatMap((row) => row.numbers[architecture] ?? []));
    for (const number of [newest + 1, newest + 2, 1000, 0x3fffffff]) {
      expect(answer(filterProgram(architecture), { number, machine })).toBe(ENOSYS);
      for (const { network } of commands)
        expect(answer(childFilterProgram(architecture, network), { number, machine })).toBe(ENOSYS);
    }
  });
});

test("fork, vfork and the x32 calls are refused", () => {
  const program = filterProgram("x64");
  for (const number of [57, 58, 0x40000000, 0x40000209]) expect(answer(program, { number, machine: X64 })).toBe(EPERM);
});

test("the filter is no longer than the kernel takes", () => {
  expect(filterProgram("x64").length).toBeLessThan(4096);
});
