/**
 * System calls by their numbers, for the fence and the keeper of a command: libc wraps few of them, and not in every
 * version. Linux on x86-64 and arm64; the numbers from 424 on are the same on both.
 * C: long syscall(long number, ...) https://man7.org/linux/man-pages/man2/syscalls.2.html
 */
import { ptr, type Pointer } from "bun:ffi";
import { errnoName, openLibc } from "../libc.ts";

export type Architecture = "x64" | "arm64";

/** x86-64, arm64. */
const NUMBERS = {
  write: [1, 64],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  ioctl: [16, 29],
  madvise: [28, 233],
  socket: [41, 198],
  bind: [49, 200],
  clone: [56, 220],
  execve: [59, 221],
  wait4: [61, 260],
  fcntl: [72, 25],
  setsid: [112, 157],
  prctl: [157, 167],
  exit_group: [231, 94],
  tgkill: [234, 131],
  dup3: [292, 24],
  prlimit64: [302, 261],
  process_vm_readv: [310, 270],
  seccomp: [317, 277],
  memfd_create: [319, 279],
} as const;
const COMMON = {
  pidfd_open: 434,
  clone3: 435,
  close_range: 436,
  pidfd_getfd: 438,
  landlock_create_ruleset: 444,
  landlock_add_rule: 445,
  landlock_restrict_self: 446,
} as const;

export type CallName = keyof typeof NUMBERS | keyof typeof COMMON;

export interface SystemCalls {
  readonly architecture: Architecture;
  /** The result, or the name of the error. Memory is handed over as it is; it must be filled and be kept by the caller. */
  readonly call: (name: CallName, ...args: readonly (number | NodeJS.TypedArray)[]) => number | string;
}

/** `undefined` where there are none of these: another system, another processor, no dynamic libc. */
export function openSystemCalls(): SystemCalls | undefined {
  const { platform, arch } = process;
  if (platform !== "linux" || (arch !== "x64" && arch !== "arm64")) return undefined;
  const libc = openLibc({
    syscall: { args: ["i64", "i64", "i64", "i64", "i64", "i64"], returns: "i64" },
    __errno_location: { args: [], returns: "ptr" },
  });
  if (!libc) return undefined;
  return {
    architecture: arch,
    call(name, ...args) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = args.map(address);
      const result = Number(libc.syscall(callNumber(arch, name), a, b, c, d, e));
      return result >= 0 ? result : errnoName(libc.__errno_location());
    },
  };
}

export function callNumber(architecture: Architecture, name: CallName): number {
  if (name in COMMON) return COMMON[name as keyof typeof COMMON];
  const [x64, arm64] = NUMBERS[name as keyof typeof NUMBERS];
  return architecture === "x64" ? x64 : arm64;
}

function address(arg: number | NodeJS.TypedArray): number | Pointer {
  return typeof arg === "number" ? arg : ptr(arg);
}
