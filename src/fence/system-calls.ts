/**
 * The system calls of the fence, by their numbers: libc wraps few of them, and not in every version. Linux on x86-64 and
 * arm64; the numbers from 424 on are the same on both.
 */
import { ptr, type Pointer } from "bun:ffi";
import { errnoName, openLibc } from "../base/index.ts";

export type Architecture = "x64" | "arm64";

const NUMBERS = {
  x64: { socket: 41, bind: 49, execve: 59, prctl: 157, fcntl: 72, seccomp: 317, prlimit64: 302 },
  arm64: { socket: 198, bind: 200, execve: 221, prctl: 167, fcntl: 25, seccomp: 277, prlimit64: 261 },
} as const;
const COMMON = {
  close_range: 436,
  landlock_create_ruleset: 444,
  landlock_add_rule: 445,
  landlock_restrict_self: 446,
} as const;

export type CallName = keyof (typeof NUMBERS)["x64"] | keyof typeof COMMON;

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
  const numbers = { ...NUMBERS[arch], ...COMMON };
  return {
    architecture: arch,
    call(name, ...args) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = args.map(address);
      const result = Number(libc.syscall(numbers[name], a, b, c, d, e));
      return result >= 0 ? result : errnoName(libc.__errno_location());
    },
  };
}

function address(arg: number | NodeJS.TypedArray): number | Pointer {
  return typeof arg === "number" ? arg : ptr(arg);
}
