/**
 * What a program that is started for the host may do with files: the roots as they were given, its own temporary folder,
 * the programs and libraries of the system to read and to run, and what its declaration names. Pure.
 *
 * Landlock only adds up, so nothing inside a root can be left out: a denied path in a root can be read by a program that
 * is allowed to run there. SECURITY.md says so.
 */
import { openSystemCalls } from "../sys/index.ts";
import { NEWEST_ABI, OLDEST_ABI, probeLandlock, type FenceRule } from "./landlock.ts";
import { NO_FILTERS, takesFilters } from "./seccomp.ts";

export interface ChildFencePlan {
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  /** A folder of the program's own, removed when it ends. */
  readonly temporary: string;
  readonly program: string;
  /** Absolute paths from the declaration. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Programs, libraries and what they share. */
const SYSTEM_RUNS: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix/store",
];

/** Only those files in `/etc` that programs look up: passwords and keys lie there too. */
const SYSTEM_READS: readonly string[] = [
  ...[
    "alternatives bash.bashrc ca-certificates ca-certificates.conf crypto-policies debian_version default/locale fonts",
    "gitconfig group host.conf hosts java ld.so.cache ld.so.conf ld.so.conf.d locale.alias localtime lsb-release",
    "magic mime.types nsswitch.conf openssl os-release passwd pki/tls/certs pki/ca-trust protocols python3 resolv.conf",
    "services ssl/certs ssl/openssl.cnf terminfo timezone",
  ]
    .join(" ")
    .split(" ")
    .map((name) => `/etc/${name}`),
  // What belongs to other processes in there the kernel refuses to a fenced one, besides their command lines.
  "/proc",
  "/sys/devices/system/cpu",
  "/sys/fs/cgroup",
  "/sys/kernel/mm/transparent_hugepage",
];

const DEVICES: readonly string[] = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`);

export function childRules({ roots, temporary, program, reads, writes }: ChildFencePlan): FenceRule[] {
  return [
    ...roots.map(({ path, readOnly }): FenceRule => ({ path, access: readOnly ? "run" : "work" })),
    { path: temporary, access: "work" },
    { path: program, access: "run" },
    ...SYSTEM_RUNS.map((path): FenceRule => ({ path, access: "run", optional: true })),
    ...SYSTEM_READS.map((path): FenceRule => ({ path, access: "read", optional: true })),
    ...DEVICES.map((path): FenceRule => ({ path, access: "use", optional: true })),
    ...reads.map((path): FenceRule => ({ path, access: "run", optional: true })),
    ...writes.map((path): FenceRule => ({ path, access: "work", optional: true })),
  ];
}

/**
 * Whether a program that is started can be fenced here. Unlike the host, which must be compiled to start again behind its
 * fence, anything can be started inside one.
 */
export function offeredChildFence(): { readonly abi: number } | { readonly reason: string } {
  if (process.platform !== "linux") return { reason: `there is no Landlock on ${process.platform}` };
  const calls = openSystemCalls();
  if (!calls) return { reason: "libc cannot be called on this machine" };
  if (!takesFilters(calls)) return { reason: NO_FILTERS };
  const abi = probeLandlock(calls);
  if (abi >= OLDEST_ABI) return { abi: Math.min(abi, NEWEST_ABI) };
  return {
    reason: abi === 0 ? "this kernel offers no Landlock" : `the Landlock of this kernel is too old (${abi})`,
  };
}
