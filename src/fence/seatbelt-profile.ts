/**
 * The fence in the words of macOS: a profile for sandbox-exec(1), for whoever starts the host there. It is text and
 * nothing more: this program does not put itself into it, because that was never run.
 *
 * A rule for a path holds below it too (`subpath`). The last rule that fits wins, so a read-only root inside a writable
 * one comes after it.
 */
export interface SeatbeltPlan {
  /** Canonical paths: the kernel compares what links lead to (`/private/tmp`, not `/tmp`). */
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly stateDir: string;
  readonly executable: string;
}

/** What the runtime and the system libraries read on their own. */
const SYSTEM_READS: readonly string[] = [
  "/usr/lib",
  "/usr/share",
  "/System/Library",
  "/System/Volumes/Preboot/Cryptexes",
  "/Library/Preferences",
  "/private/etc/localtime",
  "/private/var/db/timezone",
  "/dev/urandom",
  "/dev/random",
];

export function seatbeltProfile({ roots, stateDir, executable }: SeatbeltPlan): string {
  // Deeper roots later: of nested roots the innermost rules.
  const ordered = [...roots].sort((a, b) => a.path.length - b.path.length);
  const lines = [
    "(version 1)",
    "(deny default)",
    "(allow process-info* (target self))",
    "(allow signal (target self))",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    `(allow process-exec (literal ${quote(executable)}))`,
    `(allow file-read* (literal ${quote(executable)}))`,
    `(allow file-read* (literal "/") ${SYSTEM_READS.map((path) => `(subpath ${quote(path)})`).join(" ")})`,
    '(allow file-read* file-write-data (literal "/dev/null"))',
    ...ordered.map(({ path, readOnly }) =>
      readOnly
        ? `(allow file-read* (subpath ${quote(path)}))\n(deny file-write* (subpath ${quote(path)}))`
        : `(allow file-read* file-write* (subpath ${quote(path)}))`,
    ),
    // Also when it lies in a root for reading.
    `(allow file-read* file-write* (subpath ${quote(stateDir)}))`,
    "(deny network*)",
    "(deny process-fork)",
  ];
  return `${lines.join("\n")}\n`;
}

/** A string of the profile's language (Scheme). */
function quote(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
