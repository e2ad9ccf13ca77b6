/**
 * What the host itself needs of the file system, and nothing else: its roots, its state folder, its own executable with
 * the libraries that it is linked with, and the few files that the runtime reads about this machine. Pure.
 */
import type { FenceRule } from "./landlock.ts";

export interface FencePlan {
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly stateDir: string;
  /** Configuration files. */
  readonly reads?: readonly string[] | undefined;
  /** This program, which is started again behind the fence. */
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

/**
 * Landlock only adds up: a root for reading inside a root for writing is read-only by the scope alone, and a denied path
 * inside a root is denied by the scope alone.
 */
export function fenceRules({ roots, stateDir, reads = [], executable, maps }: FencePlan): FenceRule[] {
  return [
    ...roots.map(({ path, readOnly }): FenceRule => ({
      path,
      access: readOnly || isReadOnlyToo(path, roots) ? "read" : "change",
    })),
    { path: stateDir, access: "change" },
    ...[...new Set([executable, ...mappedFiles(maps)])].map((path): FenceRule => ({ path, access: "run" })),
    ...reads.map((path): FenceRule => ({ path, access: "read", optional: true })),
    ...RUNTIME_READS.map((path): FenceRule => ({ path, access: "read", optional: true })),
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

/** A directory that was given both ways is read-only. */
function isReadOnlyToo(path: string, roots: FencePlan["roots"]): boolean {
  return roots.some((root) => root.readOnly && root.path === path);
}

/** The files that are mapped as code: the program, the loader, and the libraries, by their real paths. */
export function mappedFiles(maps: string): string[] {
  const paths = maps.split("\n").flatMap((line) => {
    const [, permissions = "", path] = /^\S+ (\S+) \S+ \S+ \d+ +(\/.*)$/.exec(line) ?? [];
    return path !== undefined && permissions.includes("x") && !path.endsWith(" (deleted)") ? [path] : [];
  });
  return [...new Set(paths)];
}
