/**
 * What the host itself may do with files, and what a program may that is started for it. The host gets its roots, its state
 * folder, its own executable with the libraries that it is linked with, and the few files that the runtime reads about this
 * machine. A program gets the roots as they were given, its own temporary folder, the programs and libraries of the system
 * to read and to run, and what its declaration names.
 *
 * Landlock only adds up, so nothing inside a root can be left out: a denied path, or a root for reading inside a root for
 * writing, is held by the scope alone, and a program that may run there can read it. SECURITY.md says so.
 */
import type { FenceOptions } from "./enter-fence.ts";
import { NEWEST_ABI, probeFence, type FenceAccess, type FenceRule } from "./landlock.ts";

export interface FencePlan extends Pick<FenceOptions, "roots" | "stateDir" | "reads"> {
  /** This program, which may be started again behind the fence. */
  readonly executable: string;
  /** The text of /proc/self/maps. */
  readonly maps: string;
}

/** Nothing of this is anybody's secret: the number of processors, limits of memory, the time zone, this process itself. */
const RUNTIME_READS: readonly string[] = [
  "/proc/self",
  "/proc/sys/vm",
  "/sys/devices/system/cpu",
  "/sys/fs/cgroup",
  "/sys/kernel/mm/transparent_hugepage",
  "/etc/localtime",
  "/etc/ld.so.cache",
  "/dev/urandom",
];

export function fenceRules({ roots, stateDir, reads = [], executable, maps }: FencePlan): FenceRule[] {
  return [
    // A directory that was given both ways is read-only.
    ...roots.map(({ path }): FenceRule => ({
      path,
      access: roots.some((root) => root.readOnly && root.path === path) ? "read" : "change",
    })),
    { path: stateDir, access: "change" },
    ...[...new Set([executable, ...mappedFiles(maps)])].map((path): FenceRule => ({ path, access: "run" })),
    ...optional("read", [...reads, ...RUNTIME_READS]),
    { path: "/dev/null", access: "use" },
  ];
}

/** What looking up names and checking certificates reads. */
const NETWORK_READS: readonly string[] = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/host.conf",
  "/etc/services",
  "/etc/gai.conf",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust",
  "/usr/share/ca-certificates",
];

/**
 * What a process for the code of a power needs: this program, what the runtime reads about itself, and for a network names and
 * certificates. Its own part of /proc has no name before it is born; of others the kernel shows it no more than command lines.
 */
export function helperRules({
  executable,
  maps,
  network,
}: Pick<FencePlan, "executable" | "maps"> & { readonly network: "none" | "internet" }): FenceRule[] {
  const reads = ["/proc", ...RUNTIME_READS, ...(network === "none" ? [] : NETWORK_READS)];
  return [
    ...[...new Set([executable, ...mappedFiles(maps)])].map((path): FenceRule => ({ path, access: "run" })),
    ...reads.map((path): FenceRule => ({ path, access: "read", optional: true })),
    { path: "/dev/null", access: "use" },
  ];
}

/** The files that are mapped as code: the program, the loader, and the libraries, by their real paths. */
export function mappedFiles(maps: string): string[] {
  const paths = maps.split("\n").flatMap((line) => {
    const [, permissions = "", path] = /^\S+ (\S+) \S+ \S+ \d+ +(\/.*)$/.exec(line) ?? [];
    return path !== undefined && permissions.includes("x") && !path.endsWith(" (deleted)") ? [path] : [];
  });
  return [...new Set(paths)];
}

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
    ...optional("run", SYSTEM_RUNS),
    ...optional("read", SYSTEM_READS),
    ...optional("use", DEVICES),
    ...optional("run", reads),
    ...optional("work", writes),
  ];
}

function optional(access: FenceAccess, paths: readonly string[]): FenceRule[] {
  return paths.map((path) => ({ path, access, optional: true }));
}

/** Whether a program that is started can be fenced here, which is so also when the host itself is not compiled. */
export function offeredChildFence(): { readonly abi: number } | { readonly reason: string } {
  const offered = probeFence();
  return "reason" in offered ? offered : { abi: Math.min(offered.abi, NEWEST_ABI) };
}
